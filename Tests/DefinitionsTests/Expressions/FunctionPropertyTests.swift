import Bluetooth
import Cryptography
import Framing
import TestSupport
import Testing

@testable import Definitions
@testable import DeviceModel

/// What holds for every function, whatever its arguments are.
@Suite struct FunctionPropertyTests {
  /// Settings with the values of a list, by their types.
  private struct Pool {
    private(set) var names: [String] = []
    private(set) var scope = NameScope()
    private(set) var values: [Value] = []

    init(_ values: [Value]) {
      for value in values { add(value) }
    }

    private mutating func add(_ value: Value) {
      let name = "v\(Character(Unicode.Scalar(UInt8(97 + values.count % 26))))\(values.count)"
      scope.addSetting(name, index: values.count, type: value.type)
      names.append(name)
      values.append(value)
    }
  }

  private static let extremes: [Value] =
    [Int64.min, .min + 1, -1, 0, 1, 4, 8, 16, 32, 63, 0x7D, 255, 256, 65_535, 65_536, 65_537, .max - 1, .max]
    .map {
      .integer($0)
    }
    + [0, -0.5, .nan, .infinity, -.infinity, .greatestFiniteMagnitude].map { .decimal($0) }
    + ["", "a", "größe", "\u{301}e\u{301}", "00 FF", "-17", "👩‍👩‍👧‍👦", String(repeating: "ß", count: 32_768)].map {
      .text($0)
    }
    + [0, 1, 7, 13, 16, 17, 24, 32, 65_535, 65_536].map { .bytes(Array(repeating: 0xDB, count: $0)) }
    + [.bytes([0xDB, 0xDC, 0x7D, 0x5E]), .bytes([0xC3]), .boolean(true), .boolean(false)]

  private static let functions =
    Expression.Function.allCases.map(\.rawValue)
    + Expression.CryptographicFunction.allCases.map(\.rawValue) + ["random-bytes"]
    + ["xor8", "negative-sum16", "crc16-x-25", "crc32", "fletcher32", "adler32"]
    + ["u8", "u16le", "i24be", "i64le", "u64be", "if"]

  @Test(arguments: functions)
  func `a function of any values has a value of its type, or says why not`(name: String) throws {
    let pool = Pool(Self.extremes)
    var source = SplitMix64(seed: 7)
    var evaluated = 0
    for _ in 0..<800 where evaluated < Sample.rounds(of: 800, atMost: 30) {
      let arguments = (0..<Int.random(in: 1...4, using: &source)).map { _ in
        pool.names.randomElement(using: &source)!
      }
      let text = "\(name)(\(arguments.joined(separator: ", ")))"
      guard let typed = try? ExpressionChecker.check(text, in: pool.scope) else { continue }
      evaluated += 1
      let context = EvaluationContext(settings: pool.values)
      guard let value = try? typed.expression.evaluate(in: context) else { continue }
      #expect(value.type == typed.type, "\(text)")
      #expect(Self.size(of: value) <= Value.largestSize, "\(text)")
    }
    #expect(evaluated > 0 || Self.isRare(name))
  }

  /// Whether a list of arguments of certain types is unlikely.
  private static func isRare(_ name: String) -> Bool {
    name == "time" || name == "patch" || Expression.CryptographicFunction(rawValue: name) != nil
      || name == "escape"
  }

  private static func size(of value: Value) -> Int {
    switch value {
    case .text(let text): text.utf8.count
    case .bytes(let bytes): bytes.count
    default: 0
    }
  }

  @Test func `what is escaped can be unescaped`() throws {
    var source = SplitMix64(seed: 1)
    for _ in 0..<500 {
      let bytes = source.bytes(Int.random(in: 0...40, using: &source)).map {
        $0 & 1 == 0 ? $0 : 0xC0 | $0 & 0x1F
      }
      #expect(try SLIP.unescaped(SLIP.escaped(bytes)) == bytes)
      #expect(!SLIP.escaped(bytes).contains(0xC0))
      let stuffing = ByteStuffing(escape: source.bytes(1)[0], mask: source.bytes(1)[0])
      #expect(try stuffing.unescaped(stuffing.escaped(bytes, Array(bytes.prefix(3)))) == bytes)
    }
  }

  @Test func `base64 of any bytes is read as these bytes, with or without its padding`() throws {
    var source = SplitMix64(seed: 2)
    for count in 0..<200 {
      let bytes = source.bytes(count)
      let text = bytes.base64
      #expect(text.utf8.count == (count + 2) / 3 * 4)
      #expect(try Base64.decode(Array(text.utf8)) == bytes)
      #expect(try Base64.decode(text.utf8.filter { $0 != UInt8(ascii: "=") }) == bytes)
    }
  }

  @Test func `finds what a plain search finds`() {
    var source = SplitMix64(seed: 3)
    for _ in 0..<800 {
      let bytes = source.bytes(Int.random(in: 0...12, using: &source)).map { $0 & 1 }
      let pattern = source.bytes(Int.random(in: 1...4, using: &source)).map { $0 & 1 }
      let start = Int.random(in: 0...bytes.count, using: &source)
      let plain = (start...bytes.count).first { bytes[$0...].starts(with: pattern) }
      #expect(ByteSearch(pattern).first(in: bytes, from: start) == plain)
    }
  }

  /// Any bytes are read from, changed and put together as an array does it.
  @Test func `patch and slice are what they are for an array`() throws {
    var source = SplitMix64(seed: 5)
    for _ in 0..<1000 {
      let (bytes, new) = (
        source.bytes(Int.random(in: 0...6, using: &source)),
        source.bytes(Int.random(in: 0...6, using: &source))
      )
      let index = Int.random(in: -8...8, using: &source)
      var expected = bytes
      for (offset, byte) in new.enumerated() where expected.indices.contains(index + offset) {
        expected[index + offset] = byte
      }
      let patched = try Expression.call(
        .patch, [.constant(.bytes(bytes)), .constant(.integer(Int64(index))), .constant(.bytes(new))]
      )
      .evaluate(in: EvaluationContext())
      #expect(patched == .bytes(expected))
    }
  }
}
