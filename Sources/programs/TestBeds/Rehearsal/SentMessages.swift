import DeviceModel
import Framing

/// The messages that the rules of a device send, and which of their fields they compute. The other fields come from what was recorded.
struct SentMessages {
  /// One way to fill a message.
  private struct Form: Hashable {
    /// The fields that a rule computes: echoes, counters, settings.
    var computed: Set<Int> = []
    /// Those of them that tell the time, with their units per second.
    var clocks: [Int: Double] = [:]
    /// Those of them that count.
    var counters: Set<Int> = []

    /// - Parameters:
    ///   - sources: with the indices of the fields.
    ///   - counting: the settings and variables that count.
    init(
      of sources: [(field: Int, source: Rule.FieldSource)], in definition: PeripheralDefinition,
      _ counting: Set<Rule.Slot>
    ) {
      for (field, source) in sources {
        guard case .value(let expression) = source, !expression.isRecorded, !expression.hasChecksum else {
          continue
        }
        computed.insert(field)
        if !counting.isDisjoint(with: expression.slots) { counters.insert(field) }
        if expression.reads([.uptime, .unixTime]) {
          clocks[field] = expression.unitsPerSecond(in: definition.initialContext)
        }
      }
    }
  }

  private let forms: [(message: MessageTemplate, forms: Set<Form>)]
  /// By message: how far the counters were apart when it was sent last, by field.
  private var distances: [Int: [Int64?]] = [:]

  init(of definition: PeripheralDefinition) {
    let steps = definition.rules.flatMap(\.allSteps)
    let counting = Set(steps.flatMap(\.countingSlots))
    var uses: [Int: [[Rule.FieldSource]]] = [:]
    for step in steps {
      switch step.action {
      case .send(.message(let message, let sources), _), .respond(.message(let message, let sources)?):
        uses[message, default: []].append(sources)
      default: break
      }
    }
    let recognizable = Set(definition.recognizableMessages.map(ObjectIdentifier.init))
    let sent = uses.sorted { $0.key < $1.key }.map { (message: definition.messages[$0.key], uses: $0.value) }
      .filter { recognizable.contains(ObjectIdentifier($0.message)) }
    forms = sent.map { message, uses in
      let kind = message.kind(among: sent.map(\.message)) ?? message
      let places = message.fields.map { field in kind.fields.firstIndex { $0.name == field.name } }
      let forms = uses.map { sources in
        Form(
          of: zip(places, sources).compactMap { place, source in place.map { ($0, source) } }, in: definition,
          counting)
      }
      return (kind, Set(forms))
    }
  }

  /// Whether two values are the same message, and only recorded fields differ. Two counters that are as far apart as before both count.
  mutating func areAlike(_ recorded: [UInt8], _ got: [UInt8], apart time: Duration) -> Bool {
    for (index, (message, forms)) in forms.enumerated() {
      guard let left = message.parse(recorded), let right = message.parse(got) else { continue }
      let earlier = distances[index]
      distances[index] = zip(left, right).map { $0.distance(to: $1) }
      let isAlike = forms.contains { form in
        form.computed.allSatisfy { field in
          left[field] == right[field]
            || form.clocks[field].map {
              left[field].isNear(right[field], unitsPerSecond: $0, apart: time)
            } == true
            || form.counters.contains(field) && earlier?[field] == left[field].distance(to: right[field])
        }
      }
      if isAlike { return true }
    }
    return false
  }

  /// Two values were the same, or another conversation begins.
  mutating func restart() { distances = [:] }
}

extension Rule.Step {
  /// The settings and variables whose next values depend on their values.
  fileprivate var countingSlots: [Rule.Slot] {
    guard case .set(let assignments) = action else { return [] }
    return assignments.filter { $0.1.slots.contains($0.0) }.map(\.0)
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

  /// nil: one is no number.
  fileprivate func distance(to other: Value) -> Int64? {
    guard case .integer(let left) = self, case .integer(let right) = other else { return nil }
    return right &- left
  }

  /// Whether two readings of a clock agree, when they were taken.
  fileprivate func isNear(_ other: Value, unitsPerSecond: Double, apart time: Duration) -> Bool {
    guard case .integer(let left) = self, case .integer(let right) = other else { return false }
    let seconds = abs(Double(time.microseconds)) / 1e6 + Self.jitter
    return Double((left - right).magnitude) <= 1 + unitsPerSecond * seconds
  }
}
