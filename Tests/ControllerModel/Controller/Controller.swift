import Bluetooth
import Framing

/// One controller: takes the packets of its host, and what arrives from the air; leaves packets for its host.
struct Controller: Sendable {
  let traits: ControllerTraits
  var now = Instant()
  var random: KeyStream
  /// Packets for the host, with H4's type.
  var output: [[UInt8]] = []
  var mistakes: [HostMistake] = []
  /// How many events there were, by kind.
  var eventCounts: [UInt16: Int] = [:]
  /// The commands whose answers the host has not taken.
  var unansweredCount = 0
  /// Handles of links whose end the host has not taken.
  var freshlyClosed: Set<UInt16> = []
  /// What Reset sets back.
  var state = State()

  struct State: Sendable {
    var eventMask: UInt64 = 0x0000_1FFF_FFFF_FFFF
    var lowEnergyEventMask: UInt64 = 0x1F
    var family: Command.Family?
    var randomAddress: DeviceAddress?
    /// By handle; ``Controller/legacyHandle`` for that of the legacy commands.
    var advertisers: [Int: Advertiser] = [:]
    var scanner = Scanner()
    var initiator: Initiator?
    var acceptList: Set<LinkAddress> = []
    var resolvingList: [ResolvingEntry] = []
    var resolvesAddresses = false
    var links: [UInt16: LinkEnd] = [:]
    var defaultPHYs = Directions<UInt8>(sent: 7, received: 7)
    var suggestedOctets: UInt16 = 27
    var suggestedTime: UInt16 = 328
    var path = RadioPath()
  }

  static let legacyHandle = -1

  init(_ traits: ControllerTraits, seed: UInt64) {
    self.traits = traits
    random = KeyStream(seed: seed)
  }
}

// MARK: Packets of the host

extension Controller {
  /// Takes one packet with H4's type (Vol 4 Part A 2).
  mutating func receive(_ packet: [UInt8]) {
    switch packet.first {
    case 0x01 where packet.count >= 4 && packet.count == 4 + Int(packet[3]): receiveCommand(packet)
    case 0x02 where packet.count >= 5 && packet.count == 5 + Int(UInt16(packet[3], packet[4])):
      receiveData(packet)
    default:
      mistakes.append(.malformedPacket(packet))
      emit(0x10, [0xFE])  // Hardware Error: synchronization lost (Vol 4 Part A 4)
    }
  }

  private mutating func receiveCommand(_ packet: [UInt8]) {
    let opcode = UInt16(packet[1], packet[2])
    if unansweredCount >= traits.commandCredits { mistakes.append(.commandWithoutCredit(opcode: opcode)) }
    unansweredCount += 1
    guard let command = command(opcode) else { return refuseUnknown(opcode) }
    let parameters = Array(packet[4...])
    let place = output.count
    do throws(HCIError) {
      answer(opcode, command, .success, try run(command, parameters), at: place)
    } catch {
      let handle = command.answer == .completeWithHandle ? Array(parameters.prefix(2)) : []
      answer(opcode, command, error, handle, at: place)
    }
  }

  /// The command of an opcode, if this controller knows it.
  func command(_ opcode: UInt16) -> Command? {
    guard let command = Command.all[opcode], traits.features.isSuperset(of: command.needs),
      !traits.missingCommands.contains(opcode), opcode != Command.move || traits.isMovable
    else { return nil }
    return command
  }

  private mutating func run(_ command: Command, _ bytes: [UInt8]) throws(HCIError) -> [UInt8] {
    if let length = command.length, length != bytes.count { throw .invalidParameters }
    if let family = command.family {
      guard state.family ?? family == family else { throw .commandDisallowed }
      state.family = family
    }
    var parameters = Parameters(bytes)
    return try command.action(&self, &parameters)
  }

  /// Answers a command before the events that it causes.
  private mutating func answer(
    _ opcode: UInt16, _ command: Command, _ status: HCIError, _ parameters: [UInt8], at place: Int
  ) {
    let credits = UInt8(traits.commandCredits)
    if traits.quirks.grantsCreditsLater { emit(0x0E, [credits, 0x00, 0x00], at: place) }
    let head = [traits.quirks.grantsCreditsLater ? 0 : credits] + opcode.littleEndianBytes
    switch command.answer {
    case .status: emit(0x0F, [status.rawValue] + head, at: place)
    case .complete, .completeWithHandle: emit(0x0E, head + [status.rawValue] + parameters, at: place)
    }
  }

  private mutating func refuseUnknown(_ opcode: UInt16) {
    let (status, head) = (HCIError.unknownCommand.rawValue, [UInt8(traits.commandCredits)])
    if traits.quirks.completesUnknownCommands {
      emit(0x0E, head + opcode.littleEndianBytes + [status])
    } else {
      emit(0x0F, [status] + head + opcode.littleEndianBytes)
    }
  }
}
