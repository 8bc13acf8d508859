import DeviceModel

/// A rule that is running or waiting.
struct Activation: Sendable {
  /// The central whose disconnection ends it.
  enum Owner: Hashable, Sendable {
    case device
    /// nil: the transport could not identify the central.
    case central(Central?)
  }

  /// A list of steps and the index of the next one.
  private struct Block: Sendable {
    var steps: [Rule.Step]
    var next = 0
    /// Of a `repeat`.
    var repetition: (index: Int, count: Int64)?
  }

  let rule: Int
  let owner: Owner
  /// The central whose event has caused it, also through a timer or a state: it gets the values that are for the asker.
  let asker: Central?
  /// Where its event came from.
  let origin: Endpoint?
  /// The request whose response it places; nil: there is none.
  var request: Int?
  /// Whether it has left the states in which it lasts, and ends with its next wait.
  var isOver = false
  /// The values of its event while it waits; while it runs, the engine's context has them.
  var event = EventValues()
  /// The innermost list of steps, and those around it.
  private var block: Block
  private var outer: [Block] = []

  init(_ rule: Int, _ steps: [Rule.Step], owner: Owner, asker: Central?, origin: Endpoint?) {
    self.rule = rule
    (self.owner, self.asker, self.origin) = (owner, asker, origin)
    block = Block(steps: steps)
  }

  /// The next step; nil at the end.
  ///
  /// - Parameter repetitions: how many times each `repeat` has run.
  mutating func next(counting repetitions: inout [Int64]) -> Rule.Step? {
    while true {
      if block.next < block.steps.count {
        defer { block.next += 1 }
        return block.steps[block.next]
      }
      if let (index, count) = block.repetition, repetitions[index] + 1 < count {
        repetitions[index] += 1
        block.next = 0
      } else {
        guard let outer = outer.popLast() else { return nil }
        block = outer
      }
    }
  }

  /// The places that its remaining steps release.
  var releases: [Endpoint] {
    (outer + [block]).flatMap { block in
      block.steps[block.next...].flatMap(\.withInner).compactMap { step in
        if case .release(let endpoint) = step.action { endpoint } else { nil }
      }
    }
  }

  mutating func performs(_ steps: [Rule.Step]) { begin(Block(steps: steps)) }

  mutating func repeats(_ steps: [Rule.Step], index: Int, count: Int64) {
    begin(Block(steps: steps, repetition: (index, count)))
  }

  private mutating func begin(_ inner: Block) {
    outer.append(block)
    block = inner
  }
}
