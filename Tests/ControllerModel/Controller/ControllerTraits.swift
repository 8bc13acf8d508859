import Bluetooth

/// What distinguishes one controller from another.
package struct ControllerTraits: Sendable {
  /// BD_ADDR.
  package var address: DeviceAddress
  /// The version of HCI and of the link layer, as an assigned number: 6 is 4.0, 11 is 5.2.
  package var version: UInt8 = 11
  package var features = Features.all
  /// Opcodes that the controller does not know in spite of its features.
  package var missingCommands: Set<UInt16> = []
  /// How many commands it takes before it has answered one, as it reports with each answer.
  package var commandCredits = 1
  /// How many ACL data packets it holds.
  package var dataPacketCount = 8
  /// The most bytes of an ACL data packet.
  package var dataPacketSize = 251
  /// Whether LE Read Buffer Size returns zeros, so that Read Buffer Size holds for LE as well (Vol 4 Part E 7.8.2).
  package var sharesDataPackets = false
  package var advertisingSetCount = 4
  /// The most bytes of advertising data in a set.
  package var advertisingDataSize = 1650
  package var acceptListSize = 8
  package var resolvingListSize = 8
  package var linkCount = 8
  /// The handle of the first link. Each link gets the lowest handle that is free.
  package var firstHandle: UInt16 = 0x0040
  /// The most bytes of data in a packet of the link layer, 27 to 251. Without data length extension 27.
  package var packetOctets: UInt16 = 251
  /// The most packets that it sends in a connection event.
  package var packetsPerEvent = 6
  /// What others measure of its signal, in dBm.
  package var rssi: Int8 = -60
  /// Whether its host may move it with the vendor command of the virtual radio.
  package var isMovable = false
  /// The most bytes that it keeps of an extended advertisement that it receives; it reports the data as truncated.
  package var reportedDataSize = 1650
  /// Whether a central asks the peripheral before it changes the parameters of the link (Vol 6 Part B 5.1.7).
  package var asksPeripherals = false
  package var quirks = Quirks()

  package init(_ address: DeviceAddress) { self.address = address }

  /// A controller of Bluetooth 4.0: legacy advertising, 27 bytes of data in each packet, and no feature except encryption.
  package static func version4(_ address: DeviceAddress) -> Self {
    var traits = Self(address)
    traits.version = 6
    traits.features = .encryption
    traits.dataPacketSize = 27
    traits.packetOctets = 27
    return traits
  }
}

extension ControllerTraits {
  /// How a controller departs from the specification.
  package struct Quirks: Hashable, Sendable {
    /// LE Advertising Set Terminated comes before LE Connection Complete.
    package var terminatesSetsFirst = false
    /// Unknown commands are answered with Command Complete instead of Command Status.
    package var completesUnknownCommands = false
    /// No answer lets the host send the next command: a Command Complete of no command follows that does.
    package var grantsCreditsLater = false
    /// What happens to events on their way to the host.
    package var eventFaults: [EventFault] = []

    package init() {}
  }
}

/// Something that goes wrong with one event of a kind.
package struct EventFault: Hashable, Sendable {
  package enum Effect: Hashable, Sendable {
    case lost
    case twice
    /// The packet ends after so many bytes; H4's type and the length of the event are as before.
    case truncated(Int)
    case replaced([UInt8])
  }

  /// The event code, and for LE Meta the subevent code in the higher byte: 0x13, 0x0A3E.
  package var kind: UInt16
  /// Which event of this kind, from 0.
  package var ordinal: Int
  package var effect: Effect

  package init(_ kind: UInt16, _ ordinal: Int = 0, _ effect: Effect) {
    (self.kind, self.ordinal, self.effect) = (kind, ordinal, effect)
  }
}

extension EventFault.Effect {
  /// The packets that the host gets instead of this one.
  func packets(insteadOf packet: [UInt8]) -> [[UInt8]] {
    switch self {
    case .lost: []
    case .twice: [packet, packet]
    case .truncated(let count): [Array(packet.prefix(max(1, count)))]
    case .replaced(let other): [other]
    }
  }
}
