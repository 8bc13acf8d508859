import BlemuControl

/// The devices that the page shows.
struct DeviceSelection: Sendable {
  /// Those that it may show: names, and paths of sockets; empty: all that run.
  var names: [String] = []

  /// Whether the page may reach this device, if it runs.
  func contains(_ name: String) -> Bool {
    names.isEmpty ? ControlFolder.isName(name) : names.contains(name)
  }

  /// The names of those that run, sorted. It does not wait for any of them.
  var running: [String] {
    guard !names.isEmpty else { return ControlConnection.running }
    return Set(names).filter { ControlConnection.isRunning($0) }.sorted()
  }
}
