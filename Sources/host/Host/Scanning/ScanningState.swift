import Bluetooth
import HCIPackets

/// The scan that is wanted, and that of the controller.
package struct ScanningState: Sendable {
  /// nil: the controller does not scan.
  package var wanted: Scan?
  /// The last parameters that the controller has got.
  private var parameters: HCICommand?
  /// With what it was started; nil: it does not scan.
  private var running: (command: HCICommand, scan: Scan)?
  var refusal: Refusal<Scan?>?

  package init() {}

  var isActive: Bool { running != nil }

  var usesAcceptList: Bool { running?.scan.isAcceptListOnly == true }

  var needsAcceptList: Bool { usesAcceptList || wanted?.isAcceptListOnly == true }

  /// What is wanted, if the controller is able to do it.
  func possible(_ abilities: ControllerAbilities) -> Scan? {
    wanted.flatMap { $0.problems(abilities).isEmpty ? $0 : nil }
  }
}

struct ScanningStep: Hashable, Sendable {
  enum Action { case setParameters, start, stop }

  var action: Action
  /// nil: none is wanted, or not now.
  var scan: Scan?
  var command: HCICommand
}

extension ScanningState {
  /// - Parameter isHeld: whether it has to pause.
  func nextStep(_ abilities: ControllerAbilities, randomAddress: DeviceAddress?, isHeld: Bool)
    -> ScanningStep?
  {
    let isExtended = abilities.hasExtendedAdvertising
    let scan = isHeld ? nil : possible(abilities).flatMap { $0.fits(randomAddress) ? $0 : nil }
    let stop = ScanningStep(action: .stop, scan: scan, command: .stopScan(isExtended: isExtended))
    guard !refusal.blocks(scan) else { return nil }
    guard let scan else { return isActive ? stop : nil }
    let parameters = HCICommand.setScanParameters(scan, isExtended: isExtended)
    guard self.parameters == parameters else {
      return isActive ? stop : ScanningStep(action: .setParameters, scan: scan, command: parameters)
    }
    let start = HCICommand.startScan(scan, isExtended: isExtended)
    return running?.command == start ? nil : ScanningStep(action: .start, scan: scan, command: start)
  }

  mutating func done(_ step: ScanningStep, _ abilities: ControllerAbilities) -> [RadioEvent] {
    refusal = nil
    switch step.action {
    case .setParameters: parameters = step.command
    case .stop:
      running = nil
      return possible(abilities) == nil ? [.scanningStopped] : []
    case .start:
      running = step.scan.map { (step.command, $0) }
      return [.scanningBegan]
    }
    return []
  }

  /// Returns whether the refusal is new.
  mutating func refused(_ step: ScanningStep, _ error: HCIError) -> Bool {
    refusal.note(error, of: step.scan)
  }
}

extension Scan {
  /// Whether a controller with this random address has the wanted one.
  fileprivate func fits(_ randomAddress: DeviceAddress?) -> Bool {
    address == nil || address == randomAddress
  }
}
