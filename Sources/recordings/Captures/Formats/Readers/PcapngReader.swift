import Framing

/// pcapng (draft-ietf-opsawg-pcapng): blocks of any kind, several interfaces, either byte order in each section.
///
///     type(4)  length of the block(4)  body  length of the block(4)
struct PcapngReader: RecordReader {
  private enum Block {
    static let section: UInt32 = 0x0A0D_0D0A
    static let interface: UInt32 = 1
    static let simplePacket: UInt32 = 3
    static let enhancedPacket: UInt32 = 6
  }

  /// The order of a section's bytes, by its magic.
  private static let orders: [[UInt8]: ByteOrder] = [
    [0x1A, 0x2B, 0x3C, 0x4D]: .bigEndian, [0x4D, 0x3C, 0x2B, 0x1A]: .littleEndian,
  ]

  private var order = ByteOrder.littleEndian
  /// Those of the current section, by their number.
  private var interfaces: [PcapngInterface] = []
  /// Those of all interfaces so far, in their order.
  private var linkTypes: [LinkType] = []
  /// Those whose packets are left out, because they are not of Bluetooth.
  private var foreignLinkTypes: Set<UInt32> = []

  static func recognizes(_ start: ArraySlice<UInt8>) -> Bool {
    start.starts(with: [0x0A, 0x0D, 0x0D, 0x0A]) && orders[Array(start.dropFirst(8).prefix(4))] != nil
  }

  /// Reads up to the first interface of Bluetooth.
  init(_ stream: ByteStream) throws(CaptureFileError.Reason) {
    do throws(CaptureDamage) {
      while linkTypes.isEmpty, try stream.beginRecord() { _ = try takeBlock(stream) }
    } catch {
      guard !foreignLinkTypes.isEmpty else { throw error.reason }
    }
    if linkTypes.isEmpty, !foreignLinkTypes.isEmpty { throw .foreignLinkTypes(foreignLinkTypes.sorted()) }
  }

  var format: String {
    "pcapng (\(linkTypes.map(\.name).joined(separator: "; ")))"
  }

  var notes: [CaptureNote] {
    guard !foreignLinkTypes.isEmpty else { return [] }
    let types = foreignLinkTypes.sorted().map(LinkType.describe).joined(separator: ", ")
    return [CaptureNote(.other, "Packets of link type \(types) are left out.")]
  }

  mutating func next(_ stream: ByteStream) throws(CaptureDamage) -> Record? {
    while try stream.beginRecord() {
      if let record = try takeBlock(stream) { return record }
    }
    return nil
  }
}

// MARK: Blocks

extension PcapngReader {
  /// The record of a block; nil: the block is not a packet of Bluetooth.
  private mutating func takeBlock(_ stream: ByteStream) throws(CaptureDamage) -> Record? {
    let start = try stream.peek(12)
    if start.starts(with: [0x0A, 0x0D, 0x0D, 0x0A]) {
      guard let order = Self.orders[Array(start.dropFirst(8))] else {
        throw CaptureDamage(text: "A section has no byte order.")
      }
      (self.order, interfaces) = (order, [])
    }
    var header = ByteReader(try stream.take(8), order)
    let (type, length): (UInt32, UInt32) = (header.field(), header.field())
    guard length >= 12, length % 4 == 0 else {
      throw CaptureDamage(text: "A block claims to have \(length) bytes.")
    }
    let record = try takeBody(type, length - 12, stream)
    var end = ByteReader(try stream.take(4), order)
    guard end.field() == length else { throw CaptureDamage(text: "The two lengths of a block differ.") }
    return record
  }

  private mutating func takeBody(_ type: UInt32, _ length: UInt32, _ stream: ByteStream)
    throws(CaptureDamage) -> Record?
  {
    switch type {
    case Block.interface: try add(stream.takeRecord(length))
    case Block.enhancedPacket: return try enhancedPacket(stream.takeRecord(length))
    case Block.simplePacket: return try simplePacket(stream.takeRecord(length))
    default: try stream.skip(Int(length))
    }
    return nil
  }

  private mutating func add(_ body: ArraySlice<UInt8>) throws(CaptureDamage) {
    guard let interface = PcapngInterface(body, order) else {
      throw CaptureDamage(text: "An interface has no link type.")
    }
    interfaces.append(interface)
    guard let type = LinkType(rawValue: interface.linkType) else {
      foreignLinkTypes.insert(interface.linkType)
      return
    }
    if !linkTypes.contains(type) { linkTypes.append(type) }
  }

  /// Interface(4), time(8), length(4), original length(4), packet, options (4.3).
  private func enhancedPacket(_ body: ArraySlice<UInt8>) throws(CaptureDamage) -> Record? {
    var fields = ByteReader(body, order)
    let (number, high, low): (UInt32, UInt32, UInt32) = (fields.field(), fields.field(), fields.field())
    let (length, original): (UInt32, UInt32) = (fields.field(), fields.field())
    guard body.count >= 20, fields.rest.count >= length else {
      throw CaptureDamage(text: "A packet is longer than its block.")
    }
    let packet = fields.rest.prefix(Int(length))
    return try record(of: packet, original, interface: Int(number), at: UInt64(high) << 32 | UInt64(low))
  }

  /// Original length(4), packet (4.4). It is of the first interface, and has no time.
  private func simplePacket(_ body: ArraySlice<UInt8>) throws(CaptureDamage) -> Record? {
    var fields = ByteReader(body, order)
    let original: UInt32 = fields.field()
    let longest = interfaces.first?.longest ?? 0
    let packet = fields.rest.prefix(Int(longest == 0 ? original : min(original, longest)))
    return try record(of: packet, original, interface: 0, at: 0)
  }

  private func record(
    of packet: ArraySlice<UInt8>, _ original: UInt32, interface number: Int, at count: UInt64
  )
    throws(CaptureDamage) -> Record?
  {
    guard interfaces.indices.contains(number) else {
      throw CaptureDamage(text: "A packet is of interface \(number), which the file does not describe.")
    }
    let interface = interfaces[number]
    guard let type = LinkType(rawValue: interface.linkType) else { return nil }
    var record = Record(.link(type), at: interface.time(count), packet)
    record.omitted = max(0, Int(original) - packet.count)
    return record
  }
}
