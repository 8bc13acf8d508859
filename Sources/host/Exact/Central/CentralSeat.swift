import Bluetooth
import EventLoop
import HCIPackets
import Host
import Kernel
import Peripheral

/// A central on a controller of its own, with blemu's own host. It has at most one link.
@EventLoop
package final class CentralSeat {
  private enum Attempt: Sendable {
    case link(BegunLink)
    /// It may be tried again.
    case failed
    case timedOut
    case gone(TransportError)
  }

  private let source: ControllerSource
  private var seat: HostSeat?
  private var link: BegunLink?
  /// Gets what is heard while it scans.
  private var hear: (@EventLoop (AdvertisingReport) -> Void)?
  /// Waits for the end of the scan: nil, or why there is none.
  private var scanEnd: Promise<TransportError?>?
  /// Called with each packet to and from the controller, with its type, in order. Keep no slice of it. Set it before the controller is
  /// taken.
  package var onPacket: (@EventLoop (HCIDirection, ArraySlice<UInt8>) -> Void)?
  /// Waits for the link that begins.
  private var attempt: Promise<Attempt>?
  /// As Linux asks for, with a longer supervision timeout, which is in units of 10 ms.
  private static let parameters = PreferredConnectionParameters(
    interval: 24...40, latency: 0, supervisionTimeout: 200)
  /// Before the next attempt.
  private static let pause = Duration.milliseconds(100)

  package convenience init(_ place: ControllerPlace) { self.init(.place(place)) }

  /// Takes an adapter from the kernel, from the first link until ``leave()``.
  ///
  /// - Parameter endsOtherUse: whether it takes the adapter although other programs use it.
  package convenience init(_ choice: AdapterChoice, endsOtherUse: Bool = false) {
    self.init(.adapter(.shared(choice, endsOtherUse: endsOtherUse)))
  }

  package convenience init(_ controller: ImitatedController) { self.init(.imitation(controller)) }

  private init(_ source: ControllerSource) { self.source = source }

  /// Waits for a peripheral that advertises with this address, and connects to it.
  ///
  /// - Returns: the link; nil: there is none within the limit.
  /// - Throws: a problem of the controller.
  package func connect(
    to peer: LinkAddress, within limit: Duration
  ) async throws(TransportError) -> BegunLink? {
    let seat = try await takeSeat()
    let request = request(peer, seat)
    let end = EventLoop.now + limit.microseconds
    while EventLoop.now < end {
      switch await begin(request, at: seat, until: end) {
      case .link(let link): return link
      case .failed: await EventLoop.pause(Self.pause)
      case .timedOut: return nil
      case .gone(let error): throw error
      }
    }
    return nil
  }

  /// The adapter or controller, as the log calls it.
  package var name: String { source.name }

  /// Gives the controller up. A link that there is breaks off without a goodbye.
  package func leave() async {
    guard let seat else { return }
    stopScanning()
    self.seat = nil
    link?.ended(.localHost)
    link = nil
    await seat.leave()
    _ = await source.end()
  }
}

// MARK: Connecting

extension CentralSeat {
  private func takeSeat() async throws(TransportError) -> HostSeat {
    if let seat { return seat }
    source.begin()
    do throws(TransportError) {
      let seat = try await SharedHost.joinAlone(source, tap: onPacket)
      seat.onEvent = { [weak self] in self?.take($0) }
      seat.onEnd = { [weak self] in self?.lost($0) }
      self.seat = seat
      return seat
    } catch {
      _ = await source.end()
      throw error
    }
  }

  private func request(_ peer: LinkAddress, _ seat: HostSeat) -> ConnectionRequest {
    var request = ConnectionRequest(.device(peer), parameters: Self.parameters)
    request.address = randomAddress(at: seat)
    return request
  }

  /// A controller without a public address has one derived from its place; nil: it has a public one.
  private func randomAddress(at seat: HostSeat) -> DeviceAddress? {
    guard let address = seat.host?.abilities?.address, address.isZero else { return nil }
    return OwnAddress.derived.address(of: "central on \(source.name)", on: address)
  }

  private func begin(
    _ request: ConnectionRequest, at seat: HostSeat, until end: Int64
  ) async -> Attempt {
    let promise = Promise<Attempt>()
    attempt = promise
    seat.change { host in host.changeRadio { $0.initiating.wanted = request } }
    let limit = EventLoop.after(.microseconds(max(0, end - EventLoop.now))) { promise.fulfil(.timedOut) }
    let outcome = await promise.value()
    limit.cancel()
    attempt = nil
    if case .link = outcome { return outcome }
    seat.change { host in host.changeRadio { $0.initiating.wanted = nil } }
    return outcome
  }
}

// MARK: Scanning

extension CentralSeat {
  /// Listens without a pause on all primary channels, until ``stopScanning()``.
  ///
  /// - Parameters:
  ///   - isActive: whether it asks scannable advertisers for their scan response.
  ///   - hear: gets each report of the controller, duplicates as well.
  /// - Throws: a problem of the controller.
  package func scan(
    isActive: Bool, _ hear: @escaping @EventLoop (AdvertisingReport) -> Void
  ) async throws(TransportError) {
    let seat = try await takeSeat()
    var scan = Scan(isActive: isActive)
    scan.phys = seat.host?.abilities?.primaryPHYs ?? .le1M
    scan.address = randomAddress(at: seat)
    let end = Promise<TransportError?>()
    (self.hear, scanEnd) = (hear, end)
    seat.change { host in host.changeRadio { $0.scanning.wanted = scan } }
    let problem = await end.value()
    (self.hear, scanEnd) = (nil, nil)
    self.seat?.change { host in host.changeRadio { $0.scanning.wanted = nil } }
    if let problem { throw problem }
  }

  /// Ends the scan that there is.
  package func stopScanning() { scanEnd?.fulfil(nil) }
}

// MARK: Events

extension CentralSeat {
  private func take(_ event: HostEvent) {
    switch event {
    case .heard(let report): if scanEnd?.isFulfilled == false { hear?(report) }
    case .connected(let new): began(new)
    case .disconnected(let handle, let reason):
      guard let link = link(handle) else { return }
      self.link = nil
      link.ended(reason)
    case .received(let handle, let packet): link(handle)?.receive(packet)
    case .drained(let handle): link(handle)?.drained()
    case .security(let handle, let action): link(handle)?.take(action)
    case .channel(let handle, let channel, let event): link(handle)?.take(event, in: channel)
    case .radio(.initiatingFailed): attempt?.fulfil(.failed)
    case .radio(.refused(_, let command, let error)):
      let reason = "\(source.name) refused '\(command.opcode)': \(error)"
      let error = TransportError(.unavailable, reason, hint: "choose another controller")
      attempt?.fulfil(.gone(error))
      scanEnd?.fulfil(error)
    default: break
    }
  }

  private func link(_ handle: LinkHandle) -> BegunLink? { link?.handle == handle ? link : nil }

  /// A link that nobody waits for any more ends at once.
  private func began(_ new: HostLink) {
    guard let seat, let attempt, !attempt.isFulfilled else {
      seat?.change { $0.disconnect(new.handle, .remoteUserTerminated) }
      return
    }
    let link = BegunLink(new, at: seat)
    self.link = link
    attempt.fulfil(.link(link))
  }

  /// The controller has gone.
  private func lost(_ error: TransportError) {
    let (attempt, link) = (attempt, link)
    (seat, self.link) = (nil, nil)
    attempt?.fulfil(.gone(error))
    scanEnd?.fulfil(error)
    link?.ended(.localHost)
    EventLoop.start { [source] in _ = await source.end() }
  }
}
