extension Language {
  struct Setting: LanguageObject {
    static let outline = Outline("a setting", Self(), oneOf: .words(under: "type", types)) {
      [$0.type, $0.initial, $0.min, $0.max, $0.choices, $0.owner]
    }

    /// The default of a setting whose bytes are drawn.
    static let random = "random"

    static let types = [
      Variant("text", may: ["max", "one-of"]), Variant("integer", may: ["min", "max", "one-of"]),
      Variant("decimal", may: ["min", "max"]), Variant("boolean"), Variant("bytes", may: ["max"]),
    ]

    let type = Key.required(
      "type", .choice(Self.types.map(\.name)), "text, integer, decimal, boolean or bytes")
    let initial = Key.required(
      "default", .text(.value), "its initial value; random: bytes that each run draws")
    let min = Key.optional("min", .number, "the least number")
    let max = Key.optional(
      "max", .number, "the greatest number, or the most bytes that text or bytes may have")
    let choices = ListKey.optional(
      "one-of", .list(.text(.value), atLeast: 1), "the allowed texts or integers",
      excludes: ["min", "max"])
    let owner = Key.optional("per", .choice(["central"]), "each central has a value of its own")
  }

  static let setting = Setting.outline.shape.without(Setting.outline.keys.owner)
  /// A variable has the keys of a setting and an owner.
  static let variable = Setting.outline.shape.named("a variable")

  struct Generator: LanguageObject {
    static let outline = Outline("a generator", Self(), oneOf: .words(under: "shape", shapes)) {
      [$0.shape, $0.min, $0.max, $0.period, $0.from, $0.to, $0.over, $0.step, $0.every, $0.table, $0.column]
    }

    static let shapes = [
      Variant("sine", needs: ["min", "max", "period"]), Variant("ramp", needs: ["from", "to", "over"]),
      Variant("random-walk", needs: ["min", "max", "step", "every"]),
      Variant("random", needs: ["min", "max", "every"]),
      Variant("replay", needs: ["table", "column", "every"]),
    ]

    let shape = Key.required("shape", .choice(Self.shapes.map(\.name)), "how the value changes")
    let min = Key.optional("min", .text(.value), "the least number of sine, random-walk and random")
    let max = Key.optional("max", .text(.value), "the greatest")
    let period = Key.optional("period", .text(.duration), "the period of a sine")
    let from = Key.optional("from", .text(.value), "where a ramp begins")
    let to = Key.optional("to", .text(.value), "where a ramp ends and begins again")
    let over = Key.optional("over", .text(.duration), "how long a ramp takes")
    let step = Key.optional("step", .text(.value), "the largest step of a random walk")
    let every = Key.optional("every", .text(.duration), "the time between two values")
    let table = Key.optional("table", .text(.identifier), "the data table that is replayed")
    let column = Key.optional("column", .text(.identifier), "its column")
  }

  struct Table: LanguageObject {
    static let outline = Outline(
      "a data table", Self(), oneOf: .keys([Variant("file"), Variant("rows")])
    ) {
      [$0.file, $0.rows, $0.columns, $0.key]
    }

    static let types = ["integer", "decimal", "text", "bytes", "boolean"]

    let file = Key.optional(
      "file", .text(.file), "a CSV file next to the definition, its first line the columns' names")
    let rows = ListKey.optional(
      "rows", .list(.row, atMost: 10_000), "the rows themselves, in place of a file")
    let columns = ListKey.required(
      "columns", .map(.identifier, .choice(Self.types), atLeast: 1), "name: type")
    let key = ListKey.optional(
      "key", .list(.text(.identifier), atLeast: 1), "the columns whose values name a row")
  }

  /// A row of a table.
  struct Row {
    var cells: [Scalar]
    var range: SourceRange
  }
}

extension Form where Value == Language.Row {
  static var row: Self {
    let cells = Form<[Scalar]>.list(.text(.value))
    return Self(shape: cells.shape) { node in
      // A cell that is not text has been reported; the row then has too few cells.
      guard let read = cells.read(node), read.count == node.elements.count else { return nil }
      return Language.Row(cells: read, range: node.range)
    }
  }
}
