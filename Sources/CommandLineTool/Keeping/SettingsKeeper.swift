import Bluetooth
import DeviceModel
import EventLoop
import Peripheral

/// Keeps a device's settings and bonds in a file while it runs.
@EventLoop
final class SettingsKeeper: SettingsMemory {
  private var file: StateFile
  private var hasFailed = false

  init(_ file: StateFile) { self.file = file }

  var settings: [Value] { file.settings }

  func bonds(of device: DeviceAddress) -> [Bond] {
    file.bonds.filter { $0.device == device }.map(\.bond)
  }

  /// All with which there are bonds.
  var centrals: [LinkAddress] { file.bonds.map(\.bond.peer) }

  func keep(_ settings: [Value]) -> String? {
    warning("settings") { () throws(CommandError) in try file.keep(settings) }
  }

  func keep(_ bonds: [Bond], of device: DeviceAddress) -> String? {
    warning("bonds") { () throws(CommandError) in try file.keep(bonds, of: device) }
  }

  func forgetBonds() -> String? {
    warning("bonds") { () throws(CommandError) in try file.forgetBonds() }
  }

  private func warning(_ what: String, _ write: () throws(CommandError) -> Void) -> String? {
    do throws(CommandError) {
      try write()
      return nil
    } catch {
      guard !hasFailed else { return nil }
      hasFailed = true
      return "cannot keep \(what): \(error.sentences?.message ?? "")"
    }
  }

  /// Writes the file at the end of the run, even if nothing has changed.
  func finish() throws(CommandError) { try file.keep(settings) }
}
