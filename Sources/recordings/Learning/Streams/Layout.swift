import Framing

/// Where frames end and which checksum they have.
struct Layout {
  /// nil: each value is a frame.
  var rule: FramingRule?
  var check: FoundChecksum?
  var claims: [Claim] = []

  /// A claim about a stream, without its place.
  struct Claim: Hashable {
    var text: String
    var agreeing: Int
    var cases: Int
    /// The field that it is about, with the index of its message; nil: the whole stream.
    var field: Field?

    struct Field: Hashable {
      var name: String
      var message: Int
    }

    init(_ text: String, _ agreeing: Int, of cases: Int) {
      (self.text, self.agreeing, self.cases) = (text, agreeing, cases)
    }
  }
}

extension Layout {
  /// The simplest explanation of values.
  init(of values: [ValueStream.Item]) {
    let sample = Array(values.prefix(Self.sampleSize))
    if let check = ChecksumSearch(sample.map(\.bytes)).find() {
      // The xor of several frames with their xor is right as well.
      if check.field.checksum.algorithm == .xor, let formats = PacketSearch(sample).find(),
        formats[0].check != nil
      {
        self.init(formats, values)
      } else {
        self.init(rule: nil, check: check)
      }
    } else if let delimiter = TextLines(sample).delimiter {
      self.init(rule: FramingRule(.delimited(Delimiter(delimiter))))
      claims = [Claim("frames end with \(HexText.format(delimiter))", 1, of: 1)]
    } else {
      self = Layout(packetsIn: values) ?? Bursts(sample).layout ?? Layout()
    }
  }

  /// nil: each value may well be a frame.
  init?(packetsIn values: [ValueStream.Item]) {
    guard let formats = PacketSearch(Array(values.prefix(Self.sampleSize))).find() else { return nil }
    self.init(formats, values)
  }

  /// Values that are looked at to find a layout; all of them are then cut by it.
  static let sampleSize = 600

  init(_ formats: [FoundFormat], _ values: [ValueStream.Item]) {
    let longest =
      FrameCut(values, by: FramingRule(formats, maxLength: Self.longestFrame)).frames.map(\.bytes.count).max()
      ?? 0
    rule = FramingRule(formats, maxLength: Self.limit(for: longest))
    check = formats.first?.check
  }

  /// The greatest `max` of a framing.
  static let longestFrame = 4096

  /// The default where it suffices, else the next power of two.
  static func limit(for length: Int) -> Int {
    var limit = FramingRule.defaultMaxLength
    while limit < length { limit *= 2 }
    return limit
  }
}

/// A packet format that values agree with.
struct FoundFormat {
  var format: PacketFormat
  var check: FoundChecksum?
}

extension FramingRule {
  init(_ formats: [FoundFormat], maxLength: Int) {
    let formats = formats.map(\.format)
    let shape: Shape =
      if formats.count == 1, let only = formats.first { .packet(only) } else { .alternatives(formats) }
    self.init(shape, maxLength: maxLength)
  }
}

/// Values of text, and whether lines of it do not end where values end.
struct TextLines {
  private let values: [ValueStream.Item]

  init(_ values: [ValueStream.Item]) { self.values = values.filter { !$0.bytes.isEmpty } }

  /// What ends a line; nil: the values are no text, or each of them is a line.
  var delimiter: [UInt8]? {
    let runs = JoinedValues(values).runs
    guard isText else { return nil }
    let closing = Self.delimiters.first { delimiter in
      runs.count { $0.bytes.suffix(delimiter.count).elementsEqual(delimiter) } * 10 >= runs.count * 9
    }
    guard let best = closing else { return nil }
    let lines = FrameCut(values, by: FramingRule(.delimited(Delimiter(best)), maxLength: 4096)).frames.count
    let ending = values.count { $0.bytes.suffix(best.count).elementsEqual(best) }
    return lines < 2 || lines == values.count && ending == values.count ? nil : best
  }

  private var isText: Bool {
    values.count > 2 && values.allSatisfy { $0.bytes.allSatisfy(\.isOfText) }
  }

  private static let delimiters: [[UInt8]] = [
    [0x0D, 0x0A], [UInt8(ascii: ">")], [0x0A], [0x0D], [UInt8(ascii: ";")], [UInt8(ascii: "#")],
  ]
}
