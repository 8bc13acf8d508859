/// A message of fixed bytes with at most one field of bytes among them, like most messages of serial modules.
///
/// ``TemplateMatcher`` and ``TemplateBuilder`` would do the same, in five times as many instructions.
struct PlainTemplate: Sendable {
  private var before: [UInt8] = []
  /// The possible sizes of the field; nil: there is none.
  private var sizes: ClosedRange<Int>?
  private var after: [UInt8] = []

  /// - Returns: nil if the message has other parts.
  init?(_ program: TemplateProgram) {
    for instruction in program.instructions {
      switch instruction {
      case .literal(let bytes, ignoringCase: false) where sizes == nil: before += bytes
      case .literal(let bytes, ignoringCase: false): after += bytes
      case .field(let slot, .bytes(let sizes, pad: _)):
        guard self.sizes == nil, program.slots[slot].register == nil else { return nil }
        self.sizes = sizes
      default: return nil
      }
    }
  }

  /// Whether a frame is this message.
  func matches(_ frame: [UInt8]) -> Bool {
    let size = frame.count - before.count - after.count
    guard let sizes else { return frame == before }
    return sizes.contains(size) && frame.starts(with: before) && frame.suffix(after.count) == after[...]
  }

  /// The value of the field in a frame that is this message; empty without a field.
  func value(in frame: [UInt8]) -> [UInt8] {
    sizes == nil ? [] : Array(frame[before.count..<frame.count - after.count])
  }

  /// The message with these values of its fields; nil if they do not fit as they are.
  func build(_ values: [Value?]) -> [UInt8]? {
    guard let sizes else { return before }
    guard case .bytes(let value) = values[0], sizes.contains(value.count) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(before.count + value.count + after.count)
    bytes.append(contentsOf: before)
    bytes.append(contentsOf: value)
    bytes.append(contentsOf: after)
    return bytes
  }
}
