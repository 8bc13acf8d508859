import Bluetooth
import Framing
import HCIPackets
import TestSupport
import Testing

@testable import Host

@Suite struct ControllerStartTests {
  /// The answers of a controller of Bluetooth 5 with LE only, without their status.
  private static let answers: [HCIOpcode: [UInt8]] = [
    .readLocalVersion: bytes("09 00 00 09 59 00 23 01"),
    .readSupportedCommands: Array(repeating: 0xFF, count: 64),
    .readSupportedFeatures: bytes("00 00 00 00 60 00 00 00"),
    .readLowEnergyFeatures: bytes("61 19 00 00 00 00 00 00"),
    .readAddress: bytes("13 71 DA 7D 1A 00"),
    .readLowEnergyBufferSize: bytes("FB 00 0A"),
    .readMaximumDataLength: bytes("FB 00 48 08 FB 00 48 08"),
    .readMaximumAdvertisingDataLength: bytes("72 06"),
    .readAdvertisingSetCount: bytes("10"),
    .readAcceptListSize: bytes("08"), .readResolvingListSize: bytes("10"),
  ]

  /// Starts a controller, and returns the commands that it got.
  private func run(
    _ start: inout ControllerStart, answers: [HCIOpcode: [UInt8]] = answers,
    refusing: [HCIOpcode: HCIError] = [:]
  ) throws(ControllerFailure) -> [HCICommand] {
    var commands: [HCICommand] = []
    while let command = start.nextCommand(), commands.count < 100 {
      commands.append(command)
      try start.completed(refusing[command.opcode], answers[command.opcode] ?? [])
    }
    return commands
  }

  @Test func `a command that completes without a status has not succeeded`() {
    var host = Host()
    host.advance(to: Instant())
    host.receive(bytes("04 0E 03 01 03 0C")[...], at: Instant())  // Reset
    host.advance(to: Instant())
    #expect(host.takeEvents() == [.failed(.refused(.reset, .unspecifiedError))])
  }

  @Test func `a controller of Bluetooth 5 says what it can do`() throws {
    var start = ControllerStart()
    let commands = try run(&start)
    #expect(
      commands.map(\.opcode) == [
        .reset, .readLocalVersion, .readSupportedCommands, .readSupportedFeatures, .readLowEnergyFeatures,
        .readAddress, .readLowEnergyBufferSize, .setEventMask, .setLowEnergyEventMask, .readMaximumDataLength,
        .setSuggestedDataLength, .readMaximumAdvertisingDataLength, .readAdvertisingSetCount,
        .readAcceptListSize,
        .readResolvingListSize,
      ])
    let abilities = start.abilities
    #expect(abilities.address == DeviceAddress("00:1A:7D:DA:71:13"))
    #expect(abilities.version == 9 && abilities.manufacturer == 0x59 && abilities.subversion == 0x0123)
    #expect(abilities.packetSize == 251 && abilities.packetCount == 10)
    #expect(abilities.longestBytes == 251 && abilities.longestTime == 2120)
    #expect(abilities.hasExtendedAdvertising && abilities.hasLE2M && abilities.hasLECoded)
    #expect(abilities.mostAdvertisingData == 1650 && abilities.advertisingSetCount == 16)
    #expect(abilities.acceptListSize == 8 && abilities.resolvingListSize == 16)
  }

  /// The bits of Set Event Mask are the codes of events less 1; those of LE Set Event Mask, the subevents less 1.
  @Test func `only the events that the host takes are let through`() throws {
    var start = ControllerStart()
    let commands = try run(&start)
    #expect(commands.first { $0.opcode == .setEventMask }?.parameters == bytes("90 88 00 02 00 80 00 20"))
    // without Remote Connection Parameter Request, which this controller does not have
    #expect(
      commands.first { $0.opcode == .setLowEnergyEventMask }?.parameters == bytes("5F 1A 02 00 00 00 00 00"))
  }

  @Test func `a controller of Bluetooth 4 is asked for no more than it has`() throws {
    var answers = Self.answers
    var supported = [UInt8](repeating: 0xFF, count: 33)
    supported += [UInt8](repeating: 0, count: 31)
    answers[.readSupportedCommands] = supported
    answers[.readSupportedFeatures] = bytes("00 00 00 00 40 00 00 00")
    answers[.readLowEnergyFeatures] = bytes("01 00 00 00 00 00 00 00")
    answers[.readLowEnergyBufferSize] = bytes("00 00 00")
    answers[.readBufferSize] = bytes("36 01 40 08 00 08 00")
    var start = ControllerStart()
    let commands = try run(&start, answers: answers)
    #expect(
      commands.map(\.opcode) == [
        .reset, .readLocalVersion, .readSupportedCommands, .readSupportedFeatures, .readLowEnergyFeatures,
        .readAddress, .readLowEnergyBufferSize, .readBufferSize, .setLowEnergyHostSupport, .setEventMask,
        .setLowEnergyEventMask, .readAcceptListSize,
      ])
    #expect(start.abilities.packetSize == 310 && start.abilities.packetCount == 8)
    #expect(!start.abilities.hasExtendedAdvertising && start.abilities.mostAdvertisingData == 31)
  }

  @Test func `a controller that cannot do what it announces has a row of its own`() throws {
    var answers = Self.answers
    answers[.readLocalVersion] = bytes("09 00 00 09 E0 03 23 01")
    var start = ControllerStart()
    let commands = try run(&start, answers: answers)
    #expect(!start.abilities.hasExtendedAdvertising && start.abilities.hasLE2M)
    #expect(!commands.map(\.opcode).contains(.readAdvertisingSetCount))
  }

  @Test(arguments: ControllerStart.steps.indices)
  func `a refusal ends the start only where there is no host without the command`(index: Int) {
    let step = ControllerStart.steps[index]
    let opcode = step.command(ControllerAbilities()).opcode
    guard step.isNeeded(ControllerAbilities()) || step.condition != nil else { return }
    var start = ControllerStart()
    let result = Result { () throws(ControllerFailure) in
      try run(&start, refusing: [opcode: .unknownCommand])
    }
    switch result {
    case .failure(let error): #expect(step.isRequired && error == .refused(opcode, .unknownCommand))
    case .success(let commands): #expect(!step.isRequired || !commands.map(\.opcode).contains(opcode))
    }
  }

  @Test(arguments: answers.keys.sorted { $0.rawValue < $1.rawValue })
  func `an answer that is cut short is named`(opcode: HCIOpcode) {
    var answers = Self.answers
    answers[opcode]?.removeLast()
    // What follows the first two numbers of the longest data counts for nothing.
    if opcode == .readMaximumDataLength { answers[opcode] = bytes("FB 00 48") }
    var start = ControllerStart()
    #expect(throws: ControllerFailure.incomplete(opcode)) { try run(&start, answers: answers) }
  }

  @Test func `a controller without LE is named`() {
    var answers = Self.answers
    answers[.readSupportedFeatures] = bytes("FF FF 8F FE DB FF 5B 87")
    answers[.readSupportedFeatures]?[4] = 0
    var start = ControllerStart()
    #expect(throws: ControllerFailure.noLowEnergy) { try run(&start, answers: answers) }
  }
}
