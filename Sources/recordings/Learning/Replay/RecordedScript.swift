import Bluetooth
import Framing

/// What a device did after a request, up to the next one.
struct RecordedScript: Hashable, Sendable {
  struct Cue: Hashable, Sendable {
    /// Milliseconds since the request.
    var time: Int64
    /// Of the characteristic's value.
    var handle: AttributeHandle
    var value: AnswerForm
  }

  /// That it follows; empty: it follows none.
  var request: [UInt8] = []
  var cues: [Cue] = []
  /// How the device ended the link, and when in milliseconds since the request.
  var end: (time: Int64, reason: HCIError)?
  /// How it refused the request.
  var refusal: ATTError?
  /// Where the request led in the recorded history.
  var place = 0
  /// Milliseconds from the request to the next one, or to the end of the conversation.
  var duration: Int64 = 0

  static func == (left: Self, right: Self) -> Bool {
    left.cues == right.cues && left.end?.time == right.end?.time && left.end?.reason == right.end?.reason
      && left.refusal == right.refusal
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(cues)
    hasher.combine(refusal)
  }

  /// Whether the other one begins like this one, which the next request or the end of the connection has cut.
  func isStart(of other: Self) -> Bool {
    guard refusal == other.refusal, end == nil || isLike(other), cues.count <= other.cues.count,
      cues.elementsEqual(other.cues.prefix(cues.count), by: Self.areAlike)
    else { return false }
    let next =
      cues.count < other.cues.count ? other.cues[cues.count].time : end == nil ? other.end?.time : nil
    return next.map { duration <= $0 + Self.lateness } ?? true
  }

  /// The cue with which it goes on after the last one: it still went on when the next request, or the end of the connection, cut
  /// it; nil: it was over.
  var again: Int? { end == nil ? SteadyValues(cues).start(upTo: duration) : nil }

  /// The times of the values, with at least a gap before each. None is later for it than it has to be: the next request would
  /// cut it.
  func times(apart gap: Int64) -> [Int64] {
    var times = cues.map(\.time)
    for index in times.indices.dropLast().reversed() {
      times[index] = min(times[index], times[index + 1] - gap)
    }
    for index in times.indices { times[index] = max(times[index], (index == 0 ? 0 : times[index - 1]) + gap) }
    return times
  }

  /// Milliseconds by which a link may delay a value.
  private static let lateness: Int64 = 50

  private static func areAlike(_ left: Cue, _ right: Cue) -> Bool {
    left.handle == right.handle && left.value == right.value
  }

  /// Whether the other does the same, at whatever times.
  func isLike(_ other: Self) -> Bool {
    cues.elementsEqual(other.cues, by: Self.areAlike) && end?.reason == other.end?.reason
      && refusal == other.refusal
  }
}

/// Collects what the device did after each request, for all conversations.
///
/// A value belongs to the last request before it, also one that comes before the Write Response. A read causes nothing, and so do
/// the end of a subscription and the writing of another descriptor.
struct RecordedScripts {
  private let table: ObservedTable
  private let explained: Set<AttributeHandle>
  /// In the order of their first occurrence.
  private(set) var triggers: [RecordedTrigger] = []
  /// By conversation, in order.
  private(set) var occurrences: [RecordedTrigger: [[RecordedScript]]] = [:]
  private let count: Int

  private let history: RecordedHistory
  private var forms: RequestForms { history.forms }

  init(
    _ conversations: [Conversation], _ table: ObservedTable, _ history: RecordedHistory,
    except explained: Set<AttributeHandle>
  ) {
    (self.table, self.history, self.explained) = (table, history, explained)
    count = conversations.count
    for (index, conversation) in conversations.enumerated() { add(conversation, index) }
    for handle in triggers.compactMap(\.handle).distinct { findEchoes(of: handle) }
  }

  private mutating func begin(_ request: RecordedTrigger, at place: Int, in conversation: Int) {
    let trigger = forms.canonical(request)
    if occurrences[trigger] == nil {
      triggers.append(trigger)
      occurrences[trigger] = Array(repeating: [], count: count)
    }
    let bytes: [UInt8] = if case .write(let bytes, _) = request { bytes } else { [] }
    occurrences[trigger]?[conversation].append(RecordedScript(request: bytes, place: place))
  }

  private mutating func change(
    _ request: RecordedTrigger, in conversation: Int, _ change: (inout RecordedScript) -> Void
  ) {
    let trigger = forms.canonical(request)
    guard let last = occurrences[trigger]?[conversation].indices.last else { return }
    change(&occurrences[trigger]![conversation][last])
  }

  private mutating func add(_ conversation: Conversation, _ index: Int) {
    guard var start = conversation.start ?? conversation.exchanges.first?.time else { return }
    var current = RecordedTrigger.connect
    begin(current, at: RecordedHistory.beginning, in: index)
    var subscribed: Set<AttributeHandle> = []
    for earlier in conversation.earlierSubscriptions(in: table) {
      subscribed.insert(earlier.handle)
      guard !explained.contains(earlier.handle) else { continue }
      current = .subscribe(earlier.handle)
      begin(current, at: history.place(afterEarlier: earlier.handle, in: index), in: index)
    }
    for (number, exchange) in conversation.exchanges.enumerated() {
      let time = max(0, start.milliseconds(to: exchange.time))
      if case .value(let value, _) = exchange.kind, !explained.contains(exchange.handle),
        table.sendsValues(exchange.handle)
      {
        change(current, in: index) {
          let form = AnswerForm(value)
          $0.cues.append(RecordedScript.Cue(time: time, handle: exchange.handle, value: form))
        }
      }
      guard let trigger = trigger(of: exchange, &subscribed) else { continue }
      if case .write(_, _, .refused(let error)) = exchange.kind {
        begin(trigger, at: history.place(after: number, in: index), in: index)
        change(trigger, in: index) { $0.refusal = error }
      } else {
        change(current, in: index) { $0.duration = time }
        begin(trigger, at: history.place(after: number, in: index), in: index)
        (current, start) = (trigger, exchange.time)
      }
    }
    let end = conversation.end
    if let last = end?.time ?? conversation.exchanges.last?.time {
      let time = max(0, start.milliseconds(to: last))
      change(current, in: index) { $0.duration = time }
      if let end, end.by == .peripheral {
        change(current, in: index) { $0.end = (time, end.reason ?? .remoteUserTerminated) }
      }
    }
  }

  /// nil: it causes nothing, or rules of a model deal with it.
  private func trigger(of exchange: Exchange, _ subscribed: inout Set<AttributeHandle>) -> RecordedTrigger? {
    guard let trigger = RecordedTrigger(exchange, table, &subscribed),
      trigger.handle.map(explained.contains) != true
    else { return nil }
    return trigger
  }
}

// MARK: Answers that repeat bytes of their request

extension RecordedScripts {
  /// How many values after a request may repeat bytes of it.
  private static let furthestEcho = 8

  /// Values that may be of one kind: those after requests to one characteristic, from one characteristic, of one size; with one
  /// first byte, or at one place after their request.
  private struct Shape: Hashable {
    var handle: AttributeHandle
    var size: Int
    var first: UInt8?
    var number: Int?

    static func all(of cue: RecordedScript.Cue, _ number: Int) -> [Shape] {
      let size = cue.value.recorded.count
      return [
        Shape(handle: cue.handle, size: size, first: cue.value.recorded.first),
        Shape(handle: cue.handle, size: size, number: number),
      ]
    }
  }

  private mutating func findEchoes(of handle: AttributeHandle) {
    let sources = triggers.filter { $0.handle == handle }.reduce(into: Set<Int>()) {
      $0.formUnion(forms.free(of: $1).values)
    }
    guard !sources.isEmpty else { return }
    var pairs: [Shape: [FramePair]] = [:]
    for trigger in triggers where trigger.handle == handle {
      for script in occurrences[trigger]!.joined() where !script.request.isEmpty {
        for (number, cue) in script.cues.prefix(Self.furthestEcho).enumerated() {
          for shape in Shape.all(of: cue, number) {
            pairs[shape, default: []].append(.init(request: script.request, answer: cue.value.recorded))
          }
        }
      }
    }
    let echoes = pairs.mapValues { Echo.all(in: $0, from: sources.sorted()) }
    // What all other answers repeat, one that was recorded once repeats, too.
    let known = echoes.values.filter { !$0.isEmpty }
    let common = (known.first ?? []).filter { echo in known.allSatisfy { $0.contains(echo) } }
    for trigger in triggers where trigger.handle == handle {
      let free = forms.free(of: trigger).values
      for index in occurrences[trigger]!.indices {
        for script in occurrences[trigger]![index].indices {
          occurrences[trigger]![index][script].mark(
            echoes: { cue, number in
              let shapes = Shape.all(of: cue, number)
              let isAlone = shapes.contains { pairs[$0]?.distinct.count == 1 }
              let found = shapes.lazy.compactMap { echoes[$0] }.first { !$0.isEmpty }
              return (found ?? (isAlone ? common : [])).filter { free.contains($0.source) }
            }, atMost: Self.furthestEcho, forms.answerChecks)
        }
      }
    }
  }
}

extension RecordedScript {
  fileprivate mutating func mark(
    echoes: (Cue, Int) -> [Echo], atMost count: Int, _ checks: [AttributeHandle: CheckField]
  ) {
    for number in cues.indices.prefix(count) {
      let found = echoes(cues[number], number)
      cues[number].value.mark(found, for: request, checks[cues[number].handle])
    }
  }
}

extension ObservedTable {
  /// Whether a definition can send a value from there. Some devices send from characteristics without the property.
  fileprivate func sendsValues(_ handle: AttributeHandle) -> Bool {
    characteristic(of: handle).map { $0.valueHandle == handle && $0.sendsValues } ?? false
  }
}
