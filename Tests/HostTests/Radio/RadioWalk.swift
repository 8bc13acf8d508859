import Bluetooth
import Framing
import HCIPackets
import TestSupport

@testable import Host

/// A host that wants one thing after another, and a controller where links begin and end, commands are refused, and events
/// come late.
struct RadioWalk {
  enum Output {
    case event(HCIEvent)
    case answer(HCICommand, HCIError?)
  }

  var radio: RadioState
  var controller: RuledController
  var random: SplitMix64
  /// What the controller has sent, the first first.
  var outputs: [Output] = []
  /// The ends of sets that the controller has not reported, with the number of commands before: an end may come after those
  /// that disable a set, change it and enable it.
  private var late: [(event: HCIEvent, age: Int)] = []
  var commandCount = 0
  var refusesAtRandom = true
  private var nextLink: LinkHandle = 1

  init(_ abilities: ControllerAbilities, seed: UInt64) {
    radio = RadioState(abilities)
    controller = RuledController(isExtended: abilities.hasExtendedAdvertising)
    random = SplitMix64(seed: seed)
  }

  private var isExtended: Bool { controller.isExtended }

  mutating func number(_ end: Int) -> Int { Int(random.next() % UInt64(end)) }

  /// One step: mostly of the conversation, sometimes something new.
  mutating func step() {
    switch number(20) {
    case 0: radio.advertising.wanted = sets()
    case 1: radio.scanning.wanted = scan()
    case 2: radio.initiating.wanted = request()
    case 3: radio.acceptList.wanted = (0..<number(5)).map { _ in device() }
    case 4: connect()
    case 5: disconnect()
    case 6: finishInitiating()
    case 7: timeOut()
    case 8: reportEnds()
    case 9: radio.resolvingList.wanted = peers()
    default: converse()
    }
  }

  /// The host takes the next output, or sends a command.
  ///
  /// - Returns: whether there was one.
  @discardableResult
  mutating func converse() -> Bool {
    if let first = late.first, first.age + 3 <= commandCount { reportEnds() }
    guard outputs.isEmpty else {
      hear(outputs.removeFirst())
      return true
    }
    guard let command = radio.nextCommand() else { return false }
    commandCount += 1
    let error = fault(command) ?? controller.take(command)
    outputs.append(.answer(command, error))
    if command == .cancelConnection, error == nil {
      outputs.append(.event(.connectionFailed(.unknownConnectionIdentifier)))
    }
    return true
  }

  private mutating func hear(_ output: Output) {
    switch output {
    case .event(let event): _ = radio.take(event)
    case .answer(let command, let error): _ = radio.completed(command, error)
    }
  }

  /// Now and then, an error that the controller has for no reason.
  private mutating func fault(_ command: HCICommand) -> HCIError? {
    guard refusesAtRandom, number(8) == 0, command != .cancelConnection else { return nil }
    let errors: [HCIError] = [
      .commandDisallowed, .memoryCapacityExceeded, .invalidParameters, .connectionLimitExceeded,
      .unknownAdvertisingIdentifier,
    ]
    let error = errors[number(errors.count)]
    controller.refused(command, error)
    return error
  }
}

// MARK: What happens in the air

extension RadioWalk {
  private mutating func connect() {
    let candidates = controller.sets.filter {
      $0.value.isEnabled && RuledController.isConnectable($0.value, isExtended: isExtended)
    }.keys.sorted()
    guard !candidates.isEmpty, controller.links.count < RuledController.mostLinks else { return }
    let slot = candidates[number(candidates.count)]
    controller.sets[slot]?.isEnabled = false
    let link = newLink()
    let event =
      isExtended
      ? HCIEvent.advertisingSetEnded(handle: slot, .link(link)) : .connected(.sample(link, isCentral: false))
    late.append((event, commandCount))
    if number(2) == 0 { reportEnds() }
  }

  mutating func reportEnds() {
    outputs += late.map { .event($0.event) }
    late = []
  }

  private mutating func newLink() -> LinkHandle {
    nextLink += 1
    controller.links.append(nextLink)
    return nextLink
  }

  mutating func disconnect() {
    guard let link = controller.links.popLast() else { return }
    reportEnds()
    outputs.append(.event(.disconnected(link, .remoteUserTerminated)))
  }

  /// A requested link begins or fails.
  private mutating func finishInitiating() {
    guard let request = controller.request, controller.links.count < RuledController.mostLinks else { return }
    controller.request = nil
    var fields = ByteReader(request[(isExtended ? 2 : 5)...])
    guard number(3) > 0, let peer = fields.linkAddress() else {
      return outputs.append(.event(.connectionFailed(HCIError(rawValue: 0x3E))))
    }
    outputs.append(.event(.connected(.sample(newLink(), isCentral: true, peer: peer))))
  }

  /// Directed advertising with a high duty cycle ends.
  private mutating func timeOut() {
    for (slot, set) in controller.sets.sorted(by: { $0.key < $1.key }) where set.isEnabled {
      guard isExtended ? set.parameters[1] & 8 != 0 : set.parameters[4] == 1 else { continue }
      controller.sets[slot]?.isEnabled = false
      let ending = HCIEvent.Ending.error(.advertisingTimeout)
      outputs.append(
        .event(
          isExtended
            ? .advertisingSetEnded(handle: slot, ending) : .connectionFailed(.advertisingTimeout)))
      return
    }
  }
}

extension RuledController {
  /// What a refusal without a reason changes.
  fileprivate mutating func refused(_ command: HCICommand, _ error: HCIError) {
    let bytes = command.parameters
    switch command.opcode {
    case .setExtendedAdvertisingData where bytes[1] < 3: sets[bytes[0]]?.data = []
    case .setExtendedScanResponseData where bytes[1] < 3: sets[bytes[0]]?.scanResponse = []
    default: break
    }
    guard isExtended, error == .unknownAdvertisingIdentifier else { return }
    switch command.opcode {
    case .setExtendedAdvertisingEnable: sets[bytes[2]] = nil
    case .setExtendedAdvertisingParameters, .setAdvertisingSetRandomAddress, .setExtendedAdvertisingData,
      .setExtendedScanResponseData, .removeAdvertisingSet:
      sets[bytes[0]] = nil
    default: break
    }
  }
}
