import Bluetooth
import Framing

/// What a device did after a request, up to the next one.
struct RecordedScript: Hashable, Sendable {
  struct Cue: Hashable, Sendable {
    /// Milliseconds since the request.
    var time: Int64
    /// Of the characteristic's value.
    var handle: AttributeHandle
    var value: [UInt8]
  }

  var cues: [Cue] = []
  /// How the device ended the link, and when in milliseconds since the request.
  var end: (time: Int64, reason: HCIError)?
  /// How it refused the request.
  var refusal: ATTError?

  static func == (left: Self, right: Self) -> Bool {
    left.cues == right.cues && left.end?.time == right.end?.time && left.end?.reason == right.end?.reason
      && left.refusal == right.refusal
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(cues)
    hasher.combine(refusal)
  }

  /// Whether the other does the same, at whatever times.
  func isLike(_ other: Self) -> Bool {
    cues.elementsEqual(other.cues) { $0.handle == $1.handle && $0.value == $1.value }
      && end?.reason == other.end?.reason && refusal == other.refusal
  }
}

/// What makes a device act.
enum RecordedTrigger: Hashable, Sendable {
  case connect
  /// To the characteristic whose value has this handle.
  case subscribe(AttributeHandle)
  case write([UInt8], AttributeHandle)
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

  init(_ conversations: [Conversation], _ table: ObservedTable, except explained: Set<AttributeHandle>) {
    (self.table, self.explained, count) = (table, explained, conversations.count)
    for (index, conversation) in conversations.enumerated() { add(conversation, index) }
  }

  private mutating func begin(_ trigger: RecordedTrigger, in conversation: Int) {
    if occurrences[trigger] == nil {
      triggers.append(trigger)
      occurrences[trigger] = Array(repeating: [], count: count)
    }
    occurrences[trigger]?[conversation].append(RecordedScript())
  }

  private mutating func change(
    _ trigger: RecordedTrigger, in conversation: Int, _ change: (inout RecordedScript) -> Void
  ) {
    guard let last = occurrences[trigger]?[conversation].indices.last else { return }
    change(&occurrences[trigger]![conversation][last])
  }

  private mutating func add(_ conversation: Conversation, _ index: Int) {
    guard var start = conversation.start ?? conversation.exchanges.first?.time else { return }
    var current = RecordedTrigger.connect
    begin(current, in: index)
    var subscribed: Set<AttributeHandle> = []
    for earlier in conversation.earlierSubscriptions(in: table) {
      subscribed.insert(earlier.handle)
      guard !explained.contains(earlier.handle) else { continue }
      current = .subscribe(earlier.handle)
      begin(current, in: index)
    }
    for exchange in conversation.exchanges {
      if case .value(let value, _) = exchange.kind, !explained.contains(exchange.handle),
        table.sendsValues(exchange.handle)
      {
        let cue = RecordedScript.Cue(
          time: max(0, start.milliseconds(to: exchange.time)), handle: exchange.handle, value: value)
        change(current, in: index) { $0.cues.append(cue) }
      }
      guard let trigger = trigger(of: exchange, &subscribed) else { continue }
      begin(trigger, in: index)
      if case .write(_, _, .refused(let error)) = exchange.kind {
        change(trigger, in: index) { $0.refusal = error }
      } else {
        (current, start) = (trigger, exchange.time)
      }
    }
    if let end = conversation.end, end.by == .peripheral {
      let time = max(0, start.milliseconds(to: end.time))
      change(current, in: index) { $0.end = (time, end.reason ?? .remoteUserTerminated) }
    }
  }

  /// nil: it causes nothing, or rules of a model deal with it.
  private func trigger(of exchange: Exchange, _ subscribed: inout Set<AttributeHandle>) -> RecordedTrigger? {
    guard case .write(let value, _, let outcome) = exchange.kind,
      let characteristic = table.characteristic(of: exchange.handle),
      let valueHandle = characteristic.valueHandle
    else { return nil }
    guard exchange.handle != valueHandle else {
      return explained.contains(valueHandle) ? nil : .write(value, valueHandle)
    }
    guard table.descriptor(at: exchange.handle)?.uuid == 0x2902, characteristic.sendsValues else {
      return nil
    }
    if case .refused = outcome { return nil }
    guard value.contains(where: { $0 != 0 }) else {
      subscribed.remove(valueHandle)
      return nil
    }
    guard subscribed.insert(valueHandle).inserted, !explained.contains(valueHandle) else { return nil }
    return .subscribe(valueHandle)
  }
}

extension ObservedTable {
  /// Whether a definition can send a value from there. Some devices send from characteristics without the property.
  fileprivate func sendsValues(_ handle: AttributeHandle) -> Bool {
    characteristic(of: handle).map { $0.valueHandle == handle && $0.sendsValues } ?? false
  }
}

extension ObservedTable.Characteristic {
  /// Whether a central can subscribe to it.
  fileprivate var sendsValues: Bool { !(properties ?? []).isDisjoint(with: [.notify, .indicate]) }
}
