import TestSupport
import Testing

@testable import Definitions
@testable import DeviceModel

/// Field types of decimal numbers.
@Suite struct DecimalTypeTests {
  /// The medical ones with the examples of IEEE 11073-20601 and of the Health Thermometer Service.
  @Test(
    arguments: [
      ("f32le", 1.5, "00 00 C0 3F"), ("f32be", 1.5, "3F C0 00 00"), ("f32be", 36.6, "42 12 66 66"),
      ("f32le", -0.0, "00 00 00 80"), ("f64le", 1, "00 00 00 00 00 00 F0 3F"),
      ("f32be", .infinity, "7F 80 00 00"), ("f32be", .nan, "7F C0 00 00"),
      ("f32be", 1e-45, "00 00 00 01"), ("f64be", 36.6, "40 42 4C CC CC CC CC CD"),
      ("float", 36.6, "6E 01 00 FF"), ("float(-1)", 36.6, "6E 01 00 FF"), ("float(-1)", 37, "72 01 00 FF"),
      ("float", 37, "25 00 00 00"), ("float(-2)", 36.6, "4C 0E 00 FE"), ("float", 0, "00 00 00 00"),
      ("float", -0.5, "FB FF FF FF"), ("float", 8_388_605, "FD FF 7F 00"), ("float", 100, "64 00 00 00"),
      ("sfloat", 11.4, "72 F0"), ("sfloat(-1)", 0, "00 F0"), ("sfloat", 120, "78 00"),
      ("sfloat", 0.00545, "21 B2"), ("sfloat(-5)", 0.00545, "21 B2"), ("sfloat", -2045, "03 08"),
      ("sfloat", 20_450, "FD 17"), ("sfloat", 1e9, "E8 63"), ("sfloat", 1e-8, "01 80"),
      ("sfloat", .nan, "FF 07"), ("sfloat", .notAtThisResolution, "00 08"), ("sfloat", .infinity, "FE 07"),
      ("sfloat", -.infinity, "02 08"), ("sfloat(-1)", .nan, "FF 07"), ("float", .nan, "FF FF 7F 00"),
      ("float", .notAtThisResolution, "00 00 80 00"), ("float", .infinity, "FE FF 7F 00"),
      ("float(-1)", -.infinity, "02 00 80 00"),
    ] as [(String, Double, String)])
  func `numbers, both ways`(name: String, number: Double, bytes: String) throws {
    try FieldEncodingTests.expect(name, .decimal(number), hex(bytes))
  }

  @Test(
    arguments: [
      ("float(-1)", 36.65, "6F 01 00 FF"), ("float(-1)", 36.64, "6E 01 00 FF"), ("sfloat(0)", 0.4, "00 00"),
      ("sfloat(-1)", -36.65, "91 FE"), ("sfloat", 1234.5, "D3 04"), ("sfloat", 0.123456, "D3 C4"),
      ("sfloat", 1e-30, "00 00"), ("f32be", 0.1, "3D CC CC CD"),
    ] as [(String, Double, String)])
  func `digits beyond the mantissa are rounded`(name: String, number: Double, bytes: String) throws {
    #expect(try FieldEncodingTests.encode(name, .decimal(number)) == hex(bytes))
  }

  @Test(
    arguments: [
      ("sfloat", 2.1e10, -2.045e10...2.045e10), ("sfloat(-1)", 300, -204.5...204.5),
      ("f32le", 1e39, -3.4028234663852886e38...3.4028234663852886e38),
      ("float(0)", -8_388_606, -8_388_605...8_388_605),
    ] as [(String, Double, ClosedRange<Double>)])
  func `a number that does not fit is refused`(name: String, number: Double, bounds: ClosedRange<Double>) {
    #expect(throws: EncodingError.outOfBounds(number, bounds)) {
      try FieldEncodingTests.encode(name, .decimal(number))
    }
  }

  /// Another exponent would be written for them; 0x0801 is reserved.
  @Test(
    arguments: [
      ("sfloat", "01 10"), ("sfloat", "74 E4"), ("sfloat", "01 08"), ("sfloat", "00 10"), ("sfloat", "FF 17"),
      ("sfloat(-1)", "78 00"), ("sfloat(-1)", "01 08"), ("float(-1)", "25 00 00 00"),
      ("float", "72 01 00 FF"), ("float", "01 00 80 00"), ("f32le", "00 00 00"),
    ])
  func `another representation is not read`(name: String, bytes: String) throws {
    #expect(try FieldEncoding(name).decode(hex(bytes)[...]) == nil)
  }

  @Test(
    arguments: Sample.part(
      ["sfloat", "sfloat(-1)"], of: ["sfloat", "sfloat(-1)", "sfloat(0)", "sfloat(7)", "sfloat(-8)"]))
  func `what is read of all 65,536 is written again`(name: String) throws {
    let encoding = try FieldEncoding(name)
    var readCount = 0
    for bits in UInt16.min ... .max {
      let bytes = [UInt8(truncatingIfNeeded: bits), UInt8(bits >> 8)]
      guard let value = encoding.decode(bytes[...]) else { continue }
      readCount += 1
      var written: [UInt8] = []
      try encoding.encode(value, into: &written)
      if written != bytes { Issue.record("\(bytes) is written as \(written)") }
    }
    // The mantissas with the one exponent, and the four that are no numbers.
    if name.contains("(") { #expect(readCount == 4091 + 4) } else { #expect(readCount > 30_000) }
  }

  @Test(arguments: ["f32le", "f64be", "float", "float(-3)"])
  func `what is read of random bytes is written again`(name: String) throws {
    let encoding = try FieldEncoding(name)
    var random = SplitMix64(seed: 5)
    let exponents: [UInt8] = [0, 0xFF, 0xFE, 0xFD, 1, 0x7F, 0x80]
    var readCount = 0
    for index in 0..<20_000 {
      var bytes = random.bytes(encoding.size!)
      if index % 2 == 0 { bytes[bytes.count - 1] = exponents[index / 2 % exponents.count] }
      guard let value = encoding.decode(bytes[...]) else { continue }
      readCount += 1
      var written: [UInt8] = []
      try encoding.encode(value, into: &written)
      if written != bytes { Issue.record("\(bytes) is written as \(written)") }
    }
    #expect(readCount > 1000)
  }

  @Test(
    arguments: [
      ("sfloat(8)", "from -8 to 7"), ("float(128)", "from -128 to 127"), ("sfloat(x)", "from -8 to 7"),
      ("f32le(1)", "no arguments"), ("sfloat()", "from -8 to 7"), ("f32", "unknown field type 'f32'"),
    ])
  func `what is no such type`(name: String, words: String) {
    #expect(mistake(in: "{t: \(name)}")?.contains(words) ?? false)
  }

  @Test(
    arguments: [
      ("f32le(1.5)", .bytes([0, 0, 0xC0, 0x3F])), ("f32be(2)", .bytes([0x40, 0, 0, 0])),
      ("sfloat(36.6)", .bytes([0x6E, 0xF1])), ("float(nres)", .bytes([0, 0, 0x80, 0])),
      ("sfloat(level)", .bytes([80, 0])), ("sfloat(bytes('00 6E F1'), 1)", .decimal(36.6)),
      ("f32be(bytes('42 12 66 66'), 0)", .decimal(36.6)), ("nan == nan", .boolean(true)),
      ("nan == nres", .boolean(false)),
      ("nres != nan", .boolean(true)), ("-infinity < 0", .boolean(true)),
      ("text(infinity)", .text("infinity")),
      ("text(-infinity)", .text("-infinity")), ("text(nres)", .text("nres")), ("1.5 == nan", .boolean(false)),
    ] as [(String, Value)])
  func `expressions write them, and name what is no number`(text: String, value: Value) throws {
    #expect(try ExpressionTests.value(of: text) == value)
  }

  @Test func `a name of the definition hides that of a value`() throws {
    var scope = NameScope()
    scope.addSetting("nan", index: 0, type: .text)
    #expect(try ExpressionChecker.check("nan", in: scope).type == .text)
  }
}
