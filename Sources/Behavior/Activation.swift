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
  /// Where its event came from.
  let origin: Endpoint?
  var event: EventValues
  private var blocks: [Block]

  init(_ rule: Int, _ steps: [Rule.Step], _ event: EventValues, owner: Owner, origin: Endpoint?) {
    self.rule = rule
    self.owner = owner
    self.origin = origin
    self.event = event
    blocks = [Block(steps: steps)]
  }

  /// The next step; nil at the end.
  ///
  /// - Parameter repetitions: how many times each `repeat` has run.
  mutating func next(counting repetitions: inout [Int64]) -> Rule.Step? {
    while !blocks.isEmpty {
      let last = blocks.count - 1
      if blocks[last].next < blocks[last].steps.count {
        defer { blocks[last].next += 1 }
        return blocks[last].steps[blocks[last].next]
      }
      if let (index, count) = blocks[last].repetition, repetitions[index] + 1 < count {
        repetitions[index] += 1
        blocks[last].next = 0
      } else {
        blocks.removeLast()
      }
    }
    return nil
  }

  /// The places that its remaining steps release.
  var releases: [Endpoint] {
    blocks.flatMap { block in
      block.steps[block.next...].flatMap(\.withInner).compactMap { step in
        if case .release(let endpoint) = step.action { endpoint } else { nil }
      }
    }
  }

  mutating func performs(_ steps: [Rule.Step]) { blocks.append(Block(steps: steps)) }

  mutating func repeats(_ steps: [Rule.Step], index: Int, count: Int64) {
    blocks.append(Block(steps: steps, repetition: (index, count)))
  }
}
