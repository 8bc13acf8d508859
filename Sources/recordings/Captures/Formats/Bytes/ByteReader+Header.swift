import Framing

extension ByteReader {
  /// The next number of a header. After the end it is 0: a reader takes a header whole, or checks its length, before it looks at
  /// the fields.
  mutating func field<Number: FixedWidthInteger>(_: Number.Type = Number.self) -> Number {
    number(Number.self) ?? 0
  }
}
