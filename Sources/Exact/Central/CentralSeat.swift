import Bluetooth
import EventLoop
import HCI
import HCIPackets
import Host
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

  /// Gives the controller up. A link that there is breaks off without a goodbye.
  package func leave() async {
    guard let seat else { return }
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
      let seat = try await SharedHost.joinAlone(source)
      seat.onEvent = { [weak self] in self?.take($0) }
      seat.onEnd = { [weak self] in self?.lost($0) }
      self.seat = seat
      return seat
    } catch {
      _ = await source.end()
      throw error
    }
  }

  /// A controller without a public address has one derived from its place.
  private func request(_ peer: LinkAddress, _ seat: HostSeat) -> ConnectionRequest {
    var request = ConnectionRequest(.device(peer), parameters: Self.parameters)
    if let address = seat.host?.abilities?.address, address.isZero {
      request.address = OwnAddress.derived.address(of: "central on \(source.name)", on: address)
    }
    return request
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

// MARK: Events

extension CentralSeat {
  private func take(_ event: HostEvent) {
    switch event {
    case .connected(let new): began(new)
    case .disconnected(let handle, let reason):
      guard let link = link(handle) else { return }
      self.link = nil
      link.ended(reason)
    case .received(let handle, let packet): link(handle)?.receive(packet)
    case .drained(let handle): link(handle)?.drained()
    case .security(let handle, let action): link(handle)?.take(action)
    case .radio(.initiatingFailed): attempt?.fulfil(.failed)
    case .radio(.refused(_, let command, let error)):
      let reason = "\(source.name) refused '\(command.opcode)': \(error)"
      let hint = "choose another controller with --central"
      attempt?.fulfil(.gone(TransportError(.unavailable, reason, hint: hint)))
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
    link?.ended(.localHost)
    EventLoop.start { [source] in _ = await source.end() }
  }
}
