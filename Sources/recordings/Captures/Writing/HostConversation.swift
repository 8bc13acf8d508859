import Bluetooth
import HCIPackets

/// What the host of a peripheral and its controller would say to each other by HCI while a device does what it does
/// (Core Specification, Vol 4 Part E).
package struct HostConversation: Sendable {
  package struct Packet: Hashable, Sendable {
    package var direction: HCIDirection
    /// The type of the packet, and the packet.
    package var bytes: [UInt8]
  }

  /// The handle that the first link gets.
  private static let firstHandle: LinkHandle = 0x0040
  /// Of a link whose parameters are not known: 30 ms, no latency, 5 s.
  private static let usualParameters = ConnectionParameters(
    interval: 24, latency: 0, supervisionTimeout: 500)

  private var handles: [DeviceAddress: LinkHandle] = [:]
  var sets: [AdvertisingSet] = []

  package init() {}

  /// The host learns the controller's address.
  ///
  /// - Parameter random: that of the device, if it has not the controller's.
  package func start(_ address: DeviceAddress, random: DeviceAddress?) -> [Packet] {
    Self.exchange(HCICommand(.readAddress), returning: address.littleEndianBytes)
      + (random.map { Self.exchange(HCICommand(.setRandomAddress, $0.littleEndianBytes)) } ?? [])
  }
}

// MARK: Links

extension HostConversation {
  /// LE Connection Complete (7.7.65.1): success, handle, peripheral, the central's address, parameters, clock accuracy.
  package mutating func connect(_ central: LinkAddress, _ parameters: ConnectionParameters?) -> Packet {
    let handle = freeHandle
    handles[central.address] = handle
    var fields = [0x00] + handle.littleEndianBytes + [0x01, central.kind == .public ? 0x00 : 0x01]
    fields += central.address.littleEndianBytes
    fields += (parameters ?? Self.usualParameters).bytes + [0x00]
    return Self.lowEnergyEvent(0x01, fields)
  }

  private var freeHandle: LinkHandle {
    let taken = Set(handles.values)
    return (Self.firstHandle...).first { !taken.contains($0) } ?? Self.firstHandle
  }

  /// A PDU of ATT as ACL data; nil: there is no link to this central.
  package func attribute(
    _ pdu: [UInt8], _ central: DeviceAddress, _ direction: HCIDirection
  ) -> Packet? {
    guard let handle = handles[central] else { return nil }
    let boundary: ACLPacket.Boundary = direction == .toHost ? .first : .firstToController
    let head = handle | UInt16(boundary.rawValue) << 12
    let (length, frameLength) = (
      UInt16(truncatingIfNeeded: pdu.count), UInt16(truncatingIfNeeded: pdu.count + 4)
    )
    let fields = [head, frameLength, length, L2CAPFrame.attributeChannel].flatMap(\.littleEndianBytes)
    return Packet(direction: direction, bytes: [0x02] + fields + pdu)
  }

  /// Encryption Change (7.7.8).
  package func encrypt(_ central: DeviceAddress, _ isEncrypted: Bool) -> Packet? {
    handles[central].map { handle in
      Self.event(0x08, [0x00] + handle.littleEndianBytes + [isEncrypted ? 0x01 : 0x00])
    }
  }

  /// LE Connection Update Complete (7.7.65.3).
  package func update(_ central: DeviceAddress, _ parameters: ConnectionParameters) -> Packet? {
    handles[central].map { handle in
      Self.lowEnergyEvent(0x03, [0x00] + handle.littleEndianBytes + parameters.bytes)
    }
  }

  /// The host asks the controller to end a link (Disconnect, 7.1.6), with the reason that the central gets.
  package func end(_ central: DeviceAddress, _ reason: HCIError) -> [Packet] {
    guard let handle = handles[central] else { return [] }
    let command = HCICommand(.disconnect, handle.littleEndianBytes + [reason.rawValue])
    return [
      Self.packet(of: command), Self.event(0x0F, [0x00, 0x01] + command.opcode.rawValue.littleEndianBytes),
    ]
  }

  /// Disconnection Complete (7.7.5).
  package mutating func disconnect(_ central: DeviceAddress, _ reason: HCIError) -> Packet? {
    handles.removeValue(forKey: central).map { handle in
      Self.event(0x05, [0x00] + handle.littleEndianBytes + [reason.rawValue])
    }
  }
}

// MARK: Commands and events

extension HostConversation {
  /// A command, and its Command Complete (7.7.14) with success.
  static func exchange(_ command: HCICommand, returning parameters: [UInt8] = []) -> [Packet] {
    let opcode = command.opcode.rawValue.littleEndianBytes
    return [packet(of: command), event(0x0E, [0x01] + opcode + [0x00] + parameters)]
  }

  private static func packet(of command: HCICommand) -> Packet {
    Packet(direction: .toController, bytes: command.packet)
  }

  private static func event(_ code: UInt8, _ parameters: [UInt8]) -> Packet {
    Packet(
      direction: .toHost, bytes: [0x04, code, UInt8(truncatingIfNeeded: parameters.count)] + parameters)
  }

  /// LE Meta (7.7.65).
  private static func lowEnergyEvent(_ subevent: UInt8, _ parameters: [UInt8]) -> Packet {
    event(0x3E, [subevent] + parameters)
  }
}

extension ConnectionParameters {
  fileprivate var bytes: [UInt8] { [interval, latency, supervisionTimeout].flatMap(\.littleEndianBytes) }
}
