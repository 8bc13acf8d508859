import Bluetooth
import DeviceModel
import EventLoop
import Peripheral

/// Keeps a device's settings and bonds in a file while it runs.
@EventLoop
package final class SettingsKeeper: SettingsMemory {
  private var file: StateFile
  /// Whether the last write failed: one warning is enough until one succeeds.
  private var hasFailed = false

  init(_ file: StateFile) { self.file = file }

  package var settings: [Value] { file.settings }

  package func bonds(of device: DeviceAddress) -> [Bond] {
    file.bonds.filter { $0.device == device }.map(\.bond)
  }

  /// All with which there are bonds.
  var centrals: [LinkAddress] { file.bonds.map(\.bond.peer) }

  package func keep(_ settings: [Value]) -> String? {
    warning("settings") { () throws(StateFileError) in try file.keep(settings) }
  }

  package func keep(_ bonds: [Bond], of device: DeviceAddress) -> String? {
    warning("bonds") { () throws(StateFileError) in try file.keep(bonds, of: device) }
  }

  package func forgetBonds() -> String? {
    warning("bonds") { () throws(StateFileError) in try file.forgetBonds() }
  }

  private func warning(_ what: String, _ write: () throws(StateFileError) -> Void) -> String? {
    do throws(StateFileError) {
      try write()
      hasFailed = false
      return nil
    } catch {
      guard !hasFailed else { return nil }
      hasFailed = true
      return "cannot keep \(what): \(error.sentences.message)"
    }
  }

  /// Writes the file at the end of the run, even if nothing has changed.
  func finish() throws(StateFileError) { try file.keep(settings) }
}
