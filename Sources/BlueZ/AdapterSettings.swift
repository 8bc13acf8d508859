import EventLoop
import Peripheral

/// An adapter's power and alias before the device changes them, and how they are restored.
struct AdapterSettings {
  /// What the user should know before the device changes anything.
  let warning: String?
  private let original: Original
  /// nil: the file could not be written.
  private let record: AdapterRecord?

  /// Saves the adapter's present settings.
  ///
  /// - Parameter folder: where the ``AdapterRecord`` is.
  /// - Throws: ``TransportError`` if another device uses the adapter.
  init(of adapter: Adapter, in folder: String) throws(TransportError) {
    let current = Original(
      isPowered: adapter.isPowered, alias: adapter.alias == adapter.systemName ? "" : adapter.alias)
    do throws(LockedFile.Failure) {
      let record = try AdapterRecord(of: adapter.address, current: current.recorded, in: folder)
      (self.record, original) = (record, Original(record.original))
      warning = record.isLeftOver ? Self.leftOver(on: adapter) : nil
    } catch {
      guard case .unwritable(let file) = error else { throw .inUse(adapter) }
      (record, original) = (nil, current)
      warning = Self.noNote(of: adapter, "\(file.path): \(file.reason)")
    }
  }

  /// Restores the settings; returns a message for the user if BlueZ does not do it.
  func putBack(_ adapter: Adapter, _ client: BlueZClient) async -> String? {
    guard await client.restore(original, of: adapter) else {
      return
        "could not restore the settings of \(adapter.name): BlueZ did not answer; the next run restores them"
    }
    try? record?.forget(original.recorded)
    return nil
  }

  struct Original: Equatable {
    var isPowered: Bool
    /// Empty for the default.
    var alias: String
  }
}

extension AdapterSettings.Original {
  init(_ recorded: AdapterRecord.Settings) {
    self.init(isPowered: recorded["powered"] == "true", alias: recorded["alias"] ?? "")
  }

  var recorded: AdapterRecord.Settings {
    ["powered": String(isPowered), "alias": alias.filter { $0 != "\n" }]
  }
}

// MARK: The sentences

extension AdapterSettings {
  private static func noNote(of adapter: Adapter, _ reason: String) -> String {
    "cannot write \(reason); if blemu is killed, the next run cannot restore the settings of \(adapter.name)"
  }

  private static func leftOver(on adapter: Adapter) -> String {
    "an earlier run was killed; blemu restores the settings of \(adapter.name) when this run ends"
  }
}
