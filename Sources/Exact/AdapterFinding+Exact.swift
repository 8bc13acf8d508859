import Bluetooth
import Glibc
import HCI
import L2CAP
import Management
import Peripheral

/// What keeps an adapter from serving a device, and what to do next.
struct AdapterProblem: Error, Hashable {
  var error: TransportError
  var message: String { error.message }

  init(_ kind: TransportError.Kind, _ message: String, hint: String) {
    error = TransportError(kind, message, hint: hint)
  }

  static func opening(_ error: ManagementError) -> Self {
    guard case .noBluetooth = error else { return Self(error) }
    return Self(
      .unavailable, "this kernel has no Bluetooth sockets",
      hint: "load them (sudo modprobe bluetooth), or \(TransportError.withoutBluetooth)")
  }

  static func switchingOn(_ controller: LocalController, _ error: ManagementError) -> Self {
    guard case .refused(_, .blocked) = error else {
      return Self(error, "cannot switch \(controller.name) on: ")
    }
    return Self(
      .unavailable, "\(controller.name) is blocked by rfkill",
      hint: "unblock it: sudo rfkill unblock bluetooth")
  }

  static func listeningOn(_ controller: LocalController, _ error: L2CAPError) -> Self {
    let kind: TransportError.Kind = error == .notPermitted ? .noPermission : .unavailable
    return Self(kind, "cannot accept centrals on \(controller.name): \(error.message)", hint: error.hint)
  }

  static func advertisingOn(_ controller: LocalController, _ error: ManagementError) -> Self {
    Self(
      error, "\(controller.name) does not advertise: ",
      hint: "stop other programs that advertise, or choose another adapter with --on exact:hciN")
  }

  /// Of our own advertising sets.
  static func advertisingSetsOn(_ controller: LocalController, _ error: HCICommandError) -> Self {
    switch error {
    case .notPermitted: .noPermission
    case .refused(.setExtendedAdvertisingParameters, .memoryCapacityExceeded),
      .refused(_, .limitReached):
      Self(
        .unavailable, "\(controller.name) has no room for another advertising set",
        hint: "stop other programs that advertise, or leave out some of the definition's 'sets'")
    default:
      Self(
        .unavailable, "\(controller.name) does not advertise: \(error)",
        hint:
          "choose another adapter with --on exact:hciN, or advertise without 'phy', 'channels' and 'directed'"
      )
    }
  }

  /// - Parameter needed: the keys of the definition that need it.
  static func noExtendedAdvertising(_ controller: LocalController, needed: [String]) -> Self {
    let keys = needed.map { "'\($0)'" }.joined(separator: ", ")
    return Self(
      .unavailable, "\(controller.name) has no extended advertising, without which blemu cannot do \(keys)",
      hint:
        "choose an adapter with Bluetooth 5 with --on exact:hciN, or leave \(needed.count == 1 ? "it" : "them") out"
    )
  }

  static func noPHY(_ phy: AdvertisingPHY, _ controller: LocalController) -> Self {
    let name = phy == .coded ? "LE Coded" : "LE \(phy.rawValue)"
    return Self(
      .unavailable, "\(controller.name) does not advertise on \(name)",
      hint: "choose another adapter with --on exact:hciN, or another 'phy'")
  }

  static func tooLong(_ size: Int, of capacity: Int, _ controller: LocalController) -> Self {
    Self(
      .unavailable, "\(controller.name) sends at most \(capacity) bytes of advertising data, not \(size)",
      hint: "choose another adapter with --on exact:hciN, or shorten the data")
  }

  init(
    _ error: ManagementError, _ context: String = "",
    hint: String = "see the kernel's log (sudo dmesg); btmon shows the commands"
  ) {
    self = error.isPermission ? .noPermission : Self(.unavailable, context + error.message, hint: hint)
  }

  static var noPermission: Self {
    Self(
      .noPermission, "--on exact needs the capabilities CAP_NET_ADMIN and CAP_NET_RAW",
      hint: "grant them (sudo setcap cap_net_admin,cap_net_raw+ep \(program)), or run blemu with sudo")
  }

  /// The path of this program.
  private static var program: String {
    guard let path = realpath("/proc/self/exe", nil) else { return "blemu" }
    defer { free(path) }
    return String(cString: path)
  }

  static let noAdapter = Self(
    .unavailable, "this machine has no Bluetooth adapter",
    hint: "plug one in, or \(TransportError.withoutBluetooth)")

  static func noSuchAdapter(_ choice: AdapterChoice, there: [LocalController]) -> Self {
    let name =
      switch choice {
      case .first: "at all"
      case .named(let name): name
      case .address(let address): address.description
      }
    let list = there.map { "\($0.name) (\($0.address.address))" }.joined(separator: ", ")
    return Self(.unavailable, "there is no adapter \(name)", hint: "available: \(list)")
  }

  static func noLowEnergy(_ adapters: [LocalController]) -> Self {
    Self(
      .unavailable, "\(adapters.map(\.name).joined(separator: ", ")) does not support Bluetooth LE",
      hint: "use a controller with Bluetooth 4.0 or later; choose another adapter with --on exact:hciN")
  }

  static func hasStaticAddress(_ controller: LocalController) -> Self {
    Self(
      .unavailable,
      "\(controller.name) has been given a static address, which blemu could not put back after this device's",
      hint: "choose another adapter with --on exact:hciN, or leave out 'address' in the definition")
  }

  static func inUse(_ controller: LocalController) -> Self {
    Self(
      .unavailable, "another blemu is using \(controller.name)",
      hint: "stop it, or choose another adapter with --on exact:hciN")
  }
}
