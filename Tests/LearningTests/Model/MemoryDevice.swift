import Behavior
import Bluetooth
import DeviceModel
import Framing
import Learning
import TestSupport

/// A learnt device in memory, at a time that the test sets.
struct MemoryDevice {
  private let device: PeripheralDefinition
  private var engine: Engine
  private var now = Instant()
  private var timers: [TimerIdentifier: Instant] = [:]
  private var sent: [String] = []
  private static let central = DeviceAddress("4C:32:75:0A:11:9E")!

  init(_ definition: LearntDefinition) throws {
    let device = try loaded(definition)
    self.device = device
    engine = try Engine(
      device, settings: device.settings.map(\.initial), address: DeviceAddress("50:8C:B1:6A:7C:AB")!)
    handle(.started)
    handle(.connected(Self.central))
  }

  mutating func subscribe(to id: String = "FFE1") -> [String] {
    handle(.subscribed(Self.central, characteristic: index(of: id)))
  }
  mutating func connect() -> [String] { handle(.connected(Self.central)) }
  mutating func disconnect() -> [String] { handle(.disconnected(Self.central)) }

  /// Writes a value; returns what the device sends at once, as hex.
  mutating func write(_ hex: String, to id: String = "FFE1") -> [String] {
    let bytes = hex.split(separator: " ").map { UInt8($0, radix: 16)! }
    let place = AttributeReference.characteristic(index(of: id))
    return handle(.writeRequested(Self.central, place, value: bytes, offset: 0, .command))
  }

  /// Reads; returns the value as hex, or the error.
  mutating func read(_ id: String = "FFE1") -> String {
    let request = Event.readRequested(Self.central, .characteristic(index(of: id)), offset: 0)
    switch engine.handle(request, at: now).response {
    case .value(let bytes): return HexText.format(bytes)
    case .refused(let error, _): return error.name
    default: return "no response"
    }
  }

  /// What the device answers to a write of the Client Characteristic Configuration.
  mutating func configure(_ id: String = "FFE1") -> String {
    let request = Event.configuring(
      Self.central, characteristic: index(of: id), value: [1, 0], from: nil, to: .notification)
    return engine.handle(request, at: now).response?.error?.name ?? "accepted"
  }

  /// The same, with what the device sends soon after it: the time stays as it is.
  mutating func ask(_ hex: String, to id: String = "FFE1") -> [String] {
    let start = now
    let sent = write(hex, to: id)
    let late = wait(Self.latest).map { String($0.drop { $0 != " " }.dropFirst()) }
    now = start
    return sent + late
  }

  /// Until when after a write an answer may come, milliseconds.
  private static let latest: Int64 = 60

  private func index(of id: String) -> Int { device.characteristics.firstIndex { $0.id == id } ?? 0 }

  /// Lets time pass; returns what the device sends, with the milliseconds since then.
  mutating func wait(_ milliseconds: Int64) -> [String] {
    let (start, end) = (now, now.advanced(by: .milliseconds(milliseconds)))
    var all: [String] = []
    while let next = timers.min(by: { $0.value < $1.value }), next.value <= end {
      now = next.value
      timers[next.key] = nil
      all += handle(.timerFired(next.key)).map { "\(start.milliseconds(to: now)) \($0)" }
    }
    now = end
    return all
  }

  @discardableResult private mutating func handle(_ event: Event) -> [String] {
    sent = []
    let outcome = engine.handle(event, at: now)
    if case .refused(let error, _) = outcome.response { sent.append("refused: \(error.name)") }
    for action in outcome.actions {
      switch action {
      case .notify(_, let bytes, _, _): sent.append(HexText.format(bytes))
      case .startTimer(let timer, let time): timers[timer] = time
      case .stopTimer(let timer): timers[timer] = nil
      case .remark(.ruleFailed(_, _, let reason)): sent.append("failed: \(reason)")
      default: break
      }
    }
    return sent
  }
}
