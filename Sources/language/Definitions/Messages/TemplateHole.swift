import DeviceModel

/// The meaning of a hole of a template.
enum TemplateHole {
  enum Block {
    case maybe
    case conditional(on: String)
    case repeated(String, rows: ClosedRange<Int>)

    var isRepeat: Bool {
      if case .repeated = self { true } else { false }
    }
  }

  case part(TemplateNode.Kind)
  case begin(Block)
  case end

  static func read(_ reader: HoleReader) throws(TextError) -> TemplateHole {
    reader.hole.encoding == nil ? try reader.untyped() : .part(try reader.typed())
  }
}

extension TemplateText.Hole {
  var encodingRange: Range<Int> { encodingStart..<encodingStart + (encoding ?? "").unicodeScalars.count }

  /// The encoding after the colon.
  func fieldEncoding() throws(TextError) -> FieldEncoding {
    do {
      return try FieldEncoding(encoding ?? "")
    } catch {
      throw error.shifted(by: encodingStart)
    }
  }
}
