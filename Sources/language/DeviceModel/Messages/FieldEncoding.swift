/// How bytes represent a value: the part after the colon in `{month: u8}`.
package enum FieldEncoding: Hashable, Sendable {
  /// `u8`, `i16le`, `u24be`…: a number in two's complement or unsigned, 1 to 8 bytes.
  case integer(width: Int, signed: Bool, bigEndian: Bool)
  /// `varint`: a number whose bytes say where it ends; `varint(signed)`: in zigzag.
  case varint(signed: Bool)
  /// `bool` of Protocol Buffers: a varint, 0 for false.
  case boolean
  /// `bcd(2)`: two decimal digits in each byte.
  case bcd(width: Int, bigEndian: Bool)
  /// This many bits of a `{bits(…)}`, which holds several numbers.
  case bits(Int)
  /// `bytes(15)`: exactly that many, with a shorter value filled up; `bytes(0..15)`; `bytes`: all that remain.
  case bytes(ClosedRange<Int>, pad: UInt8)
  /// `text(8)`, `text(1..12)` and `text`: UTF-8, likewise.
  case text(ClosedRange<Int>, pad: UInt8)
  /// `dec` and `dec(1..3)`: so many decimal digits, and a sign before them where the number is negative.
  /// `dec(3)`: the sign is one of the characters. `dec(3, unsigned)`: there is none.
  case dec(digits: ClosedRange<Int>, DecimalSign)
  /// `hex(4)` and `hex`: a number without a sign, in hexadecimal digits.
  case hex(digits: ClosedRange<Int>, isLower: Bool)
  /// `hexbytes(6)` and `hexbytes`: bytes, each as two hexadecimal digits.
  case hexBytes(ClosedRange<Int>, isLower: Bool)
  /// `f32le`, `f64be`…: a number of IEEE 754, 4 or 8 bytes.
  case float(width: Int, bigEndian: Bool)
  /// `sfloat`, `float` and `sfloat(-1)`: a number as medical devices send it, least significant byte first.
  case medical(MedicalFloat)
  /// `mac` and `macle`: 6 bytes of an address, `macle` in reverse.
  case mac(isReversed: Bool)
  /// `mac(colons)`: two hexadecimal digits for each byte, with colons between them.
  case macText(isReversed: Bool, isLower: Bool)
  /// `u8(on: 1, off: 0)`: numbers of the encoding, by their names.
  indirect case named(NamedNumbers, FieldEncoding)
}

/// The `-` of a decimal number.
package enum DecimalSign: Hashable, Sendable {
  /// It precedes the digits.
  case beside
  /// It takes the place of a digit.
  case counted
  /// There are no negative numbers.
  case none
}

extension FieldEncoding {
  package var valueType: ValueType {
    switch self {
    case .integer, .varint, .bcd, .bits, .dec, .hex: .integer
    case .bytes, .hexBytes, .mac, .macText: .bytes
    case .text, .named: .text
    case .float, .medical: .decimal
    case .boolean: .boolean
    }
  }

  /// The number of bytes, if it is fixed.
  package var size: Int? { sizes.count == 1 ? sizes.lowerBound : nil }

  /// The possible numbers of bytes; 0 for bits.
  package var sizes: ClosedRange<Int> {
    switch self {
    case .integer(let width, _, _), .bcd(let width, _): width...width
    case .varint, .boolean: 1...Varint.mostBytes
    case .bits: 0...0
    case .bytes(let counts, _), .text(let counts, _): counts
    case .dec(let digits, .beside): digits.lowerBound...digits.upperBound + 1
    case .dec(let digits, _): digits
    case .hex(let digits, _): digits
    case .hexBytes(let counts, _): 2 * counts.lowerBound...2 * counts.upperBound
    case .float(let width, _): width...width
    case .medical(let float): float.width...float.width
    case .mac: Self.macSize...Self.macSize
    case .macText: 3 * Self.macSize - 1...3 * Self.macSize - 1
    case .named(_, let encoding): encoding.sizes
    }
  }

  /// The bytes of an address.
  static let macSize = 6

  /// Whether any bytes of the right number can be read.
  var acceptsAllBytes: Bool {
    switch self {
    case .integer, .bytes, .bits, .float, .mac: true
    case .varint, .boolean, .bcd, .text, .dec, .hex, .hexBytes, .medical, .macText, .named: false
    }
  }

  /// Whether its bytes say where it ends.
  package var endsItself: Bool {
    switch self {
    case .varint, .boolean, .named(_, .varint): true
    default: false
    }
  }

  /// Whether it is for addresses.
  package var isAddress: Bool {
    switch self {
    case .mac, .macText: true
    default: false
    }
  }

  /// The names that it gives to numbers; nil if it does not.
  package var namedNumbers: NamedNumbers? { if case .named(let names, _) = self { names } else { nil } }

  /// The whole numbers that fit; nil if the encoding is not for whole numbers.
  ///
  /// An unsigned number of 64 bits, also a varint, is read as a negative one from 2^63 on, and a negative one is written with
  /// the same bits.
  package var range: ClosedRange<Int64>? {
    switch self {
    case .integer(width: 8, _, _), .varint: .min ... .max
    case .integer(let width, signed: true, _): -(1 << (8 * width - 1))...(1 << (8 * width - 1)) - 1
    case .integer(let width, signed: false, _): 0...(1 << (8 * width)) - 1
    case .bcd(let width, _): 0...Self.power(10, 2 * width) - 1
    case .bits(let count): count == 64 ? .min ... .max : 0...Int64(bitPattern: .max >> (64 - UInt64(count)))
    case .dec(let digits, let sign):
      Self.least(
        sign, digits.upperBound)...(digits.upperBound > 18 ? .max : Self.power(10, digits.upperBound) - 1)
    case .hex(let digits, _): digits.upperBound > 15 ? .min ... .max : 0...(1 << (4 * digits.upperBound)) - 1
    case .boolean, .bytes, .text, .hexBytes, .float, .medical, .mac, .macText, .named: nil
    }
  }

  private static func least(_ sign: DecimalSign, _ digits: Int) -> Int64 {
    switch sign {
    case .none: 0
    case .counted: 1 - power(10, digits - 1)
    case .beside: digits > 18 ? .min : 1 - power(10, digits)
    }
  }

  private static func power(_ base: Int64, _ exponent: Int) -> Int64 {
    repeatElement(base, count: exponent).reduce(1, *)
  }
}
