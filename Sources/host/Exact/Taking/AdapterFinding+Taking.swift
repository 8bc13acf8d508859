import Bluetooth
import Glibc
import Kernel
import Peripheral

/// What an error of the kernel means for an adapter that is to be taken.
extension AdapterFinding {
  static func opening(_ error: ManagementError) -> Self {
    if case .noBluetooth = error { return .noSockets }
    return error.isPermission ? .noPermission : .noManagement(reason: error.message)
  }

  static func taking(_ controller: LocalController, _ error: ManagementError) -> Self {
    error.isPermission ? .noPermission : .cannotTake(controller.name, reason: error.message)
  }

  static func taking(_ controller: LocalController, _ error: ControllerFinding) -> Self {
    switch error {
    case .mayNotTakeAdapter: .noPermission
    case .adapterIsBlocked: .blockedByRFKill(controller.name)
    case .adapterIsOn:
      .cannotTake(controller.name, reason: "another program uses it, or keeps switching it on")
    default: .cannotTake(controller.name, reason: error.sentences.message)
    }
  }

  private static var noPermission: Self { .noCapabilities(program: program) }

  /// The path of this program.
  private static var program: String {
    guard let path = realpath("/proc/self/exe", nil) else { return "blemu" }
    defer { free(path) }
    return String(cString: path)
  }
}
