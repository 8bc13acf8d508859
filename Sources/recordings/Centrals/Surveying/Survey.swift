import Bluetooth
import Captures
import EventLoop
import Exact
import Framing
import GATTClient
import HCIPackets
import Peripheral

/// Asks a device for all that a central can see of it.
///
/// What it hears and asks is kept as the recording of a host, from which a definition can be learnt. Nothing that it does outlasts the
/// links: it writes no value, ends its subscriptions, and keeps no keys.
@EventLoop
package final class Survey {
  /// How far it has come.
  package enum Progress: Hashable, Sendable {
    case heard(HeardDevice)
    case connected
    case discovered(attributes: Int)
    case subscribed(Int, for: Duration)
    case pairing
  }

  /// What a survey has found.
  package struct Result: Sendable {
    package var address: LinkAddress
    /// With what it advertised and what was said on each link.
    package var device: CapturedDevice
    package var capture: Capture
    package var remarks: [SurveyRemark]
    /// Whether the device did not advertise while it was connected; nil: that was not heard.
    package var isSilentWhileConnected: Bool?
  }

  let plan: SurveyPlan
  let seat: CentralSeat
  private let now: @EventLoop () -> Instant
  private var tracker = LinkTracker(format: "HCI")
  private var packetCount = 0
  var steps = SurveyStep.discovery
  var attributes = SurveyedAttributes()
  var remarks: [SurveyRemark] = []
  /// The device, once it was heard.
  private(set) var device: HeardDevice?
  /// The link on which the device is asked.
  private var link: BegunLink?
  private var isStopped = false
  private var silences = 0
  var isSilentWhileConnected: Bool?
  /// Whether the device has asked for encryption.
  var isAskedForSecurity = false
  package var onProgress: (@EventLoop (Progress) -> Void)?
  /// Gets each HCI packet.
  package var onPacket: (@EventLoop (WrittenPacket) -> Void)?
  /// Asks a person for the passkey that the device shows; nil: the person does not know it.
  package var askPasskey: (@EventLoop () async -> UInt32?)?

  /// How long a device that advertises may take to connect.
  private static let patience = Duration.seconds(20)
  /// So many links may end before their time.
  private static let mostLinks = 6
  /// So often a device may give no response for 30 s.
  private static let mostSilences = 2

  /// - Parameter now: the time since 1970.
  package init(_ plan: SurveyPlan, at seat: CentralSeat, now: @escaping @EventLoop () -> Instant) {
    (self.plan, self.seat, self.now) = (plan, seat, now)
    seat.onPacket = { [weak self] in self?.take($1, $0) }
  }

  private func take(_ packet: ArraySlice<UInt8>, _ direction: HCIDirection) {
    guard let type = packet.first else { return }
    let time = now()
    packetCount += 1
    tracker.take(
      CapturedPacket(
        time: time, layer: .hci(type: type, adapter: 0, direction), bytes: Array(packet.dropFirst()),
        offset: packetCount))
    onPacket?(WrittenPacket(time: time, direction: direction, bytes: Array(packet)))
  }

  /// Finds the device, asks it everything, and gives the controller back.
  package func run() async throws(SurveyFailure) -> Result {
    let outcome: Swift.Result<HeardDevice, SurveyFailure>
    do throws(SurveyFailure) {
      let device = try await find()
      onProgress?(.heard(device))
      if !device.isConnectable {
        remarks.append(.notConnectable)
      } else if plan.questions != .none {
        try await ask(device)
      }
      if !stillRefused.isEmpty { remarks.append(.needsPairing(stillRefused, plan.pairing)) }
      outcome = .success(device)
    } catch { outcome = .failure(error) }
    await seat.leave()
    if isStopped { throw .stopped }
    let address = try outcome.get().address
    let capture = tracker.finish()
    let found = capture.devices.first { $0.address == address } ?? CapturedDevice(address: address)
    return Result(
      address: address, device: found, capture: capture, remarks: remarks,
      isSilentWhileConnected: isSilentWhileConnected)
  }
}

extension Survey {
  /// Ends the survey at once.
  package func stop() {
    isStopped = true
    steps = []
    seat.stopScanning()
    EventLoop.start { [link] in await link?.disconnect(.remoteUserTerminated) }
  }
}

// MARK: Finding

extension Survey {
  private func find() async throws(SurveyFailure) -> HeardDevice {
    var heard = HeardDevices()
    var found: LinkAddress?
    let limit = EventLoop.after(plan.patience) { [seat] in seat.stopScanning() }
    defer { limit.cancel() }
    var enough: EventLoop.Timer?
    do throws(TransportError) {
      try await seat.scan(isActive: true) { [plan, seat, now] report in
        guard let device = heard.take(report, at: now())?.device else { return }
        if found == nil, plan.target.matches(device) {
          found = device.address
          limit.cancel()
          enough = EventLoop.after(plan.listening ?? SurveyPlan.longestListening) { seat.stopScanning() }
        }
        if plan.listening == nil, device.address == found, device.isHeardEnough { seat.stopScanning() }
      }
    } catch { throw .controller(error) }
    enough?.cancel()
    guard let device = found.flatMap({ heard[$0] }) else {
      throw .notHeard(plan.target, within: plan.patience, others: heard.all)
    }
    self.device = device
    return device
  }
}

// MARK: Links

extension Survey {
  /// Asks on one link after the other, as long as they end before all is asked.
  private func ask(_ device: HeardDevice) async throws(SurveyFailure) {
    for number in 1...Self.mostLinks where !isStopped {
      let link: BegunLink?
      do throws(TransportError) {
        link = try await seat.connect(to: device.address, within: Self.patience)
      } catch {
        throw .controller(error)
      }
      guard let link else {
        if number == 1 { throw .noConnection(device, within: Self.patience) }
        return remarks.append(.noReturn(left: steps.count))
      }
      onProgress?(.connected)
      self.link = link
      await ask(on: link, isFirst: number == 1)
      self.link = nil
      if steps.isEmpty { return }
      if silences >= Self.mostSilences { break }
    }
    remarks.append(.gaveUp(left: steps.count))
  }

  private func ask(on link: BegunLink, isFirst: Bool) async {
    let client = GATTClient(over: HostBearer(link), mtu: GATTClient.mtuRange.upperBound) { reason in
      await link.disconnect(reason)
    }
    let conversation = SurveyedLink(client: client, link: link)
    watchSecurity(of: link)
    if !isFirst { steps.removeAll { $0 == .exchangeMTU }; steps.insert(.exchangeMTU, at: 0) }
    while client.isConnected, let step = steps.first {
      steps.removeFirst()
      do throws(GATTClientError) { try await perform(step, conversation) } catch { note(error, at: step) }
    }
    await client.disconnect()
    if link.end == nil { await link.disconnect(.remoteUserTerminated) }
  }

  /// A device that has asked for encryption and then has left gets it first on the next link.
  private func note(_ error: GATTClientError, at step: SurveyStep) {
    switch error {
    case .refused, .cancelled: break
    case .disconnected, .noResponse:
      remarks.append(.lost(asked: step.description, error))
      if case .noResponse = error { silences += 1 }
      if step.isDiscovery, attributes.lostSteps.insert(step).inserted { steps.insert(step, at: 0) }
      if isAskedForSecurity, plan.pairing != .never, step != .pair,
        attributes.lostSteps.insert(.pair).inserted
      {
        steps.removeAll { $0 == .pair }
        steps.insert(.pair, at: 0)
      }
    default: remarks.append(.wrongAnswer(asked: step.description, error))
    }
  }
}

/// A link on which a device is asked.
struct SurveyedLink {
  let client: GATTClient
  let link: BegunLink
}

/// Why a device cannot be surveyed.
package enum SurveyFailure: Error, Hashable, Sendable {
  /// Nobody with this address or name advertised within the time.
  ///
  /// - Parameter others: the devices that were heard.
  case notHeard(SurveyPlan.Target, within: Duration, others: [HeardDevice])
  /// The device advertised and could not be connected to.
  case noConnection(HeardDevice, within: Duration)
  /// A problem of the controller or of this machine.
  case controller(TransportError)
  /// ``Survey/stop()`` has ended it.
  case stopped
}
