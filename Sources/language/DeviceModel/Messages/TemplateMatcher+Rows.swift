/// The repeated parts that a matcher is in: the rows of each so far, and where it begins. They are copied with each choice.
struct OpenGroups {
  private var rows = SIMD4<Int32>()
  private var starts = SIMD4<Int32>()
  private var count = 0

  mutating func begin(at position: Int) {
    (rows[count], starts[count]) = (0, Int32(position))
    count += 1
  }

  mutating func end() { count -= 1 }

  /// The rows of the innermost.
  var row: Int {
    get { Int(rows[count - 1]) }
    set { rows[count - 1] = Int32(newValue) }
  }

  /// Where the innermost begins.
  var start: Int { Int(starts[count - 1]) }
}

extension TemplateMatcher {
  /// Passes on the values of the fields that were found, in their order.
  func forEachValue(
    of message: MessageTemplate, in frame: Span<UInt8>, _ take: (_ field: Int, Value) -> Void
  ) {
    var rows = CapturedRows()
    for capture in captures {
      switch capture {
      case .field(let slot, let place):
        guard let value = message.program.encodings[slot]?.decode(frame.extracting(place)) else { continue }
        rows.add(value, for: slot, of: message, take)
      case .number(let slot, let number):
        guard let value = message.program.encodings[slot]?.value(of: number) else { continue }
        rows.add(value, for: slot, of: message, take)
      case .group(let slot): rows.begin(slot, of: message, take)
      case .row(let slot): rows.addRow(of: slot, of: message, take)
      case .checksum: break
      }
    }
    rows.close(downTo: nil, of: message, take)
  }
}

/// Puts captured values into rows, and rows into those around them.
private struct CapturedRows {
  /// The groups that are not complete, the innermost last.
  private var open: [(slot: Int, rows: [[Value?]])] = []

  mutating func begin(_ slot: Int, of message: MessageTemplate, _ take: (_ field: Int, Value) -> Void) {
    close(downTo: message.program.slots[slot].group, of: message, take)
    open.append((slot, []))
  }

  mutating func addRow(of slot: Int, of message: MessageTemplate, _ take: (_ field: Int, Value) -> Void) {
    close(downTo: slot, of: message, take)
    let row = [Value?](repeating: nil, count: message.program.slots[slot].columnCount)
    open[open.count - 1].rows.append(row)
  }

  /// Adds a value to the last row of its group, or passes on that of a field.
  mutating func add(
    _ value: Value, for slot: Int, of message: MessageTemplate, _ take: (_ field: Int, Value) -> Void
  ) {
    let place = message.program.slots[slot]
    if !open.isEmpty { close(downTo: place.group, of: message, take) }
    put(value, at: place, take)
  }

  private mutating func put(
    _ value: Value, at place: TemplateProgram.Slot, _ take: (_ field: Int, Value) -> Void
  ) {
    guard place.group != nil else { return take(place.field, value) }
    let last = open.count - 1
    open[last].rows[open[last].rows.count - 1][place.column] = value
  }

  /// Completes the groups inside another; nil: all groups.
  mutating func close(
    downTo group: Int?, of message: MessageTemplate, _ take: (_ field: Int, Value) -> Void
  ) {
    while let last = open.last, last.slot != group {
      open.removeLast()
      put(.group(last.rows), at: message.program.slots[last.slot], take)
    }
  }
}
