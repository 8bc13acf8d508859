import Bluetooth
import HCIPackets

/// Why a controller cannot begin a link as wanted.
package enum ConnectionProblem: Hashable, Sendable {
  /// Interval, latency or supervision timeout are out of range, or the timeout is shorter than they allow.
  case parameters(PreferredConnectionParameters)
  /// The window is longer than the interval, or one of them is out of range.
  case scan(interval: UInt16, window: UInt16)
  /// The controller does not have them, or cannot listen on them; empty: none is given.
  case phys(PHYs)
  /// The address of the peer is 00:00:00:00:00:00.
  case noPeer
  /// The controller has no public address.
  case noPublicAddress
}

extension ConnectionRequest {
  /// The problems with a controller, found before anything is sent to it. While there are any, it does not wait for the link.
  package func problems(_ abilities: ControllerAbilities) -> [ConnectionProblem] {
    var problems: [ConnectionProblem] = []
    if !parameters.arePossible { problems.append(.parameters(parameters)) }
    if scanWindow < 0x0004 || scanWindow > scanInterval || scanInterval > 0x4000 {
      problems.append(.scan(interval: scanInterval, window: scanWindow))
    }
    var possible = abilities.primaryPHYs
    if abilities.hasExtendedAdvertising && abilities.hasLE2M { possible.insert(.le2M) }
    if !phys.isSubset(of: possible) {
      problems.append(.phys(phys.subtracting(possible)))
    } else if phys.isDisjoint(with: abilities.primaryPHYs) {
      problems.append(.phys(phys))
    }
    if case .device(let peer) = peer, peer.address.isZero { problems.append(.noPeer) }
    if address == nil && abilities.address.isZero { problems.append(.noPublicAddress) }
    return problems
  }
}

extension PreferredConnectionParameters {
  /// Whether the controller takes them (Vol 4 Part E 7.8.12).
  fileprivate var arePossible: Bool {
    let intervals = Self.possibleIntervals
    return intervals.contains(interval.lowerBound) && intervals.contains(interval.upperBound)
      && Self.possibleLatencies.contains(latency) && Self.possibleTimeouts.contains(supervisionTimeout)
      && Int(supervisionTimeout) >= leastTimeout
  }
}
