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
  /// nil: it has no controller.
  private var host: SharedHost?
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
    let host = try await takeController()
    let request = request(peer, host)
    let end = EventLoop.now + limit.microseconds
    while EventLoop.now < end {
      switch await begin(request, at: host, until: end) {
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
    guard let host else { return }
    stopScanning()
    self.host = nil
    link?.ended(.localHost)
    link = nil
    await host.leave(self)
    _ = await source.end()
  }
}

// MARK: Connecting

extension CentralSeat {
  private func takeController() async throws(TransportError) -> SharedHost {
    if let host { return host }
    source.begin()
    do throws(TransportError) {
      let host = try await SharedHost.joinAlone(source, self, tap: onPacket)
      self.host = host
      return host
    } catch {
      _ = await source.end()
      throw error
    }
  }

  private func request(_ peer: LinkAddress, _ host: SharedHost) -> ConnectionRequest {
    var request = ConnectionRequest(.device(peer), parameters: Self.parameters)
    request.address = randomAddress(at: host)
    return request
  }

  /// A controller without a public address has one derived from its place; nil: it has a public one.
  private func randomAddress(at host: SharedHost) -> DeviceAddress? {
    guard let address = host.abilities?.address, address.isZero else { return nil }
    return OwnAddress.derived.address(of: "central on \(source.name)", on: address)
  }

  private func begin(
    _ request: ConnectionRequest, at host: SharedHost, until end: Int64
  ) async -> Attempt {
    let promise = Promise<Attempt>()
    attempt = promise
    host.change { host in host.changeRadio { $0.initiating.wanted = request } }
    let limit = EventLoop.after(.microseconds(max(0, end - EventLoop.now))) { promise.fulfil(.timedOut) }
    let outcome = await promise.value()
    limit.cancel()
    attempt = nil
    if case .link = outcome { return outcome }
    host.change { host in host.changeRadio { $0.initiating.wanted = nil } }
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
    let host = try await takeController()
    var scan = Scan(isActive: isActive)
    scan.phys = host.abilities?.primaryPHYs ?? .le1M
    scan.address = randomAddress(at: host)
    let end = Promise<TransportError?>()
    (self.hear, scanEnd) = (hear, end)
    host.change { host in host.changeRadio { $0.scanning.wanted = scan } }
    let problem = await end.value()
    (self.hear, scanEnd) = (nil, nil)
    self.host?.change { host in host.changeRadio { $0.scanning.wanted = nil } }
    if let problem { throw problem }
  }

  /// Ends the scan that there is.
  package func stopScanning() { scanEnd?.fulfil(nil) }
}

// MARK: At the host

extension CentralSeat: HostSeat {
  /// A link that nobody waits for any more ends at once.
  func connected(_ new: HostLink, by set: Int?) -> (any SeatedLink)? {
    guard let host, let attempt, !attempt.isFulfilled else { return nil }
    let link = BegunLink(new, at: host)
    self.link = link
    attempt.fulfil(.link(link))
    return link
  }

  func take(_ event: RadioEvent) {
    switch event {
    case .initiatingFailed: attempt?.fulfil(.failed)
    case .refused(_, let command, let error):
      let reason = "\(source.name) refused '\(command.opcode)': \(error)"
      let error = TransportError(.unavailable, reason, hint: "choose another controller")
      attempt?.fulfil(.gone(error))
      scanEnd?.fulfil(error)
    default: break
    }
  }

  func heard(_ report: AdvertisingReport) {
    if scanEnd?.isFulfilled == false { hear?(report) }
  }

  func lost(_ error: TransportError) {
    let (attempt, link) = (attempt, link)
    (host, self.link) = (nil, nil)
    attempt?.fulfil(.gone(error))
    scanEnd?.fulfil(error)
    link?.ended(.localHost)
    EventLoop.start { [source] in _ = await source.end() }
  }
}
