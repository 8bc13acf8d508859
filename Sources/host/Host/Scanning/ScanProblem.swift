import Bluetooth
import HCIPackets

/// Why a controller cannot scan as wanted.
package enum ScanProblem: Hashable, Sendable {
  /// It is not in the range, in units of 0.625 ms.
  case interval(UInt16, ClosedRange<UInt16>)
  /// It is longer than the interval, or too short.
  case window(UInt16)
  /// It has no primary channels, or the controller does not have it.
  case phys(PHYs)
  /// The controller has no public address.
  case noPublicAddress
}

extension Scan {
  /// The problems with a controller, found before anything is sent to it. While there are any, it does not scan.
  package func problems(_ abilities: ControllerAbilities) -> [ScanProblem] {
    var problems: [ScanProblem] = []
    let intervals: ClosedRange<UInt16> =
      abilities.hasExtendedAdvertising ? 0x0004...0xFFFF : 0x0004...0x4000
    if !intervals.contains(interval) { problems.append(.interval(interval, intervals)) }
    if window < 0x0004 || window > interval { problems.append(.window(window)) }
    let possible = abilities.primaryPHYs
    if phys.isEmpty || !phys.isSubset(of: possible) {
      problems.append(.phys(phys.isEmpty ? phys : phys.subtracting(possible)))
    }
    if address == nil && abilities.address.isZero { problems.append(.noPublicAddress) }
    return problems
  }
}

extension ControllerAbilities {
  /// The PHYs on which it can scan.
  package var primaryPHYs: PHYs { hasExtendedAdvertising && hasLECoded ? [.le1M, .leCoded] : .le1M }
}
