import Framing
import TestSupport
import Testing

@testable import Definitions
@testable import DeviceModel

/// Templates that nobody has written: whatever the checker takes is read and built again, byte for byte.
@Suite struct RandomTemplateTests {
  @Test(arguments: Sample.part([1, 2], of: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64]))
  func `what is built is read, and built again`(seed: UInt64) throws {
    var (random, taken, built) = (SplitMix64(seed: seed), 0, 0)
    for _ in 0..<400 {
      let source = random.template()
      guard let message = try? message(source) else { continue }
      taken += 1
      for _ in 0..<20 {
        guard let frame = try? message.build(message.randomValues(using: &random)) else { continue }
        built += 1
        #expect((message.minimumSize...message.maximumSize).contains(frame.count), "\(source)")
        let values = message.match(frame)
        #expect(values != nil, "'\(source)' does not read \(HexText.format(frame))")
        if let values { #expect(try message.build(values) == frame, "\(source)") }
      }
    }
    #expect(taken > 100)
    #expect(built > 1000)
  }
}

extension SplitMix64 {
  fileprivate mutating func template() -> String {
    var writer = TemplateWriter(random: self)
    defer { self = writer.random }
    let head = writer.chance(3) ? "{size: u8} " : writer.chance(2) ? "A5 " : ""
    let tail = writer.chance(2) ? writer.one(of: [" {xor8}", " {sum16}", " {crc16-modbus-le}", " 0D"]) : ""
    return head + writer.block(depth: 0) + tail
  }
}

/// Writes the parts of a template, with fields of new names.
private struct TemplateWriter {
  var random: SplitMix64
  private var count = 0
  /// The integers so far that an `{if}` may ask, by block.
  private var numbers: [String] = []

  init(random: SplitMix64) { self.random = random }

  mutating func chance(_ one: UInt64) -> Bool { random.next() % one == 0 }

  mutating func one<T>(of choices: [T]) -> T { choices.randomElement(using: &random)! }

  private mutating func name() -> String {
    count += 1
    return "f\(count)"
  }

  mutating func block(depth: Int) -> String {
    let outer = numbers
    defer { numbers = outer }
    return (0..<1 + random.next() % 4).map { _ in part(depth) }.joined(separator: " ")
  }

  private mutating func part(_ depth: Int) -> String {
    switch random.next() % 13 {
    case 12:
      let (body, fields) = (name(), protobuf(depth: 1))
      return one(of: ["{size(\(body)): varint}", "{size(\(body)): u16le}"]) + "{\(body): \(fields)}"
    case 0: return one(of: ["01", "2C 00", "FF", "0D 0A"])
    case 1:
      guard depth < 4 else { return "00" }
      let (rows, inner) = (name(), block(depth: depth + 1))
      let repeated = "{repeat \(rows)\(one(of: ["", "(2)", "(0..3)", "(1..4)"]))}\(inner){end}"
      return one(of: ["", "{count(\(rows)): u8}", "{size(\(rows)): u16le}", "{size(\(rows)): varint}"])
        + repeated
    // With a field: one without is read, and not built.
    case 2 where depth < 4: return "{maybe}\(field())\(block(depth: depth + 1)){end}"
    case 3 where depth < 4 && !numbers.isEmpty:
      return "{if \(one(of: numbers))}\(block(depth: depth + 1)){end}"
    case 4:
      let (data, type) = (name(), one(of: ["bytes", "text"]))
      return one(of: ["{size(\(data)): u8}", "{size(\(data)) + 1: u16be}", "{size(\(data)): varint}", ""])
        + "{\(data): \(type)}"
    case 5 where chance(2): return bits()
    case 5: return "{bits(\(name()): 3, \(one(of: ["0", name()])): 1, \(name())(a: 1, b: 2): 4)}"
    default: return field()
    }
  }

  /// Fields of any width, in up to 64 bytes.
  private mutating func bits() -> String {
    var widths = (0..<1 + random.next() % 8).map { _ in 1 + random.next() % 63 }
    widths.append(8 - widths.reduce(0, +) % 8)
    let fields = widths.map { "\(chance(5) ? "0" : name()): \($0)" }
    return "{\(one(of: ["bits", "bitsle"]))(\(fields.joined(separator: ", ")))}"
  }

  private mutating func protobuf(depth: Int) -> String {
    let fields = (1...1 + random.next() % 4).map { number in
      let inner = depth < 3 && chance(4) ? protobuf(depth: depth + 1) : nil
      let label = inner == nil ? one(of: ["", "", "optional ", "repeated "]) : one(of: ["", "repeated "])
      return "\(3 * number) \(name()): \(label)\(inner ?? one(of: Self.protobufTypes))"
    }
    return "protobuf(\(fields.joined(separator: ", ")))"
  }

  private static let protobufTypes = [
    "varint", "varint(signed)", "bool", "text", "bytes", "u32le", "i64le", "f32le", "f64le",
    "varint(a: 0, b: 7)", "mac",
    "text(1..3)", "bytes(2)",
  ]

  private mutating func field() -> String {
    let (name, type) = (name(), one(of: Self.types))
    if type.hasPrefix("u") || type == "varint" { numbers.append(name) }
    return "{\(name): \(type)}"
  }

  private static let types = [
    "u8", "u8", "i8", "u16le", "i24be", "u32be", "u64le", "i64be", "f32le", "f64be", "sfloat", "sfloat(-2)",
    "float", "u8(on: 0x23, off: 0x24)", "mac", "macle", "bcd(2)", "bytes(2)", "bytes(0..3)", "text(4)",
    "text(1..3)", "text(4, 20)", "varint", "varint(signed)", "varint(a: 0, b: 200)",
  ]
}
