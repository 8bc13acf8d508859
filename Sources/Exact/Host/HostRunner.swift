import EventLoop
import Framing
import HCI
import Host

/// Runs a host on a connection to its controller: the thin shell around ``Host``.
@EventLoop
final class HostRunner {
  private(set) var host = Host()
  /// Called with each event, in order.
  var onEvent: (@EventLoop (HostEvent) -> Void)?
  /// Called once when the connection to the controller has ended.
  var onEnd: (@EventLoop (ControllerFinding) -> Void)?
  let connection: ControllerConnection
  private var alarm: EventLoop.Timer?
  /// When ``alarm`` fires; nil: it is not set.
  private var alarmTime: Instant?
  /// Whether the host is at work, so that what it has to send goes at the end.
  private var isBusy = false
  /// The events that are being told; empty otherwise, and kept for its memory.
  private var news: [HostEvent] = []
  /// These wait for ``Host/isSettled``.
  private var settling: [Promise<Void>] = []
  /// How long they wait at most.
  private static let patience = Duration.seconds(1)

  init(_ connection: ControllerConnection) {
    self.connection = connection
    alarm = EventLoop.Timer { [weak self] in self?.change { _ in } }
  }

  /// Begins to start the controller.
  func start() {
    connection.onBatchEnd = { [weak self] in self?.change { _ in } }
    connection.onEnd = { [weak self] in self?.end($0) }
    connection.onPacket = { [weak self] in self?.take($0) }
    change { _ in }
  }

  /// Changes the host, and does what follows from it.
  func change(_ body: (inout Host) -> Void) {
    body(&host)
    guard !isBusy else { return }
    isBusy = true
    repeat { host.advance(to: Self.now) } while tell()
    isBusy = false
    send()
    setAlarm()
    noteSettled()
  }

  /// Ends the connection to the controller.
  func close() {
    alarm = nil
    onEvent = nil
    onEnd = nil
    connection.close()
  }

  /// Returns once the controller has done all that it has to do, or after a while.
  func settle() async {
    guard !host.isSettled, onEvent != nil else { return }
    let promise = Promise<Void>()
    settling.append(promise)
    let limit = EventLoop.after(Self.patience) { promise.fulfil() }
    await promise.value()
    limit.cancel()
  }

  private func noteSettled() {
    guard !settling.isEmpty, host.isSettled else { return }
    let promises = settling
    settling = []
    for promise in promises { promise.fulfil() }
  }

  private static var now: Instant { Instant(microseconds: EventLoop.now) }

  /// Takes one of the packets that have arrived together. The others follow at once.
  private func take(_ packet: ArraySlice<UInt8>) {
    isBusy = true
    host.receive(packet, at: Self.now)
    tell()
    isBusy = false
  }

  /// - Returns: whether there was something to tell.
  @discardableResult
  private func tell() -> Bool {
    host.takeEvents(into: &news)
    guard !news.isEmpty else { return false }
    for event in news { onEvent?(event) }
    news.removeAll(keepingCapacity: true)
    return true
  }

  private func send() {
    guard !host.packets.isEmpty else { return }
    connection.send(host.packets.bytes.span)
    host.sentPackets()
  }

  private func setAlarm() {
    let deadline = host.deadline
    guard deadline != alarmTime else { return }
    alarmTime = deadline
    if let alarmTime { alarm?.fire(at: alarmTime.microseconds) } else { alarm?.cancel() }
  }

  private func end(_ finding: ControllerFinding) {
    alarm = nil
    onEnd?(finding)
  }
}
