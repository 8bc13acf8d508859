import BlueZLimits
import Bluetooth
import Peripheral

@testable import Doctor

/// A machine with one thing to say of it, and the finding.
struct Complaint: CustomStringConvertible, Sendable {
  let code: String
  let level: MachineFinding.Level
  let facts: MachineFacts
  var purpose = Purpose()

  var description: String { code }

  var finding: MachineFinding? {
    Examination(of: facts, for: purpose).findings.first { $0.code == code }
  }

  private init(
    _ code: String, _ level: MachineFinding.Level, on stack: AdapterFinding.Stack? = .bluez,
    _ choice: AdapterChoice = .first, _ change: (inout MachineFacts) -> Void = { _ in }
  ) {
    (self.code, self.level) = (code, level)
    facts = MadeMachine.facts.with(change)
    (purpose.stack, purpose.choice) = (stack, choice)
  }

  static let all = surroundings + kernels + bluez + adapters + settings

  private static let surroundings = [
    Complaint("needs-nothing", .ok, on: nil),
    Complaint("container-without-bluetooth", .problem) { $0.kernel.sockets = .inAnotherNetwork },
    Complaint("container-without-bus", .problem) {
      ($0.surroundings.container, $0.bus) = ("docker", .absent(reason: "no such file"))
    },
    Complaint("subsystem-without-bluetooth", .problem) {
      ($0.surroundings.isSubsystem, $0.kernel.sockets) = (true, .absent)
    },
    Complaint("subsystem-without-adapter", .problem) {
      ($0.surroundings.isSubsystem, $0.adapters) = (true, [])
    },
    Complaint("virtual-machine-without-adapter", .problem) {
      ($0.surroundings.virtualMachine, $0.adapters) = ("QEMU", [])
    },
  ]

  private static let kernels = [
    Complaint("kernel-has-bluetooth", .ok),
    Complaint("kernel-without-bluetooth", .problem) {
      ($0.kernel.sockets, $0.tools.hasBluetoothModule) = (.absent, false)
    },
    Complaint("no-sockets", .problem) { $0.kernel.sockets = .absent },
    Complaint("refuses-advertisements", .problem) { $0.kernel.version = KernelVersion("6.12.93") },
    Complaint("dies-when-central-leaves", .problem) { $0.kernel.version = KernelVersion("6.1.192") },
    Complaint("loses-media-tek-adapters", .note) { $0.kernel.version = KernelVersion("6.12.88") },
    Complaint("refuses-le2m", .note) { $0.kernel.version = KernelVersion("6.1.192") },
  ]

  private static let bluez = [
    Complaint("no-bus", .problem) { $0.bus = .absent(reason: "no such file") },
    Complaint("no-bluetoothd", .problem) { ($0.bus, $0.bluetoothd) = (.hasNoBluetoothd, nil) },
    Complaint("bluetoothd-not-on-bus", .problem) { $0.bus = .hasNoBluetoothd },
    Complaint("bluetoothd-denies-access", .problem) { $0.bus = .denies(reason: "Rejected send message") },
    Complaint("bluetoothd-is-silent", .problem) { $0.bus = .isSilent(reason: "no reply within 5.0 seconds") },
    Complaint("bluetoothd-serves", .ok),
    Complaint("refuses-long-writes", .note) { $0.bluetoothd?.version = BlueZVersion(5, 66) },
    Complaint("crashes-on-scans-for-services", .note) { $0.bluetoothd?.version = BlueZVersion(5, 87) },
    Complaint("answers-late", .note),
    Complaint("forgets-subscriptions", .note),
    Complaint("notifies-everybody", .note) { $0.bluetoothd?.version = BlueZVersion(5, 66) },
    Complaint("ignores-intervals", .note) { $0.bluetoothd?.version = BlueZVersion(5, 66) },
    Complaint("may-call-bluetoothd", .ok) { $0.user.name = "pi" },
    Complaint("may-manage-adapters", .ok),
    Complaint("no-capabilities", .problem, on: .exact) { $0.user.hasCapabilities = false },
  ]

  private static let adapters = [
    Complaint("adapter-is-ready", .ok),
    Complaint("adapter-is-off", .ok) { $0.adapters[0].bluez?.isPowered = false },
    Complaint("no-adapter", .problem) { $0.adapters = [] },
    Complaint("no-such-adapter", .problem, .named("hci9")),
    Complaint("blocked-by-rfkill", .problem) { $0.adapters[0].radioSwitch?.isSoftBlocked = true },
    Complaint("blocked-by-switch", .problem) { $0.adapters[0].radioSwitch?.isHardBlocked = true },
    Complaint("adapter-is-held", .problem) { ($0.adapters[0].controller, $0.adapters[0].bluez) = (nil, nil) },
    Complaint("adapter-is-not-served", .problem) { $0.adapters[0].bluez = nil },
    Complaint("no-low-energy", .problem) { $0.adapters[0].controller?.supported = [.powered] },
    Complaint("cannot-be-peripheral", .problem) { $0.adapters[0].bluez?.canBePeripheral = false },
    Complaint("no-advertising-instance", .problem) {
      $0.adapters[0].bluez?.usedInstances = 5
      $0.adapters[0].bluez?.freeInstances = 0
    },
    Complaint("static-address-hides-bluetoothd", .problem) {
      $0.adapters[0].controller?.current.insert(.staticAddress)
    },
    Complaint("others-advertise", .note) { $0.adapters[0].bluez?.usedInstances = 1 },
    Complaint("stray-instances", .note) { $0.adapters[0].advertising?.instances = [1, 2] },
    Complaint("centrals-are-connected", .note) { $0.adapters[0].bluez?.connected = [MadeMachine.phone] },
    Complaint("someone-scans", .note) { $0.adapters[0].bluez?.isDiscovering = true },
    Complaint("device-runs", .note) { $0.adapters[0].devices = ["hm-10"] },
    Complaint("program-listens", .note) { $0.programs = [RunningProgram(name: "btmon", process: 700)] },
  ]

  private static let settings = [
    Complaint("configuration-is-read", .ok),
    Complaint("configuration-is-missing", .note) { $0.configuration.content = .missing },
    Complaint("configuration-is-unreadable", .note) {
      $0.configuration.content = .unreadable(reason: "Permission denied")
    },
    Complaint("configuration-is-newer", .note) { $0.configuration.isNewerThanBluetoothd = true },
    Complaint("configuration-is-broken", .note) { $0.set("Policy", "[AutoEnable", "true") },
    Complaint("unknown-value", .note) { $0.set("GATT", "Channels", "9") },
    Complaint("own-device-information", .note) { $0.set("General", "DeviceID", "usb:1234:5678:abcd") },
    Complaint("fatal-mtu", .problem) {
      $0.bluetoothd?.version = BlueZVersion(5, 66)
      $0.set("GATT", "ExchangeMTU", "23")
    },
    Complaint("small-mtu", .note) { $0.set("GATT", "ExchangeMTU", "64") },
    Complaint("enhanced-channels", .note) {
      $0.adapters.append(MadeMachine.adapter("hci1"))
      $0.set("GATT", "Channels", "3")
    },
    Complaint("adapters-stay-off", .note) { $0.set("Policy", "AutoEnable", "false") },
    Complaint("no-repairing", .note) { $0.set("General", "JustWorksRepairing", "never") },
    Complaint("fixed-security", .note) {
      $0.bluetoothd?.version = BlueZVersion(5, 87)
      $0.set("General", "Testing", "true")
      $0.set("GATT", "Security", "low")
    },
    Complaint("central-is-searched", .note) { $0.set("General", "ReverseServiceDiscovery", "true") },
    Complaint("cached-attributes", .note) {
      $0.adapters.append(MadeMachine.adapter("hci1"))
      $0.set("GATT", "Cache", "always")
    },
    Complaint("no-low-energy-mode", .problem) { $0.set("General", "ControllerMode", "bredr") },
  ]
}
