import Bluetooth
import EventLoop
import Framing
import Peripheral

/// The connection events of a link in memory whose time counts (Core Specification, Vol 6 Part B 4.5.1).
///
/// What either side sends waits for the next event, and a PDU that does not fit into the packets of one event goes on in the next. An
/// answer leaves at the event after that of the question, as on the air, where both sides have only the time between two packets.
@EventLoop
final class ConnectionEvents {
  /// What one side sends, in order.
  private struct Queue {
    private var waiting: [(packets: Int, deliver: () -> Void)] = []

    var count: Int { waiting.count }

    mutating func append(packets: Int, _ deliver: @escaping () -> Void) {
      waiting.append((packets, deliver))
    }

    /// Takes what is complete after this many more packets.
    mutating func take(packets: Int) -> [() -> Void] {
      var (left, whole) = (packets, [() -> Void]())
      while let first = waiting.first, left > 0 {
        if first.packets > left {
          waiting[0].packets -= left
          break
        }
        left -= first.packets
        whole.append(first.deliver)
        waiting.removeFirst()
      }
      return whole
    }
  }

  /// The parameters that a central in memory chooses: those that most phones begin with.
  static let usual = ConnectionParameters(interval: 24, latency: 0, supervisionTimeout: 500)
  /// How many packets each side sends in one event.
  private static let packetsPerEvent = 4
  /// The bytes of a packet, with the data length extension.
  private static let packetSize = 251
  /// The bytes of an L2CAP header.
  private static let headerSize = 4
  /// How many PDUs of the device may wait before it is to send no more.
  private static let room = 8

  private(set) var parameters = ConnectionEvents.usual
  /// Called when the device may send again.
  var onRoom: (() -> Void)?
  /// Called when nothing has arrived for the supervision timeout.
  var onTimeout: (() -> Void)?
  private let scheduler: any Scheduler
  private var path: RadioPath
  private var fromCentral = Queue()
  private var fromDevice = Queue()
  /// The event from which the others are counted.
  private var anchor: Instant
  /// The next event at which something goes.
  private var next: (instant: Instant, timer: AnyObject)?
  private var supervision: AnyObject?
  private var lastNumber: UInt32 = 1

  init(_ scheduler: any Scheduler, _ path: RadioPath) {
    (self.scheduler, self.path) = (scheduler, path)
    anchor = scheduler.now
  }

  /// Whether so much of the device waits that it is to send no more.
  var isFull: Bool { fromDevice.count >= Self.room }

  /// - Parameter bytes: the size of the PDU.
  func sendFromCentral(bytes: Int, _ deliver: @escaping () -> Void) {
    fromCentral.append(packets: Self.packets(of: bytes), deliver)
    plan()
  }

  func sendFromDevice(bytes: Int, _ deliver: @escaping () -> Void) {
    fromDevice.append(packets: Self.packets(of: bytes), deliver)
    plan()
  }

  private static func packets(of bytes: Int) -> Int { (bytes + headerSize + packetSize - 1) / packetSize }

  /// From now on, the events come with these parameters.
  func change(to new: ConnectionParameters) {
    (parameters, anchor) = (new, scheduler.now)
    plan()
    if supervision != nil { supervise() }
  }

  func move(to path: RadioPath) {
    let wasInRange = self.path.isInRange
    self.path = path
    if path.isInRange { supervision = nil } else if wasInRange { supervise() }
    plan()
  }

  /// The link has ended.
  func end() {
    (fromCentral, fromDevice) = (Queue(), Queue())
    (next, supervision, onRoom, onTimeout) = (nil, nil, nil, nil)
  }

  private func supervise() {
    let limit = Duration.milliseconds(10 * Int(parameters.supervisionTimeout))
    supervision = scheduler.schedule(at: scheduler.now.advanced(by: limit)) { [weak self] in
      self?.onTimeout?()
    }
  }
}

// MARK: Events

extension ConnectionEvents {
  /// Waits for the next event at which something goes. A peripheral that has nothing to send leaves out as many events as its latency
  /// allows (Vol 6 Part B 4.5.1), and what the central sends waits for it.
  private func plan() {
    guard path.isInRange, fromCentral.count + fromDevice.count > 0 else { return next = nil }
    let interval = 1250 * Int64(parameters.interval)
    let past = anchor.duration(to: scheduler.now).microseconds / interval
    let step = fromDevice.count > 0 ? 1 : Int64(parameters.latency) + 1
    let instant = anchor.advanced(by: .microseconds((past / step + 1) * step * interval))
    if next?.instant == instant { return }
    next = (instant, scheduler.schedule(at: instant) { [weak self] in self?.perform() })
  }

  private func perform() {
    next = nil
    if !isLost {
      let (wasFull, answers) = (isFull, fromDevice.take(packets: Self.packetsPerEvent))
      for deliver in fromCentral.take(packets: Self.packetsPerEvent) + answers { deliver() }
      if wasFull, !isFull { onRoom?() }
    }
    plan()
  }

  /// Whether the packets of this event are lost, by a series that is the same in each run.
  private var isLost: Bool {
    guard path.loss > 0 else { return false }
    lastNumber = lastNumber &* 48_271 % 0x7FFF_FFFF
    return Int(lastNumber % 100) < path.loss
  }
}
