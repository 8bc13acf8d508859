/// Reads the parameters of a PDU from the front.
struct AttributePDUReader {
  typealias Failure = AttributePDU.DecodingError

  let opcode: AttributeOpcode
  private let packet: [UInt8]
  /// The index of the next byte.
  private var place = 1

  init(_ opcode: AttributeOpcode, _ packet: [UInt8]) { (self.opcode, self.packet) = (opcode, packet) }

  private var remaining: Int { packet.count - place }

  private var wrongLength: Failure { .wrongLength(opcode, packet.count) }

  /// Checks that no byte is left.
  func end() throws(Failure) {
    guard remaining == 0 else { throw wrongLength }
  }

  mutating func byte() throws(Failure) -> UInt8 {
    guard place < packet.count else { throw wrongLength }
    defer { place += 1 }
    return packet[place]
  }

  mutating func number() throws(Failure) -> UInt16 { UInt16(try byte(), try byte()) }

  mutating func handles() throws(Failure) -> HandleRange { HandleRange(try number(), try number()) }

  mutating func flag() throws(Failure) -> Bool {
    let byte = try byte()
    guard byte <= 1 else { throw .invalidParameter(opcode, byte) }
    return byte == 1
  }

  mutating func bytes(_ count: Int) throws(Failure) -> [UInt8] {
    guard count >= 0, count <= remaining else { throw wrongLength }
    defer { place += count }
    return Array(packet[place..<place + count])
  }

  mutating func rest() -> [UInt8] {
    defer { place = packet.count }
    return Array(packet[place...])
  }

  mutating func rest(before count: Int) throws(Failure) -> [UInt8] { try bytes(remaining - count) }

  /// A UUID that is all of the remaining bytes.
  mutating func type() throws(Failure) -> BluetoothUUID { try type(remaining) }

  /// A UUID in this many bytes: 2 or 16 (Core Specification, Vol 3 Part F 3.2.1).
  private mutating func type(_ count: Int) throws(Failure) -> BluetoothUUID {
    guard let type = BluetoothUUID(attributeTypeBytes: try bytes(count)) else { throw wrongLength }
    return type
  }
}

// MARK: Rows

extension AttributePDUReader {
  /// All remaining rows: at least one, and only whole ones.
  private mutating func rows<Row>(
    _ row: (inout Self) throws(Failure) -> Row
  ) throws(Failure) -> [Row] {
    var rows: [Row] = []
    repeat { rows.append(try row(&self)) } while remaining > 0
    return rows
  }

  mutating func ranges() throws(Failure) -> [HandleRange] {
    try rows { reader throws(Failure) in try reader.handles() }
  }

  /// At least two handles (Vol 3 Part F 3.4.4.7).
  mutating func someHandles() throws(Failure) -> [AttributeHandle] {
    guard remaining >= 4 else { throw wrongLength }
    return try rows { reader throws(Failure) in try reader.number() }
  }

  /// Rows whose format gives the length of the UUIDs.
  mutating func information() throws(Failure) -> [AttributeInformation] {
    let format = try byte()
    guard format == 0x01 || format == 0x02 else { throw .invalidParameter(opcode, format) }
    return try rows { reader throws(Failure) in
      AttributeInformation(try reader.number(), try reader.type(format == 0x01 ? 2 : 16))
    }
  }

  mutating func values() throws(Failure) -> [AttributeValue] {
    let length = try rowLength(atLeast: 2)
    return try rows { reader throws(Failure) in
      AttributeValue(try reader.number(), try reader.bytes(length - 2))
    }
  }

  mutating func groups() throws(Failure) -> [AttributeGroup] {
    let length = try rowLength(atLeast: 4)
    return try rows { reader throws(Failure) in
      AttributeGroup(try reader.handles(), try reader.bytes(length - 4))
    }
  }

  mutating func valuesWithLengths() throws(Failure) -> [AttributeValue] {
    try rows { reader throws(Failure) in
      AttributeValue(try reader.number(), try reader.bytes(Int(try reader.number())))
    }
  }

  /// Only the last value may have fewer bytes than its length says (Vol 3 Part F 3.4.4.12).
  mutating func variableValues() throws(Failure) -> [VariableValue] {
    try rows { reader throws(Failure) in
      let length = try reader.number()
      return VariableValue(length: length, try reader.bytes(min(Int(length), reader.remaining)))
    }
  }

  private mutating func rowLength(atLeast minimum: UInt8) throws(Failure) -> Int {
    let length = try byte()
    guard length >= minimum else { throw .invalidParameter(opcode, length) }
    return Int(length)
  }
}
