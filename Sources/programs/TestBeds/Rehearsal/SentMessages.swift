import DeviceModel
import Framing

/// The messages that the rules of a device send, and which of their fields they compute. The other fields come from what was recorded.
struct SentMessages {
  /// One way to fill a message.
  private struct Form: Hashable {
    /// The fields that a rule computes: echoes, counters, settings.
    var computed: Set<Int> = []
    /// Those that tell the time, with their units per second.
    var clocks: [Int: Double] = [:]
  }

  private var forms: [(message: MessageTemplate, forms: Set<Form>)] = []

  init(of definition: PeripheralDefinition) {
    var forms: [Int: Set<Form>] = [:]
    for step in definition.rules.flatMap(\.allSteps) {
      let content: Rule.Content? =
        switch step.action {
        case .send(let content, _), .respond(let content?): content
        default: nil
        }
      guard case .message(let index, let sources)? = content else { continue }
      forms[index, default: []].insert(Self.form(of: sources, in: definition))
    }
    let recognizable = Set(definition.recognizableMessages.map(ObjectIdentifier.init))
    self.forms = forms.sorted { $0.key < $1.key }.map { (definition.messages[$0.key], $0.value) }
      .filter { recognizable.contains(ObjectIdentifier($0.0)) }
  }

  private static func form(of sources: [Rule.FieldSource], in definition: PeripheralDefinition) -> Form {
    var form = Form()
    for (field, source) in sources.enumerated() {
      guard case .value(let expression) = source, !expression.isRecorded, !expression.hasChecksum else {
        continue
      }
      form.computed.insert(field)
      if expression.reads([.uptime, .unixTime]) {
        form.clocks[field] = expression.unitsPerSecond(in: definition.initialContext)
      }
    }
    return form
  }

  /// Whether two values are the same message, and only recorded fields differ.
  func areAlike(_ recorded: [UInt8], _ got: [UInt8], apart time: Duration) -> Bool {
    forms.contains { message, forms in
      guard let left = message.parse(recorded), let right = message.parse(got) else { return false }
      return forms.contains { form in
        form.computed.allSatisfy { field in
          left[field] == right[field]
            || form.clocks[field].map { left[field].isNear(right[field], unitsPerSecond: $0, apart: time) }
              == true
        }
      }
    }
  }
}

extension Expression {
  /// Whether it is a value of the recording: a constant, or from a table.
  fileprivate var isRecorded: Bool {
    switch self {
    case .constant, .cell, .rows, .groupCell: true
    default: operands.contains { if case .constant = $0 { false } else { $0.isRecorded } }
    }
  }

  /// Whether it follows from other fields of its message.
  fileprivate var hasChecksum: Bool {
    if case .checksum = self { true } else { operands.contains(where: \.hasChecksum) }
  }

  /// How fast a clock counts.
  fileprivate func unitsPerSecond(in context: EvaluationContext) -> Double? {
    let seconds: Int64 = 10
    var later = context
    (later.uptime, later.unixTime) = (context.uptime + 1000 * seconds, context.unixTime + seconds)
    guard case .integer(let first)? = try? evaluate(in: context),
      case .integer(let second)? = try? evaluate(in: later)
    else { return nil }
    return Double(abs(second - first)) / Double(seconds)
  }
}

extension Value {
  /// The jitter of a link, seconds.
  private static let jitter = 0.1

  /// Whether two readings of a clock agree, when they were taken.
  fileprivate func isNear(_ other: Value, unitsPerSecond: Double, apart time: Duration) -> Bool {
    guard case .integer(let left) = self, case .integer(let right) = other else { return false }
    let seconds = abs(Double(time.microseconds)) / 1e6 + Self.jitter
    return Double((left - right).magnitude) <= 1 + unitsPerSecond * seconds
  }
}
