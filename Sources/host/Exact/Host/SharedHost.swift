import Bluetooth
import EventLoop
import Framing
import HCIPackets
import Host
import Kernel
import Peripheral

/// A device or a central at a ``SharedHost``. It owns its links.
@EventLoop
protocol HostSeat: AnyObject {
  /// A link has begun by one of its advertising sets, or as it has wanted.
  ///
  /// - Parameter set: the device's number of the set; nil: the device has wanted the link, or the controller has not named the set.
  /// - Returns: what the link is for it; nil: the link is to end.
  func connected(_ link: HostLink, by set: Int?) -> (any SeatedLink)?

  /// Takes what has become of what it wants of the radio.
  func take(_ event: RadioEvent)

  func heard(_ report: AdvertisingReport)

  /// The controller is being reset because of an error. The ends of the links follow.
  func recovers(from error: TransportError)

  /// The controller has gone, or has failed. Nothing else follows, not even the ends of links.
  func lost(_ error: TransportError)
}

extension HostSeat {
  func recovers(from error: TransportError) {}
}

/// A link of a ``HostSeat``.
@EventLoop
protocol SeatedLink: AnyObject {
  /// Takes what happens to the link after its begin.
  func take(_ event: consuming HostEvent)
}

/// The host on a controller, for all devices of this process that are on it: the shell around ``Host``. It starts with the first device,
/// and ends with the last.
///
/// An advertising set belongs to one device, and so does each link that begins by it.
@EventLoop
final class SharedHost {
  private enum Phase {
    /// These wait for the end of the start: nil, or why there is no controller.
    case starting([Promise<TransportError?>])
    case running
    case over
  }

  private struct Seat {
    weak var occupant: (any HostSeat)?
    /// The address of the device; nil: it has none yet.
    var address: DeviceAddress?
    /// The handles that its sets have in the controller, by their numbers. A set keeps its handle.
    var handles: [UInt8] = []
    var sets: [AdvertisingSet] = []
    /// Those that may connect to its filtered sets.
    var accepted: [AcceptedPeer] = []
  }

  typealias PacketTap = @EventLoop (HCIDirection, ArraySlice<UInt8>) -> Void

  /// Those that have a controller, or are about to have it.
  private static var all: [ControllerSource: SharedHost] = [:]
  /// How long ``settle()`` waits at most.
  private static let patience = Duration.seconds(1)
  /// So many bytes do not wait for the end of the turn, so that the controller works meanwhile.
  private static let portion = 512
  /// Whether packets have been sent since the host's last work.
  private var hasSent = false
  /// The handles of advertising sets (Core Specification, Vol 4 Part E 7.8.53).
  private static let possibleHandles: ClosedRange<UInt8> = 0...0xEF

  private let source: ControllerSource
  /// Gets each packet to and from the controller, with its type.
  private let tap: PacketTap?
  private var phase = Phase.starting([])
  private var host = Host()
  /// nil: there is no controller, or no longer.
  private var connection: ControllerConnection?
  /// Does what follows from the changes of a turn of the loop, and sends all packets together.
  private var turnEnd: EventLoop.TurnEnd?
  private var alarm: EventLoop.Timer?
  /// When ``alarm`` fires; nil: it is not set.
  private var alarmTime: Instant?
  /// These wait for ``Host/isSettled``.
  private var settling: [Promise<Void>] = []
  private var seats: [Seat] = []
  private var links: [(handle: LinkHandle, link: any SeatedLink)] = []

  private init(_ source: ControllerSource, tap: PacketTap? = nil) {
    (self.source, self.tap) = (source, tap)
    EventLoop.start { await self.start() }
  }

  /// Changes the host. What follows from that comes at the end of this turn of the loop.
  func change(_ body: (inout Host) -> Void) {
    guard connection != nil else { return }
    body(&host)
    changed()
  }

  /// Sends a PDU of ATT. The first of a turn leaves at once: a central waits for it.
  func send(_ pdu: [UInt8], on handle: LinkHandle) {
    guard connection != nil else { return }
    host.send(pdu, on: handle)
    changed(isUrgent: !hasSent)
  }

  private func changed(isUrgent: Bool = false) {
    if isUrgent || host.packets.bytes.count >= Self.portion { send() }
    turnEnd?.schedule()
  }

  /// Whether PDUs of a link wait for the controller.
  func isCongested(_ handle: LinkHandle) -> Bool { ask { $0.isCongested(handle) } ?? false }

  /// Asks the host something; nil: it has no controller, or no longer.
  func ask<Answer>(_ body: (inout Host) -> Answer) -> Answer? { connection == nil ? nil : body(&host) }

  /// What the controller can do; nil: there is none, or no longer.
  var abilities: ControllerAbilities? { ask { $0.abilities } ?? nil }
}

// MARK: Coming and leaving

extension SharedHost {
  /// Gives a device a seat at the host of a controller.
  static func join(_ source: ControllerSource, _ seat: any HostSeat) async throws(TransportError)
    -> SharedHost
  {
    let host = all[source] ?? SharedHost(source)
    all[source] = host
    try await host.admit(seat)
    return host
  }

  /// Gives a central a seat at a host of its own. At a TCP port, each connection has a controller of its own.
  ///
  /// - Parameter tap: gets each packet to and from the controller.
  static func joinAlone(
    _ source: ControllerSource, _ seat: any HostSeat, tap: PacketTap?
  ) async throws(TransportError) -> SharedHost {
    let host = SharedHost(source, tap: tap)
    try await host.admit(seat)
    return host
  }

  private func admit(_ seat: any HostSeat) async throws(TransportError) {
    if case .starting(let waiting) = phase {
      let promise = Promise<TransportError?>()
      phase = .starting(waiting + [promise])
      if let error = await promise.value() { throw error }
    }
    seats.append(Seat(occupant: seat))
  }

  /// Drops a link that does not end.
  func drop(_ link: LinkHandle) { links.removeAll { $0.handle == link } }

  private func link(_ handle: LinkHandle) -> (any SeatedLink)? {
    for (other, link) in links where other == handle { return link }
    return nil
  }

  private func index(of seat: any HostSeat) -> Int? { seats.firstIndex { $0.occupant === seat } }

  /// Takes the first of these addresses that no other device at the host has.
  func choose(among addresses: some Sequence<DeviceAddress>, for seat: any HostSeat) -> DeviceAddress? {
    guard let index = index(of: seat) else { return nil }
    seats[index].address = nil
    let address = addresses.first { address in !seats.contains { $0.address == address } }
    seats[index].address = address
    return address
  }

  /// Lets a device leave whose links have ended. Returns once the controller has nothing of it any more.
  func leave(_ seat: any HostSeat) async {
    advertise([], of: seat)
    seats.removeAll { $0.occupant === seat }
    await settle()
    if seats.isEmpty { close() }
  }

  /// Returns once the controller has done all that it has to do, or after a while.
  private func settle() async {
    guard !host.isSettled, connection != nil else { return }
    let promise = Promise<Void>()
    settling.append(promise)
    let limit = EventLoop.after(Self.patience) { promise.fulfil() }
    await promise.value()
    limit.cancel()
  }
}

// MARK: The controller

extension SharedHost {
  private static var now: Instant { Instant(microseconds: EventLoop.now) }

  private func start() async {
    do throws(TransportError) {
      let connection = try await source.connect()
      self.connection = connection
      turnEnd = EventLoop.TurnEnd { [weak self] in self?.work() }
      alarm = EventLoop.Timer { [weak self] in self?.turnEnd?.schedule() }
      connection.onEnd = { [weak self] in self?.end(TransportError($0)) }
      connection.onDisorder = { [weak self] in self?.recover(from: $0) ?? false }
      connection.onPacket = { [weak self] in self?.take($0) }
      turnEnd?.schedule()
    } catch { end(error) }
  }

  private func take(_ packet: ArraySlice<UInt8>) {
    tap?(.toHost, packet)
    host.receive(packet, at: Self.now)
    tell()
    turnEnd?.schedule()
  }

  private func work() {
    var deadline: Instant?
    repeat { deadline = host.advance(to: Self.now) } while tell()
    send()
    hasSent = false
    setAlarm(for: deadline)
    noteSettled()
  }

  /// - Returns: whether there was something to tell.
  @discardableResult
  private func tell() -> Bool {
    var events = host.takeEvents()
    guard let first = events.first.take() else { return false }
    take(first)
    for event in events.rest { take(event) }
    return true
  }

  private func send() {
    guard !host.packets.isEmpty, let connection, connection.isOpen else { return }
    hasSent = true
    if let tap { for packet in host.packets { tap(.toController, packet) } }
    connection.send(host.packets.bytes.span)
    host.sentPackets()
  }

  private func setAlarm(for deadline: Instant?) {
    guard deadline != alarmTime else { return }
    alarmTime = deadline
    if let alarmTime { alarm?.fire(at: alarmTime.microseconds) } else { alarm?.cancel() }
  }

  private func noteSettled() {
    guard !settling.isEmpty, host.isSettled else { return }
    let promises = settling
    settling = []
    for promise in promises { promise.fulfil() }
  }

  private func recover(from finding: ControllerFinding) -> Bool {
    guard case .running = phase, host.recover() else { return false }
    for seat in seats { seat.occupant?.recovers(from: TransportError(finding)) }
    turnEnd?.schedule()
    return true
  }

  private func started() {
    guard case .starting(let waiting) = phase else { return }
    phase = .running
    for promise in waiting { promise.fulfil(nil) }
  }

  /// A controller that does not answer and has sent other bytes is none, or has another speed.
  private func failed(_ failure: ControllerFailure) {
    guard let connection else { return }
    let byte = connection.firstWrongByte
    let finding = byte.map { ControllerFinding.notHCI(connection.place, firstWrongByte: $0) }
    end(TransportError(finding ?? .failed(connection.place, reason: failure.description)))
  }

  /// The controller has gone, has failed, or could not be reached.
  private func end(_ error: TransportError) {
    let (phase, seats) = (phase, seats)
    close()
    if case .starting(let waiting) = phase { for promise in waiting { promise.fulfil(error) } }
    for seat in seats { seat.occupant?.lost(error) }
  }

  /// Ends the connection to the controller, which gets the last packets.
  private func close() {
    send()
    connection?.close()
    (phase, connection, turnEnd, alarm) = (.over, nil, nil, nil)
    (seats, links) = ([], [])
    if Self.all[source] === self { Self.all[source] = nil }
  }
}

// MARK: Advertising

extension SharedHost {
  /// Advertises these sets for a device, in place of its earlier ones.
  ///
  /// - Parameter accepted: the centrals that may connect to those that are filtered. All devices at the host share the controller's
  ///   lists, so that one of them may have to disconnect the central of another.
  func advertise(_ wanted: [AdvertisingSet], accepting accepted: [AcceptedPeer] = [], of seat: any HostSeat) {
    guard let index = index(of: seat) else { return }
    seats[index].sets = controllerSets(wanted, at: index)
    seats[index].accepted = accepted
    let (all, peers) = (seats.flatMap(\.sets), seats.flatMap(\.accepted))
    change { host in
      host.changeRadio {
        $0.advertising.wanted = all
        $0.acceptList.wanted = peers.map(\.address)
        $0.resolvingList.wanted = peers.filter { $0.key != nil }
      }
    }
  }

  /// Why the controller cannot advertise these sets in addition to those of other devices; nil: it can.
  func problem(with wanted: [AdvertisingSet], of seat: any HostSeat) -> AdvertisingProblem.Fact? {
    guard let abilities, let index = index(of: seat) else { return nil }
    var state = AdvertisingState()
    let own = controllerSets(wanted, at: index)
    state.wanted = seats.filter { $0.occupant !== seat }.flatMap(\.sets) + own
    return state.problems(abilities).first { problem in own.contains { $0.handle == problem.set } }?.fact
  }

  /// How many sets the controller has for a device, in addition to those of other devices.
  func room(for seat: any HostSeat) -> Int {
    guard let abilities else { return 0 }
    let most = abilities.hasExtendedAdvertising ? abilities.advertisingSetCount : 1
    return most - seats.filter { $0.occupant !== seat }.reduce(0) { $0 + $1.sets.count }
  }

  /// The sets with their handles in the controller, as long as there are any that no other set has.
  private func controllerSets(_ wanted: [AdvertisingSet], at index: Int) -> [AdvertisingSet] {
    while seats[index].handles.count < wanted.count {
      let taken = Set(seats.flatMap(\.handles))
      guard let free = Self.possibleHandles.first(where: { !taken.contains($0) }) else { break }
      seats[index].handles.append(free)
    }
    return zip(wanted, seats[index].handles).map { set, handle in
      var set = set
      set.handle = handle
      return set
    }
  }
}

// MARK: Events

extension SharedHost {
  private func take(_ event: consuming HostEvent) {
    switch event {
    case .started: started()
    case .failed(let failure): failed(failure)
    case .connected(let link):
      let seat = seat(of: link.set)
      drop(link.handle)
      if let new = seat?.occupant?.connected(
        link, by: link.set.flatMap { seat?.handles.firstIndex(of: $0) })
      {
        links.append((link.handle, new))
      } else {
        change { $0.disconnect(link.handle, .remoteUserTerminated) }
      }
    case .disconnected(let handle, _):
      let ended = link(handle)
      drop(handle)
      ended?.take(event)
    case .received(let handle, _), .drained(let handle), .changed(let handle, _), .measured(let handle, _),
      .asked(let handle, _), .parametersRefused(let handle, _), .givenUp(let handle, _),
      .channel(let handle, _, _),
      .security(let handle, _):
      link(handle)?.take(event)
    case .radio(let event): take(event)
    case .heard(let report): for seat in seats { seat.occupant?.heard(report) }
    }
  }

  /// The device with a set; that of a link of which the controller has not named the set is the only one, if it is alone.
  private func seat(of set: UInt8?) -> Seat? {
    guard let set else { return seats.count == 1 ? seats[0] : nil }
    return seats.first { $0.handles.contains(set) }
  }

  /// Tells a device of its own sets, with its numbers.
  private func take(_ event: RadioEvent) {
    switch event {
    case .advertisingBegan(let handle):
      guard let seat = seat(of: handle), let number = seat.handles.firstIndex(of: handle) else { return }
      seat.occupant?.take(.advertisingBegan(UInt8(number)))
    case .refused(.set(let handle), _, _): seat(of: handle)?.occupant?.take(event)
    case .refused, .initiatingFailed: for seat in seats { seat.occupant?.take(event) }
    default: break
    }
  }
}
