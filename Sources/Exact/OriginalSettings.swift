import Bluetooth
import EventLoop
import Glibc
import Management
import Peripheral

/// The settings of an adapter before the device changes them; restores them.
@EventLoop
struct OriginalSettings {
  /// What the user should know before the device changes anything.
  let warning: String?
  private let settings: AdapterRecord.Settings
  /// What an earlier run of this start of the machine has left in the kernel.
  let leftAdvertisement: LeftAdvertisement?
  /// Likewise, in the controller.
  let leftSets: LeftAdvertisingSets?
  /// nil: the file could not be written.
  private var record: AdapterRecord?
  private let boot = LeftAdvertisement.currentBoot
  private var noted: UInt8?
  private var notedSets: [UInt8] = []
  /// Whether an earlier run has set how the controller pairs, and was killed.
  private let hasLeftPairing: Bool

  /// Saves the adapter's present settings.
  ///
  /// - Parameter folder: where the ``AdapterRecord`` is.
  init(of keeper: AdapterKeeper, in folder: String) throws(AdapterFinding) {
    let controller = keeper.controller
    let current = keeper.settings.recorded
    do throws(LockedFile.Failure) {
      let record = try AdapterRecord(of: controller.address.address, current: current, in: folder)
      self.record = record
      settings = record.original.filter { current[$0.key] != nil }
      let left = record.original[LeftAdvertisement.name].flatMap(LeftAdvertisement.init)
      hasLeftPairing = record.original[Self.pairing] != nil
      leftAdvertisement = left?.boot == boot ? left : nil
      let leftSets = record.original[LeftAdvertisingSets.name].flatMap(LeftAdvertisingSets.init)
      self.leftSets = leftSets?.boot == boot ? leftSets : nil
      warning =
        record.isLeftOver
        ? "an earlier run was killed; blemu restores the settings of \(controller.name) when this run ends"
        : nil
    } catch {
      guard case .unwritable(let file) = error else { throw .inUse(controller.name, .exact) }
      (record, settings, leftAdvertisement, leftSets, hasLeftPairing) = (nil, current, nil, nil, false)
      warning =
        "cannot write \(file.path): \(file.reason); if blemu is killed, the next run cannot restore the settings "
        + "of \(controller.name)"
    }
  }

  /// Notes the instance that advertises, so that the next run removes it if this one is killed.
  mutating func note(instance: UInt8) {
    guard let boot, noted != instance else { return }
    noted = instance
    try? record?.note(LeftAdvertisement.name, LeftAdvertisement(boot: boot, instance: instance).text)
  }

  /// Likewise, the handles of our own advertising sets.
  mutating func note(sets handles: [UInt8]) {
    guard let boot, !Set(notedSets).isSuperset(of: handles) else { return }
    notedSets = Set(notedSets).union(handles).sorted()
    try? record?.note(LeftAdvertisingSets.name, LeftAdvertisingSets(boot: boot, handles: notedSets).text)
  }
  /// The name of the note that the device has set how the controller pairs.
  private static let pairing = "pairing"

  /// Notes that the device sets how the controller pairs.
  mutating func notePairing() { try? record?.note(Self.pairing, "set") }

  /// Whether blemu can put the adapter's address back after the device has had its own.
  var canChangeAddress: Bool { settings["static-address"] != "true" }

  /// Takes the address of an earlier run's device away.
  func putAddressBack(with keeper: AdapterKeeper) async throws(ManagementError) {
    try await keeper.restoreAddress(settings)
  }

  /// Pairs as before.
  func putPairingBack(with keeper: AdapterKeeper, besideBluetoothd: Bool) async throws(ManagementError) {
    guard keeper.hasSetPairing || hasLeftPairing else { return }
    try await keeper.restorePairing(settings, besideBluetoothd)
  }

  /// Restores the settings; returns a message for the user if the kernel refuses.
  func putBack(with keeper: AdapterKeeper, besideBluetoothd: Bool) async -> String? {
    do throws(ManagementError) {
      try await putPairingBack(with: keeper, besideBluetoothd: besideBluetoothd)
      try await keeper.restore(settings)
    } catch {
      return
        "could not restore the settings of \(keeper.controller.name): \(error.message); the next run restores them"
    }
    let noted = [LeftAdvertisement.name: "", LeftAdvertisingSets.name: "", Self.pairing: ""]
    try? record?.forget(settings.merging(noted) { old, _ in old })
    return nil
  }
}

extension ControllerSettings {
  fileprivate var recorded: AdapterRecord.Settings {
    [
      "powered": String(contains(.powered)), "low-energy": String(contains(.lowEnergy)),
      "basic-rate": String(contains(.basicRate)), "static-address": String(contains(.staticAddress)),
      "bondable": String(contains(.bondable)), "secure-connections": String(contains(.secureConnections)),
    ]
  }
}

extension AdapterKeeper {
  /// Takes the static address away if there was none. The adapter stays on or off.
  fileprivate func restoreAddress(_ original: AdapterRecord.Settings) async throws(ManagementError) {
    guard original["static-address"] == "false", settings.contains(.staticAddress) else { return }
    let wasPowered = settings.contains(.powered)
    try await setAddress(nil)
    if original["basic-rate"] == "true" { try await management.setBasicRate(true, on: controller.index) }
    if wasPowered { try await management.setPowered(true, on: controller.index) }
  }

  /// Pairs as before. The kernel does not report the IO capability: bluetoothd sets it when the device's agent has gone, and
  /// without bluetoothd it becomes the kernel's own, NoInputNoOutput.
  fileprivate func restorePairing(
    _ original: AdapterRecord.Settings, _ besideBluetoothd: Bool
  ) async throws(ManagementError) {
    guard isPresent else { return }
    let index = controller.index
    if !besideBluetoothd { try await management.setIOCapability(.noInputNoOutput, on: index) }
    try await management.setBondable(original["bondable"] == "true", on: index)
    try await management.setSecureConnections(original["secure-connections"] == "true", on: index)
  }

  /// Switches off what was off.
  fileprivate func restore(_ settings: AdapterRecord.Settings) async throws(ManagementError) {
    guard isPresent else { return }
    try await restoreAddress(settings)
    if settings["powered"] == "false" { try await management.setPowered(false, on: controller.index) }
    if settings["low-energy"] == "false" { try await management.setLowEnergy(false, on: controller.index) }
  }
}

/// The name of the running kernel, as in `Linux 6.12.117`.
enum KernelName {
  static var current: String {
    var name = utsname()
    guard uname(&name) == 0 else { return "Linux" }
    let release = withUnsafeBytes(of: &name.release) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    return "Linux \(release.prefix { $0.isNumber || $0 == "." })"
  }
}
