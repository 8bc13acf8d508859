import BlueZ
import Bluetooth
import EventLoop
import Exact
import GATTClient

/// A central on the air, which has at most one link.
@EventLoop
package protocol AirCentral: AnyObject {
  /// Waits for a device that advertises, connects to it, and opens the ATT channel.
  ///
  /// - Throws: ``TestBedError``, or ``TransportError`` for a problem of this machine, which ends the run.
  func connect(to place: AirPlace, mtu: Int) async throws -> GATTClient

  /// Opens a channel of the device on its link.
  ///
  /// - Throws: ``ChannelRefusal``, or ``TestBedError`` if this central has no channels.
  func openChannel(_ spsm: UInt16) async throws -> BegunChannel

  /// Why it cannot pair like this with a device; nil: it can.
  func obstacle(to request: PairingRequest, with policy: PairingPolicy) -> String?
  /// Pairs on its link while `body` runs, and reports the end of its side to the attempt.
  func pair(
    _ attempt: PairingAttempt, during body: () async throws -> PairingOutcome
  ) async throws -> PairingOutcome
  /// Encrypts its link with the kept keys, as a client does by itself.
  ///
  /// - Returns: whether the device has them as well. If not, the central drops its own.
  func encrypt() async throws -> Bool
  /// Forgets the keys.
  ///
  /// - Parameter ofDevice: also those of the device.
  func forgetKeys(ofDevice: Bool) async

  /// Gives its controller back, after the link has ended.
  func leave() async
}

extension AirCentral {
  package func obstacle(to request: PairingRequest, with policy: PairingPolicy) -> String? { nil }
}

/// Where a device is on the air.
package struct AirPlace: Hashable, Sendable {
  /// The address of its adapter.
  package var adapter: DeviceAddress
  /// Its address; nil: the adapter's.
  package var device: LinkAddress?
}

/// A pairing, as the central's side sees it.
@EventLoop
package final class PairingAttempt {
  package enum End {
    case paired
    /// - Parameter reason: nil: the central does not know it.
    case failed(PairingFailure?)
    case broken(TestBedError)
  }

  let request: PairingRequest
  /// The device's.
  let policy: PairingPolicy
  /// Answers the questions to the central's user.
  let answer: @EventLoop (PairingQuestion) async -> PairingAnswer
  private(set) var end: End?
  private let changes: Condition

  init(
    _ request: PairingRequest, with policy: PairingPolicy, _ changes: Condition,
    answer: @escaping @EventLoop (PairingQuestion) async -> PairingAnswer
  ) {
    (self.request, self.policy, self.changes, self.answer) = (request, policy, changes, answer)
  }

  func ended(_ end: End) {
    self.end = self.end ?? end
    changes.signal()
  }

  var failure: PairingFailure? { if case .failed(let reason) = end { reason } else { nil } }
  /// Whether the central's side has ended without success.
  var hasFailed: Bool {
    switch end {
    case nil, .paired: false
    case .failed, .broken: true
    }
  }
}
