import Bluetooth
import EventLoop
import HCIPackets
import Host
import Kernel
import Peripheral

/// The host on a controller, for all devices of this process that are on it. It starts with the first one, and ends with the last.
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

  /// Those that have a controller, or are about to have it.
  private static var all: [ControllerSource: SharedHost] = [:]

  private let source: ControllerSource
  /// Gets each packet to and from the controller, with its type.
  private var tap: PacketTap?
  private var phase = Phase.starting([])
  private var runner: HostRunner?
  private var seats: [HostSeat] = []
  private var owners: [LinkHandle: HostSeat] = [:]
  private var sets = SetHandles()

  private init(_ source: ControllerSource) { self.source = source }

  /// The host; nil: it has no controller, or no longer.
  var host: Host? { runner?.host }

  func change(_ body: (inout Host) -> Void) { runner?.change(body) }

  /// Asks the host something; nil: it has no controller, or no longer.
  func ask<Answer>(_ body: (inout Host) -> Answer) -> Answer? { runner?.ask(body) }
}

// MARK: Devices

extension SharedHost {
  /// Gives a device a seat at the host of a controller.
  static func join(_ source: ControllerSource) async throws(TransportError) -> HostSeat {
    let shared = all[source] ?? SharedHost(source)
    let isNew = all[source] == nil
    all[source] = shared
    if isNew { EventLoop.start { await shared.start() } }
    if let error = await shared.waitForStart() { throw error }
    return shared.makeSeat()
  }

  typealias PacketTap = @EventLoop (HCIDirection, ArraySlice<UInt8>) -> Void

  /// Gives a central a seat at a host of its own. At a TCP port, each connection has a controller of its own.
  ///
  /// - Parameter tap: gets each packet to and from the controller.
  static func joinAlone(
    _ source: ControllerSource, tap: PacketTap?
  ) async throws(TransportError) -> HostSeat {
    let host = SharedHost(source)
    host.tap = tap
    EventLoop.start { await host.start() }
    if let error = await host.waitForStart() { throw error }
    return host.makeSeat()
  }

  private func waitForStart() async -> TransportError? {
    guard case .starting(let waiting) = phase else { return nil }
    let promise = Promise<TransportError?>()
    phase = .starting(waiting + [promise])
    return await promise.value()
  }

  private func makeSeat() -> HostSeat {
    let taken = Set(seats.map(\.number))
    let seat = HostSeat((0...).first { !taken.contains($0) } ?? 0, at: self)
    seats.append(seat)
    return seat
  }

  /// Whether another device has an address.
  func isTaken(_ address: DeviceAddress, byOthersThan seat: HostSeat) -> Bool {
    seats.contains { $0 !== seat && $0.address == address }
  }

  /// A device has left. Returns once the controller has nothing of it any more.
  func leave(_ seat: HostSeat) async {
    seats.removeAll { $0 === seat }
    sets.forget(seat: seat.number)
    owners = owners.filter { $0.value !== seat }
    await runner?.settle()
    if seats.isEmpty { close() }
  }
}

// MARK: The controller

extension SharedHost {
  private func start() async {
    do throws(TransportError) {
      let runner = HostRunner(try await source.connect())
      self.runner = runner
      runner.onPacket = tap
      runner.onEvent = { [weak self] in self?.take($0) }
      runner.onEnd = { [weak self] in self?.end(TransportError($0)) }
      runner.start()
    } catch { end(error) }
  }

  private func started() {
    guard case .starting(let waiting) = phase else { return }
    phase = .running
    for promise in waiting { promise.fulfil(nil) }
  }

  /// The controller has gone, has failed, or could not be reached.
  private func end(_ error: TransportError) {
    let phase = phase
    close()
    if case .starting(let waiting) = phase { for promise in waiting { promise.fulfil(error) } }
    let seats = seats
    self.seats = []
    for seat in seats { seat.onEnd?(error) }
  }

  private func close() {
    phase = .over
    runner?.close()
    runner = nil
    if Self.all[source] === self { Self.all[source] = nil }
  }

  /// A controller that does not answer and has sent other bytes is none, or has another speed.
  private func failed(_ failure: ControllerFailure) {
    guard let connection = runner?.connection else { return }
    let byte = connection.firstWrongByte
    let finding = byte.map { ControllerFinding.notHCI(connection.place, firstWrongByte: $0) }
    end(TransportError(finding ?? .failed(connection.place, reason: failure.description)))
  }
}

// MARK: Advertising and events

extension SharedHost {
  /// Advertises these sets for a device, in place of its earlier ones.
  ///
  /// - Parameter wanted: numbered from 0.
  func advertise(_ wanted: [AdvertisingSet], of seat: HostSeat) {
    seat.sets = controllerSets(wanted, of: seat)
    let all = seats.sorted { $0.number < $1.number }.flatMap(\.sets)
    change { host in host.changeRadio { $0.advertising.wanted = all } }
  }

  /// Why the controller cannot advertise these sets beside those of other devices; nil: it can.
  func problem(with wanted: [AdvertisingSet], of seat: HostSeat) -> AdvertisingProblem.Fact? {
    guard let abilities = host?.abilities else { return nil }
    var state = AdvertisingState()
    let own = controllerSets(wanted, of: seat)
    state.wanted = seats.filter { $0 !== seat }.flatMap(\.sets) + own
    return state.problems(abilities).first { problem in own.contains { $0.handle == problem.set } }?.fact
  }

  private func controllerSets(_ wanted: [AdvertisingSet], of seat: HostSeat) -> [AdvertisingSet] {
    wanted.compactMap { set in
      let owned = SetHandles.Owned(seat: seat.number, number: set.handle)
      guard let handle = sets.handle(of: owned) else { return nil }
      var set = set
      set.handle = handle
      return set
    }
  }

  private func take(_ event: HostEvent) {
    switch event {
    case .started: started()
    case .failed(let failure): failed(failure)
    case .connected(let link):
      guard let seat = seat(of: link.set) else {
        return change { $0.disconnect(link.handle, .remoteUserTerminated) }
      }
      owners[link.handle] = seat
      seat.onEvent?(event)
    case .channel(let handle, _, _): owners[handle]?.onEvent?(event)
    case .disconnected(let handle, _): owners.removeValue(forKey: handle)?.onEvent?(event)
    case .received(let handle, _), .drained(let handle), .changed(let handle, _), .measured(let handle, _),
      .asked(let handle, _), .parametersRefused(let handle, _), .security(let handle, _):
      owners[handle]?.onEvent?(event)
    case .radio(let event): take(event)
    case .heard: for seat in seats { seat.onEvent?(event) }
    }
  }

  /// The device with a set; that of a link of which the controller has not named the set is the only one, if it is alone.
  private func seat(of set: UInt8?) -> HostSeat? {
    guard let set else { return seats.count == 1 ? seats[0] : nil }
    guard let owned = sets.set(of: set) else { return nil }
    return seats.first { $0.number == owned.seat }
  }

  /// Tells a device of its own sets, with its numbers.
  private func take(_ event: RadioEvent) {
    switch event {
    case .advertisingBegan(let handle):
      if let owned = sets.set(of: handle) {
        seat(of: handle)?.onEvent?(.radio(.advertisingBegan(owned.number)))
      }
    case .advertisingFailed(let handle, _), .refused(.set(let handle), _, _):
      seat(of: handle)?.onEvent?(.radio(event))
    case .refused, .initiatingFailed:
      for seat in seats { seat.onEvent?(.radio(event)) }
    default: break
    }
  }
}
