import DeviceModel
import Framing

/// How bytes represent a whole number that is not negative.
enum NumberForm: Hashable, Sendable {
  case integer(Int, ByteOrder)
  /// So many bytes of digits.
  case digits(Digits, Int)

  enum Digits: Hashable, Sendable {
    /// Two decimal digits in each byte.
    case bcd
    /// Characters, with zeros before them.
    case decimal
    case hexadecimal(isLower: Bool)
  }

  /// Those of requests.
  static let sources: [Self] =
    [.integer(1, .littleEndian)]
    + [2, 4].flatMap { [.integer($0, .littleEndian), .integer($0, .bigEndian)] }
    + [1, 2].map { .digits(.bcd, $0) } + [1, 2, 3].map { .digits(.decimal, $0) }
    + [2, 4].map { .digits(.hexadecimal(isLower: false), $0) }

  /// Bytes.
  var width: Int {
    switch self {
    case .integer(let width, _), .digits(_, let width): width
    }
  }

  /// The least number that does not fit.
  var limit: Int64 {
    switch self {
    case .integer(let width, _): 1 << (8 * Int64(width))
    case .digits(.bcd, let width): repeatElement(100, count: width).reduce(1, *)
    case .digits(.decimal, let width): repeatElement(10, count: width).reduce(1, *)
    case .digits(.hexadecimal, let width): 1 << (4 * Int64(width))
    }
  }

  /// See ``Conversion/cost``.
  var cost: Int { if case .integer(1, _) = self { 0 } else { 2 } }

  /// As in `bytes 4 to 5 as decimal digits`.
  var words: String {
    switch self {
    case .integer(1, _): ""
    case .integer(_, let order): " (\(order.rawValue))"
    case .digits(.bcd, _): " as BCD"
    case .digits(.decimal, _): " as decimal digits"
    case .digits(.hexadecimal, _): " as hexadecimal digits"
    }
  }

  /// The type of a field that has the number.
  var type: FieldType {
    switch self {
    case .integer(let width, let order): .integer(width: width, order, isSigned: false)
    case .digits(let digits, let width): .digits(digits, width)
    }
  }

  /// nil: the bytes are no such number.
  func number(in bytes: ArraySlice<UInt8>) -> Int64? {
    switch self {
    case .integer(_, let order): order.number(bytes)
    case .digits(.bcd, _):
      bytes.reduce(Int64?(0)) { number, byte in
        guard let number, byte >> 4 < 10, byte & 15 < 10 else { return nil }
        return number * 100 + Int64(byte >> 4) * 10 + Int64(byte & 15)
      }
    case .digits(.decimal, _): Self.number(bytes, base: 10)
    case .digits(.hexadecimal, _): Self.number(bytes, base: 16)
    }
  }

  private static func number(_ digits: ArraySlice<UInt8>, base: Int64) -> Int64? {
    digits.reduce(Int64?(0)) { number, digit in
      guard let number, let value = digit.hexDigitValue, value < base else { return nil }
      return number * base + value
    }
  }

  /// nil: the number does not fit.
  func bytes(of number: Int64) -> [UInt8]? {
    guard 0..<limit ~= number else { return nil }
    switch self {
    case .integer(let width, let order): return order.bytes(of: UInt64(number), width: width)
    case .digits(let digits, let width):
      let base: Int64 =
        switch digits {
        case .bcd: 100;
        case .decimal: 10;
        case .hexadecimal: 16
        }
      var (bytes, rest) = ([UInt8](), number)
      for _ in 0..<width {
        let digit = UInt8(rest % base)
        switch digits {
        case .bcd: bytes.append(digit / 10 << 4 | digit % 10)
        case .decimal: bytes.append(0x30 + digit)
        case .hexadecimal(let isLower):
          bytes.append(digit < 10 ? 0x30 + digit : (isLower ? 0x57 : 0x37) + digit)
        }
        rest /= base
      }
      return bytes.reversed()
    }
  }

  /// The number in the received frame from an index on.
  func expression(at offset: Int) -> Expression {
    let part = Expression.call(.slice, [.known(.frame), .number(offset), .number(width)])
    switch self {
    case .integer(let width, let order):
      return .decoded(.integer(width, order, isSigned: false), of: .known(.frame), at: .number(offset))
    case .digits(.bcd, _): return .call(.number, [.call(.hex, [part])])
    case .digits(.decimal, _): return .call(.number, [.call(.text, [part])])
    case .digits(.hexadecimal, let width):
      let bytes = Expression.call(.bytes, [.call(.text, [part])])
      return .decoded(.integer(width / 2, .bigEndian, isSigned: false), of: bytes, at: .number(0))
    }
  }
}

extension UInt8 {
  /// The value of the character as a hexadecimal digit in either case.
  fileprivate var hexDigitValue: Int64? {
    switch self {
    case 0x30...0x39: Int64(self) - 0x30
    case 0x41...0x46: Int64(self) - 0x37
    case 0x61...0x66: Int64(self) - 0x57
    default: nil
    }
  }
}
