import EventLoop
import Framing
import HCIPackets
import Host
import Kernel

/// Runs a host on a connection to its controller: the thin shell around ``Host``.
@EventLoop
final class HostRunner {
  private(set) var host = Host()
  /// Called with each event, in order.
  var onEvent: (@EventLoop (HostEvent) -> Void)?
  /// Called with each packet to and from the controller, with its type, in order. Keep no slice of it.
  var onPacket: (@EventLoop (HCIDirection, ArraySlice<UInt8>) -> Void)?
  /// Called once when the connection to the controller has ended.
  var onEnd: (@EventLoop (ControllerFinding) -> Void)?
  let connection: ControllerConnection
  /// Does what follows from the changes of a turn of the loop, and sends all packets together.
  private var turnEnd: EventLoop.TurnEnd?
  private var alarm: EventLoop.Timer?
  /// When ``alarm`` fires; nil: it is not set.
  private var alarmTime: Instant?
  /// The events that are being told; empty otherwise, and kept for its memory.
  private var news: [HostEvent] = []
  /// These wait for ``Host/isSettled``.
  private var settling: [Promise<Void>] = []
  /// How long they wait at most.
  private static let patience = Duration.seconds(1)
  /// So many bytes do not wait for the end of the turn, so that the controller works meanwhile.
  private static let portion = 512

  init(_ connection: ControllerConnection) {
    self.connection = connection
    turnEnd = EventLoop.TurnEnd { [weak self] in self?.work() }
    alarm = EventLoop.Timer { [weak self] in self?.turnEnd?.schedule() }
  }

  /// Begins to start the controller.
  func start() {
    connection.onEnd = { [weak self] in self?.end($0) }
    connection.onPacket = { [weak self] in self?.take($0) }
    turnEnd?.schedule()
  }

  /// Changes the host. What follows from that comes at the end of this turn of the loop.
  func change(_ body: (inout Host) -> Void) {
    body(&host)
    if host.packets.bytes.count >= Self.portion { send() }
    turnEnd?.schedule()
  }

  /// Asks the host something. A read of ``host`` copies it.
  func ask<Answer>(_ body: (inout Host) -> Answer) -> Answer { body(&host) }

  private func work() {
    var deadline: Instant?
    repeat { deadline = host.advance(to: Self.now) } while tell()
    send()
    setAlarm(for: deadline)
    noteSettled()
  }

  /// Ends the connection to the controller, which gets the last packets.
  func close() {
    send()
    turnEnd = nil
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

  private func take(_ packet: ArraySlice<UInt8>) {
    onPacket?(.toHost, packet)
    host.receive(packet, at: Self.now)
    tell()
    turnEnd?.schedule()
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
    guard !host.packets.isEmpty, connection.isOpen else { return }
    if let onPacket { for packet in host.packets { onPacket(.toController, packet) } }
    connection.send(host.packets.bytes.span)
    host.sentPackets()
  }

  private func setAlarm(for deadline: Instant?) {
    guard deadline != alarmTime else { return }
    alarmTime = deadline
    if let alarmTime { alarm?.fire(at: alarmTime.microseconds) } else { alarm?.cancel() }
  }

  private func end(_ finding: ControllerFinding) {
    alarm = nil
    onEnd?(finding)
  }
}
