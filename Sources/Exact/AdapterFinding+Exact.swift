import Bluetooth
import Glibc
import HCI
import L2CAP
import Management
import Peripheral

/// What an error of the kernel or of the controller means.
extension AdapterFinding {
  static func opening(_ error: ManagementError) -> Self {
    if case .noBluetooth = error { return .noSockets }
    return error.isPermission ? .noPermission : .noManagement(reason: error.message)
  }

  static func switchingOn(_ controller: LocalController, _ error: ManagementError) -> Self {
    if case .refused(_, .blocked) = error { return .blockedByRFKill(controller.name) }
    return error.isPermission
      ? .noPermission : .cannotSwitchOn(controller.name, .exact, reason: error.message)
  }

  static func listeningOn(_ controller: LocalController, _ error: L2CAPError) -> Self {
    .cannotListen(
      controller.name, reason: error.message, hint: error.hint, needsPermission: error == .notPermitted)
  }

  static func advertisingOn(_ controller: LocalController, _ error: ManagementError) -> Self {
    error.isPermission ? .noPermission : .doesNotAdvertise(controller.name, reason: error.message)
  }

  /// Of our own advertising sets.
  static func advertisingSetsOn(_ controller: LocalController, _ error: HCICommandError) -> Self {
    switch error {
    case .notPermitted: .noPermission
    case .refused(.setExtendedAdvertisingParameters, .memoryCapacityExceeded), .refused(_, .limitReached):
      .noAdvertisingSet(controller.name)
    default: .setRefused(controller.name, reason: "\(error)")
    }
  }

  /// - Parameter needed: the keys of the definition that need it.
  static func noExtendedAdvertising(_ controller: LocalController, needed: [String]) -> Self {
    .noExtendedAdvertising(controller.name, needed: needed)
  }

  static func noPHY(_ phy: AdvertisingPHY, _ controller: LocalController) -> Self {
    .noPHY(controller.name, phy)
  }

  static func tooLong(_ size: Int, of capacity: Int, _ controller: LocalController) -> Self {
    .advertisingDataTooLong(controller.name, size: size, capacity: capacity)
  }

  static func noSuchAdapter(_ choice: AdapterChoice, there: [LocalController]) -> Self {
    let name =
      switch choice {
      case .first: "at all"
      case .named(let name): name
      case .address(let address): address.description
      }
    return .noSuchAdapter(name, known: there.map { Known(name: $0.name, address: $0.address.address) })
  }

  private static var noPermission: Self { .noCapabilities(program: program) }

  /// The path of this program.
  private static var program: String {
    guard let path = realpath("/proc/self/exe", nil) else { return "blemu" }
    defer { free(path) }
    return String(cString: path)
  }
}
