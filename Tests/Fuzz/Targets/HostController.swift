import Bluetooth
import HCIPackets

@testable import Host

/// How a controller answers commands.
struct HostController {
  /// Whether it is one of Bluetooth 5.
  let isExtended: Bool

  func answer(to command: HCICommand, status: UInt8, allowed: UInt8) -> [UInt8] {
    let opcode = command.opcode.rawValue.littleEndianBytes
    if Self.begun.contains(command.opcode) { return [0x04, 0x0F, 4, status, allowed] + opcode }
    let parameters = [allowed] + opcode + [status] + (status == 0 ? returnParameters(of: command) : [])
    return [0x04, 0x0E, UInt8(parameters.count)] + parameters
  }

  /// The commands that are answered with Command Status.
  private static let begun: Set<HCIOpcode> = [
    .disconnect, .createConnection, .createConnectionExtended, .updateConnection, .enableEncryption, .setPHY,
  ]

  /// After the status.
  private func returnParameters(of command: HCICommand) -> [UInt8] {
    switch command.opcode {
    case .readLocalVersion: [isExtended ? 9 : 6, 0, 0, 9, 0x59, 0, 0, 0]
    case .readSupportedCommands: [UInt8](repeating: 0xFF, count: 64)
    case .readSupportedFeatures: [0, 0, 0, 0, 0x60, 0, 0, 0]
    case .readLowEnergyFeatures: isExtended ? [0x63, 0x19, 0, 0, 0, 0, 0, 0] : [0x01, 0, 0, 0, 0, 0, 0, 0]
    case .readAddress: [1, 2, 3, 4, 5, 6]
    case .readLowEnergyBufferSize: isExtended ? [30, 0, 3] : [0, 0, 0]
    case .readBufferSize: [27, 0, 0, 2, 0, 0, 0]
    case .readMaximumDataLength: [251, 0, 0x48, 0x08, 251, 0, 0x48, 0x08]
    case .readMaximumAdvertisingDataLength: [0x72, 0x06]
    case .readAdvertisingSetCount, .readAcceptListSize, .readResolvingListSize: [4]
    case .readPHY: command.parameters.prefix(2) + [1, 2]
    case .readRSSI: command.parameters.prefix(2) + [0xC4]
    default: command.parameters.prefix(2) + [0]
    }
  }
}

extension RadioState {
  /// - Parameter bits: what is wanted: bit 0 and 1 advertising sets, 2 to scan, 3 to initiate, 4 the accept list, 5 a random
  ///   address.
  mutating func want(_ bits: Int) {
    let device = LinkAddress(DeviceAddress([0, 0, 0, 0, 0, 9])!)
    let address = bits & 32 == 0 ? nil : DeviceAddress([0xC0, 0, 0, 0, 0, UInt8(bits & 3)])
    advertising.wanted = (0..<2).filter { bits >> $0 & 1 == 1 }.map { .connectable($0, address) }
    scanning.wanted = bits & 4 == 0 ? nil : Scan(isActive: bits & 64 != 0)
    initiating.wanted = bits & 8 == 0 ? nil : .any(bits & 16 == 0 ? .device(device) : .acceptList, address)
    acceptList.wanted = bits & 16 == 0 ? [] : [device]
  }
}

extension AdvertisingSet {
  fileprivate static func connectable(_ handle: UInt8, _ address: DeviceAddress?) -> Self {
    let interval = AdvertisingInterval(units: 160)
    return Self(
      handle: handle,
      parameters: AdvertisingSetParameters(
        properties: [.legacy, .connectable, .scannable], interval: interval...interval),
      address: address, data: [2, 1, 6], scanResponse: [])
  }
}

extension ConnectionRequest {
  fileprivate static func any(_ peer: Peer, _ address: DeviceAddress?) -> Self {
    var request = Self(
      peer, parameters: PreferredConnectionParameters(interval: 24...40, latency: 0, supervisionTimeout: 42))
    request.address = address
    return request
  }
}

extension PacketBatch {
  /// The packets, one by one.
  var all: [[UInt8]] {
    var (packets, rest): ([[UInt8]], ArraySlice<UInt8>) = ([], bytes[...])
    while let count = rest.withUnsafeBytes({ H4PacketType.lengthOfFirstPacket(in: $0) }), !rest.isEmpty {
      packets.append(Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    return packets
  }
}
