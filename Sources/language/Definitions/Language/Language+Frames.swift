import Framing

extension Language {
  struct Framing: LanguageObject {
    static let outline: Outline<Framing> = Outline(
      "a framing", Self(),
      oneOf: .keys([
        Variant("delimiter", may: ["gap"] + coding), Variant("idle", may: coding),
        Variant("size", may: ["start", "tail", "check", "check-from", "gap"] + coding),
        Variant("length", may: ["start", "tail", "check", "check-from", "gap"] + coding),
        Variant("tail", may: ["start", "check", "check-from", "gap"] + coding),
        Variant("decode", may: ["encode"]), Variant("encode"), Variant("in", may: ["out"]), Variant("out"),
      ])
    ) {
      [
        $0.incoming, $0.outgoing, $0.start, $0.length, $0.size, $0.tail, $0.check, $0.checkStart,
        $0.delimiter, $0.idle, $0.gap, $0.max,
        $0.decode, $0.encode, $0.decodeFrame, $0.encodeFrame,
      ]
    }

    private static let coding = ["decode", "encode", "decode-frame", "encode-frame"]

    /// One direction of it.
    static let directed: ObjectShape = ObjectShape(
      "a framing of one direction", outline.shape.keys.filter { !["in", "out"].contains($0.name) },
      oneOf: .keys(outline.shape.variants!.all.filter { !["in", "out"].contains($0.name) }))

    let incoming = ListKey.optional(
      "in", .oneOrMore(.object(Framing.self) { directed }, atMost: 16),
      "how what arrives becomes frames, where 'out' differs")
    let outgoing = ListKey.optional(
      "out", .oneOrMore(.object(Framing.self) { directed }, atMost: 16),
      "how a central joins what the device sends")
    let start = Key.optional(
      "start", .text(.bytes), "the bytes that every frame begins with; 9* and 80/C0 have bits of any value")
    let length = Key.optional("length", .object(Length.self), "the field that holds the frame's length")
    let size = Key.optional("size", .integer(1...512), "the length of every frame, bytes")
    let tail = Key.optional("tail", .text(.bytes), "the bytes that every frame ends with")
    let check = Key.optional(
      "check", .choice(Checksum.allNames, or: .expression),
      "the checksum before the tail, or at the end; also one of 'checksums', sum8(bytes) + 1, or a condition over 'frame'"
    )
    let checkStart = Key.optional(
      "check-from", .integer(0...511), "the first byte that the checksum covers; 0 by default",
      needs: "check")
    let delimiter = Key.optional(
      "delimiter", .text(.bytes), "the bytes that end a frame and are not part of it")
    let idle = Key.optional("idle", .text(.duration), "the silence that ends a frame")
    let gap = Key.optional(
      "gap", .text(.duration), "the silence after which an unfinished frame is discarded")
    let max = Key.optional("max", .integer(1...4096), "the longest frame, bytes; 512 by default")
    let decode = Key.optional(
      "decode", .text(.expression),
      "the decoded bytes of an incoming 'value', before it is split into frames")
    let encode = Key.optional(
      "encode", .text(.expression), "the encoded bytes that are sent for a 'value'")
    let decodeFrame = Key.optional(
      "decode-frame", .text(.expression), "the decoded bytes of a 'frame', between its start and its end")
    let encodeFrame = Key.optional(
      "encode-frame", .text(.expression),
      "the encoded bytes that are sent for a 'frame', between its start and its end")
  }

  struct Length: LanguageObject {
    static let outline = Outline("a length field", Self()) {
      [$0.at, $0.width, $0.order, $0.counts, $0.adjust]
    }

    let at = Key.required("at", .integer(0...255), "its index in the frame, from 0")
    let width = Key.optional("width", .integer(1...2), "its bytes; 1 by default")
    let order = Key.optional(
      "order", .choice(["big-endian", "little-endian"]), "big-endian by default")
    let counts = Key.required(
      "counts", .choice(LengthField.Counts.allCases.map(\.rawValue)), "what it counts")
    let adjust = Key.optional("adjust", .integer(-255...255), "added to its number; 0 by default")
  }

  struct OwnChecksum: LanguageObject {
    static let outline = Outline("a checksum", Self()) {
      [$0.expression, $0.width, $0.order]
    }

    let expression = Key.required(
      "expression", .text(.expression),
      "its number, from the 'bytes' that it covers; its lowest bytes are sent")
    let width = Key.optional("width", .integer(DefinedChecksum.widths), "its bytes; 1 by default")
    let order = Key.optional(
      "order", .choice(["big-endian", "little-endian"]), "big-endian by default")
  }

  struct Message: LanguageObject {
    static let outline = Outline(
      "a message", Self(),
      oneOf: .keys([Variant("bytes"), Variant("text", may: ["ignore-case"])])
    ) {
      [$0.bytes, $0.text, $0.ignoresCase]
    }

    let bytes = Key.optional("bytes", .text(.message), "hex bytes with fields and checksums")
    let text = Key.optional("text", .text(.textMessage), "text with fields and checksums")
    let ignoresCase = Key.optional(
      "ignore-case", .boolean, "whether letters match in either case; false by default")
  }

  /// A use of a message: its name, or the message itself.
  enum MessageUse {
    case named(Scalar)
    case written(Node<Message>)

    var name: Scalar? { if case .named(let name) = self { name } else { nil } }

    var range: SourceRange {
      switch self {
      case .named(let name): name.range
      case .written(let message): message.range
      }
    }
  }
}

extension Form where Value == Language.MessageUse {
  static var message: Self {
    let written = Form<Node<Language.Message>>.object(Language.Message.self)
    return Self(shape: .eitherText(.identifier, written.shape)) { node in
      Scalar(node).map { .named($0) } ?? written.read(node).map { .written($0) }
    }
  }
}
