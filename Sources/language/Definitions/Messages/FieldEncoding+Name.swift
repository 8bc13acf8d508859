import DeviceModel

extension FieldEncoding {
  /// The encoding with a name such as `u16le` or `bytes(15)`.
  init(_ text: String) throws(TextError) {
    let range = 0..<text.unicodeScalars.count
    let word = text.prefix { $0 != "(" }.trimmed
    guard Self.names.contains(word) else {
      throw TextError(.unknownType(word, known: Self.names), 0..<word.unicodeScalars.count)
    }
    let form = Form(named: word)
    if let named = try Self.named(text, word, form) {
      self = named
      return
    }
    guard let call = TemplateCall(text), let encoding = try form.encoding(call.arguments, range) else {
      throw TextError(.wrongTypeArguments(form, of: word), range)
    }
    self = encoding
  }

  static let names =
    integers.keys.sorted() + decimals.keys.sorted()
    + ["bcd", "bytes", "dec", "hex", "hexbytes", "mac", "macle", "text", "varint"]

  /// The encoding of a number in binary: `u16le`, `f32le`, `sfloat`, `varint`.
  static func number(named name: String) -> FieldEncoding? {
    integers[name] ?? decimals[name] ?? (name == "varint" ? .varint(signed: false) : nil)
  }

  /// The name of the encoding of a number in binary; nil: it is another encoding.
  package var numberName: String? {
    if self == .varint(signed: false) { return "varint" }
    return (Self.integers.first { $0.value == self } ?? Self.decimals.first { $0.value == self })?.key
  }

  fileprivate static let decimals: [String: FieldEncoding] = [
    "f32le": .float(width: 4, bigEndian: false), "f32be": .float(width: 4, bigEndian: true),
    "f64le": .float(width: 8, bigEndian: false), "f64be": .float(width: 8, bigEndian: true),
    "sfloat": .medical(.short), "float": .medical(.long),
  ]

  /// `u8(on: 1, off: 0)`; nil if it has no names.
  private static func named(_ text: String, _ word: String, _ form: Form) throws(TextError) -> FieldEncoding?
  {
    let rest = text.drop { $0 != "(" }.trimmed
    guard let encoding = form.wholeNumber, let range = encoding.range, rest.hasSuffix(")") else { return nil }
    let start = text.prefix { $0 != "(" }.unicodeScalars.count + 1
    let names = try NamedNumberReader.read(rest.dropFirst().dropLast(), start: start, in: range, of: word)
    return names.map { .named($0, encoding) }
  }

  fileprivate static let integers: [String: FieldEncoding] = {
    var integers: [String: FieldEncoding] = [:]
    for signed in [false, true] {
      let letter = signed ? "i" : "u"
      integers[letter + "8"] = .integer(width: 1, signed: signed, bigEndian: false)
      for width in [2, 3, 4, 6, 8] {
        integers[letter + "\(8 * width)le"] = .integer(width: width, signed: signed, bigEndian: false)
        integers[letter + "\(8 * width)be"] = .integer(width: width, signed: signed, bigEndian: true)
      }
    }
    return integers
  }()
}

extension FieldEncoding {
  /// Field types whose parentheses have the same syntax.
  enum Form {
    case integer(FieldEncoding)
    case varint
    case bcd, dec, hex
    case bytes(isText: Bool)
    case hexBytes
    case float(FieldEncoding)
    case medical(MedicalFloat)
    case mac(isReversed: Bool)

    init(named word: String) {
      switch word {
      case "varint": self = .varint
      case "bcd": self = .bcd
      case "dec": self = .dec
      case "hex": self = .hex
      case "hexbytes": self = .hexBytes
      case "bytes", "text": self = .bytes(isText: word == "text")
      case "mac", "macle": self = .mac(isReversed: word == "macle")
      default: self.init(numbersNamed: word)
      }
    }

    private init(numbersNamed word: String) {
      switch FieldEncoding.decimals[word] {
      case .medical(let float)?: self = .medical(float)
      case let encoding?: self = .float(encoding)
      case nil: self = .integer(FieldEncoding.integers[word]!)
      }
    }

    /// The encoding without arguments, if its numbers can have names.
    var wholeNumber: FieldEncoding? {
      switch self {
      case .integer(let encoding): encoding
      case .varint: .varint(signed: false)
      default: nil
      }
    }

    /// nil if the arguments do not fit.
    func encoding(_ arguments: [String], _ range: Range<Int>) throws(TextError) -> FieldEncoding? {
      switch self {
      case .integer(let encoding), .float(let encoding): return arguments.isEmpty ? encoding : nil
      case .varint:
        return arguments.isEmpty || arguments == ["signed"] ? .varint(signed: !arguments.isEmpty) : nil
      case .medical(let float):
        guard let exponent = arguments.first else { return .medical(float) }
        guard arguments.count == 1, let exponent = IntegerText.parse(exponent) else { return nil }
        return float.with(exponent: exponent).map { .medical($0) }
      case .mac(let isReversed):
        if arguments.isEmpty { return .mac(isReversed: isReversed) }
        let isLower = arguments == ["colons", "lower"]
        guard isLower || arguments == ["colons"] else { return nil }
        return .macText(isReversed: isReversed, isLower: isLower)
      case .bcd: return bcd(arguments)
      case .dec: return try dec(arguments, range)
      case .hex:
        return try counted(arguments, 1...16, "lower", range).map { .hex(digits: $0 ?? 1...16, isLower: $1) }
      case .hexBytes:
        let most = MessageTemplate.maximumSize / 2
        return try counted(arguments, 0...most, "lower", range).map { .hexBytes($0 ?? 0...most, isLower: $1) }
      case .bytes(let isText):
        guard let (counts, pad) = try filled(arguments, range) else { return nil }
        return isText ? .text(counts, pad: pad) : .bytes(counts, pad: pad)
      }
    }
  }
}

extension FieldEncoding.Form {
  fileprivate func bcd(_ arguments: [String]) -> FieldEncoding? {
    let width = arguments.first.map(TemplateNumber.parse) ?? 1
    guard let width, (1...4).contains(width), arguments.count <= 2,
      arguments.count < 2 || arguments[1] == "le"
    else { return nil }
    return .bcd(width: width, bigEndian: arguments.count < 2)
  }

  fileprivate func dec(_ arguments: [String], _ range: Range<Int>) throws(TextError) -> FieldEncoding? {
    guard let (digits, isUnsigned) = try counted(arguments, 1...18, "unsigned", range) else { return nil }
    let isExact = !(arguments.first?.contains(".") ?? true)
    return .dec(digits: digits ?? 1...19, isUnsigned ? .none : isExact ? .counted : .beside)
  }

  /// `()`, `(4)`, `(0..4)`, optionally followed by a word.
  fileprivate func counted(
    _ arguments: [String], _ limits: ClosedRange<Int>, _ word: String?, _ range: Range<Int>
  ) throws(TextError) -> (ClosedRange<Int>?, Bool)? {
    var arguments = arguments
    let hasWord = word != nil && arguments.last == word
    if hasWord { arguments.removeLast() }
    guard let first = arguments.first else { return (nil, hasWord) }
    guard arguments.count == 1, let counts = try TemplateNumber.bounds(first, range), counts.upperBound > 0,
      limits.contains(counts.lowerBound), limits.contains(counts.upperBound)
    else { return nil }
    return (counts, hasWord)
  }

  /// `(15)`, `(15, FF)` or `(0..15)`: the number of bytes and the fill byte, in hex.
  fileprivate func filled(
    _ arguments: [String], _ range: Range<Int>
  ) throws(TextError) -> (ClosedRange<Int>, UInt8)? {
    let limits = 0...MessageTemplate.maximumSize
    guard arguments.count == 2 else {
      return try counted(arguments, limits, nil, range).map { ($0.0 ?? limits, 0) }
    }
    guard let count = TemplateNumber.parse(arguments[0]), limits.contains(count), count > 0,
      let pad = HexLiteral.byte(arguments[1])
    else { return nil }
    return (count...count, pad)
  }
}
