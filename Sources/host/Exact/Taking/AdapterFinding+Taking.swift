import Bluetooth
import Kernel
import Peripheral

/// What an error of the kernel means for an adapter that is to be taken.
extension AdapterFinding {
  static func opening(_ error: ManagementError) -> Self {
    if case .noBluetooth = error { return .noSockets }
    return error.isPermission ? .noCapabilities : .noManagement(reason: error.message)
  }

  static func taking(_ controller: LocalController, _ error: ManagementError) -> Self {
    error.isPermission ? .noCapabilities : .cannotTake(controller.name, reason: error.message)
  }

  static func taking(_ controller: LocalController, _ error: ControllerFinding) -> Self {
    switch error {
    case .mayNotTakeAdapter: .noCapabilities
    case .adapterIsBlocked: .blockedByRFKill(controller.name)
    case .adapterIsOn:
      .cannotTake(controller.name, reason: "another program uses it, or keeps switching it on")
    default: .cannotTake(controller.name, reason: error.sentences.message)
    }
  }
}
