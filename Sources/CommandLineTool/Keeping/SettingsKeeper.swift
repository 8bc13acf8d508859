import DeviceModel
import EventLoop
import Peripheral

/// Keeps a device's settings in a file while it runs.
@EventLoop
final class SettingsKeeper: SettingsMemory {
  private(set) var settings: [Value]
  private var file: StateFile
  private var hasFailed = false

  init(_ file: StateFile) {
    self.file = file
    settings = file.settings
  }

  func keep(_ settings: [Value]) -> String? {
    self.settings = settings
    do {
      try file.keep(settings)
      return nil
    } catch {
      guard !hasFailed else { return nil }
      hasFailed = true
      return "cannot keep settings: \(error.sentences?.message ?? "")"
    }
  }

  /// Writes the settings at the end of the run, even if none has changed.
  func finish() throws(CommandError) { try file.keep(settings) }
}
