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

/// Puts captured values into rows, and rows into those around them.
struct CapturedRows {
  let slots: [TemplateProgram.Slot]
  /// The groups that are not complete, the innermost last.
  private var open: [(slot: Int, rows: [[Value?]])] = []

  init(slots: [TemplateProgram.Slot]) { self.slots = slots }

  mutating func open(_ slot: Int) { open.append((slot, [])) }

  mutating func addRow() {
    let last = open.count - 1
    open[last].rows.append(Array(repeating: nil, count: slots[open[last].slot].columnCount))
  }

  /// Adds a value to the last row of its group, or passes on that of a field.
  mutating func add(_ value: Value, for slot: Int, _ take: (_ field: Int, Value) -> Void) {
    let place = slots[slot]
    guard place.group != nil else { return take(place.field, value) }
    let last = open.count - 1
    open[last].rows[open[last].rows.count - 1][place.column] = value
  }

  /// Completes the groups inside another; nil: all groups.
  mutating func close(downTo group: Int?, _ take: (_ field: Int, Value) -> Void) {
    while let last = open.last, last.slot != group {
      open.removeLast()
      add(.group(last.rows), for: last.slot, take)
    }
  }
}
