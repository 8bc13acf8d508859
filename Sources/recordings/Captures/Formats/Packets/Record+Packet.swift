import Framing
import HCIPackets

extension Record {
  /// The packet, from its place in the file; nil: it is too short for its own headers.
  func packet(offset: Int) -> CapturedPacket? {
    guard let (layer, bytes) = unwrapped else { return nil }
    return CapturedPacket(time: time, layer: layer, bytes: Array(bytes), omitted: omitted, offset: offset)
  }

  private var unwrapped: (CapturedPacket.Layer, ArraySlice<UInt8>)? {
    switch wrapping {
    case .none(let layer): (layer, bytes)
    case .h4(let direction): Self.h4(bytes, direction)
    case .monitor(let adapter, let opcode): (MonitorOpcode.layer(opcode, adapter: adapter, bytes), bytes)
    case .link(let type): Self.unwrap(bytes, type)
    }
  }

  private static func h4(_ bytes: ArraySlice<UInt8>, _ direction: HCIDirection?) -> (
    CapturedPacket.Layer, ArraySlice<UInt8>
  )? {
    bytes.first.map { (.hci(type: $0, adapter: 0, direction), bytes.dropFirst()) }
  }

  private static func unwrap(_ bytes: ArraySlice<UInt8>, _ type: LinkType) -> (
    CapturedPacket.Layer, ArraySlice<UInt8>
  )? {
    var header = ByteReader(bytes, .bigEndian)
    switch type {
    case .h4: return h4(bytes, nil)
    case .h4WithDirection:
      guard bytes.count > 4 else { return nil }
      // 0: sent by the host.
      let direction: UInt32 = header.field()
      return h4(header.rest, direction == 0 ? .toController : .toHost)
    case .monitor:
      guard bytes.count >= 4 else { return nil }
      let (adapter, opcode): (UInt16, UInt16) = (header.field(), header.field())
      return (MonitorOpcode.layer(opcode, adapter: Int(adapter), header.rest), header.rest)
    case .linkLayer: return (.linkLayer(LinkLayerReception()), bytes)
    case .linkLayerWithRadio: return RadioHeader.unwrap(bytes)
    case .nordic: return NordicHeader.unwrap(bytes)
    case .ppi: return ppi(bytes)
    }
  }

  /// Version(1), flags(1), length of the headers(2), link type(4), headers, packet; all numbers are little-endian (CACE's "PPI
  /// Packet Header format"). Ubertooth has used link type 147, which is for private use, before there was 251.
  private static func ppi(_ bytes: ArraySlice<UInt8>) -> (CapturedPacket.Layer, ArraySlice<UInt8>)? {
    guard bytes.count >= 8 else { return nil }
    var header = ByteReader(bytes)
    header.skip(2)
    let (length, number): (UInt16, UInt32) = (header.field(), header.field())
    guard length >= 8, Int(length) <= bytes.count,
      let type = number == 147 ? .linkLayer : LinkType(rawValue: number), type != .ppi
    else { return nil }
    return unwrap(bytes.dropFirst(Int(length)), type)
  }
}
