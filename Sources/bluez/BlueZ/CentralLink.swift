import Behavior
import Bluetooth
import EventLoop
import Peripheral

/// The link to a central: keys that only one side has, and why it ends. bluetoothd reports neither.
@EventLoop
final class CentralLink {
  /// How long a bonded central may take to encrypt its link. bluetoothd asks it to do so as soon as it connects (Security
  /// Request), and serves it nothing before (bluez 5.66 to 5.87: `device_attach_att` of src/device.c).
  private static let encryptionLimit = Duration.seconds(5)
  /// How long bluetoothd waits for the response to a request (Core Specification, Vol 3 Part F 3.3.3).
  private static let responseLimit = Duration.seconds(30)

  let central: Central
  /// nil: the kernel does not report it.
  private let heard: HeardLink?
  private weak var transport: BlueZTransport?
  /// In microseconds of ``EventLoop/now``.
  private let began = EventLoop.now
  /// Whether bluetoothd has asked the device's agent about the central.
  private var hasAsked = false
  /// Whether the device has ended it.
  private var isEndedByDevice = false
  /// Fires when a bonded central has had the time to encrypt the link.
  private var encryption: EventLoop.Timer?

  /// The central has connected.
  init(to central: Central, _ heard: HeardLink?, of transport: BlueZTransport) {
    (self.central, self.heard, self.transport) = (central, heard, transport)
    encryption = EventLoop.after(Self.encryptionLimit) { [weak self] in self?.lookForLostKeys() }
    heard?.onProblem = { [weak self] in self?.tellProblems() }
    tellProblems()
  }

  /// bluetoothd asks the device's agent about the central.
  func noteQuestion() { hasAsked = true }

  /// The device ends the link.
  func noteEndByDevice() { isEndedByDevice = true }

  /// The central has disconnected.
  func ended() {
    encryption = nil
    heard?.onProblem = nil
    guard let heard, let reason = heard.reason else { return }
    switch reason {
    case .authenticationFailure where !heard.wasEncrypted && heard.problems.isEmpty && !hasAsked:
      authenticationFailed()
    case .micFailure: warn(PairingPolicy.encryptionFailed(with: central, reason))
    case .localHost where !isEndedByDevice: tellLocalEnd(after: EventLoop.now - began)
    default: break
    }
  }

  private func warn(_ message: String) { transport?.host?.warn(message) }

  private func tellProblems() {
    for problem in heard?.takeProblems() ?? [] {
      switch problem {
      case .keyMissing: warn(PairingPolicy.missingKey(of: central, transport?.pairing.policy))
      case .encryptionFailed(let error): warn(PairingPolicy.encryptionFailed(with: central, error))
      }
    }
  }

  private func authenticationFailed() {
    if let cause = transport?.pairing.policy?.cause(of: .pairingNotSupported) {
      warn(PairingPolicy.refusal(of: central, cause))
    } else {
      lookForLostKeys()
    }
  }

  /// A central for which bluetoothd has keys, and which has not encrypted its link, has lost its own. bluetoothd refuses to pair
  /// it again by Just Works, without asking the device's agent.
  private func lookForLostKeys() {
    guard !hasAsked, heard?.wasEncrypted != true, let transport, transport.isEncrypted(central) != true,
      let (client, adapter) = transport.inUse
    else { return }
    EventLoop.start { [self] in
      guard let pairing = await client.pairing(of: central, with: adapter), pairing.isPaired else { return }
      // A computer or a phone that is paired for something else keeps that.
      let areRemoved = self.transport?.pairing.policy != nil && !pairing.hasBasicRate
      if areRemoved {
        isEndedByDevice = true
        await client.forget(central, of: adapter)
      }
      warn(PairingPolicy.lostKeys(of: central, areRemoved: areRemoved))
    }
  }

  private func tellLocalEnd(after microseconds: Int64) {
    guard microseconds >= Self.responseLimit.microseconds else { return }
    warn(
      "this machine has ended the link to \(central), as bluetoothd does when a central has not answered a request within 30 s: "
        + "it asks each central for its MTU and its attributes")
  }
}
