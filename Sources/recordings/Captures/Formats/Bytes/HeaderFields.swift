import Framing

/// Takes the numbers of a header one after the other. After the end they are 0: a reader takes a header whole, or checks its
/// length, before it looks at the fields.
struct HeaderFields {
  private(set) var rest: ArraySlice<UInt8>
  private let order: ByteOrder

  init(_ bytes: ArraySlice<UInt8>, _ order: ByteOrder) { (rest, self.order) = (bytes, order) }

  mutating func number<Number: FixedWidthInteger>(_: Number.Type = Number.self) -> Number {
    var number: Number = 0
    for index in 0..<(Number.bitWidth / 8) {
      let byte = Number(truncatingIfNeeded: rest.popFirst() ?? 0)
      switch order {
      case .bigEndian: number = number << 8 | byte
      case .littleEndian: number |= byte << (index * 8)
      }
    }
    return number
  }

  mutating func skip(_ count: Int) { rest = rest.dropFirst(count) }
}
