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

  static func read(_ hole: TemplateText.Hole, isInline: Bool) throws(TextError) -> TemplateHole {
    if hole.encoding != nil { return .part(try HoleReader(hole: hole, isInline: isInline).typed()) }
    return try HoleReader(hole: hole, isInline: isInline).untyped()
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
