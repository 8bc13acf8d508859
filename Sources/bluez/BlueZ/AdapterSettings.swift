import EventLoop
import Peripheral

/// An adapter's power, alias and way to pair before the device changes them, and how they are restored.
struct AdapterSettings {
  /// What the user should know before the device changes anything.
  let warning: String?
  private let original: Original
  /// nil: the file could not be written.
  private let record: AdapterRecord?

  /// Saves the adapter's present settings.
  ///
  /// - Parameters:
  ///   - pairs: whether the device sets how the adapter pairs.
  ///   - folder: where the ``AdapterRecord`` is.
  ///   - locked: its file, if this device has locked it.
  /// - Throws: ``TransportError`` if another device uses the adapter.
  init(
    of adapter: Adapter, pairs: Bool = false, in folder: String, locked: LockedFile? = nil
  ) throws(TransportError) {
    let current = Original(
      isPowered: adapter.isPowered, alias: adapter.alias == adapter.systemName ? "" : adapter.alias,
      pairing: pairs ? Pairing(isAllowed: adapter.isPairable, timeout: adapter.pairableTimeout) : nil)
    do throws(LockedFile.Failure) {
      let record = try AdapterRecord(
        of: adapter.address, current: current.recorded, in: folder, locked: locked)
      (self.record, original) = (record, Original(record.original))
      warning = record.isLeftOver ? Self.leftOver(on: adapter) : nil
    } catch {
      guard case .unwritable(let file) = error else { throw TransportError(.inUse(adapter.name, .bluez)) }
      (record, original) = (nil, current)
      warning = Self.noNote(of: adapter, "\(file.path): \(file.reason)")
    }
  }

  /// Restores the settings; returns a message for the user if BlueZ refuses.
  ///
  /// - Parameter pairing: whether the device has set how the adapter pairs.
  func putBack(_ adapter: Adapter, _ client: BlueZClient, pairing: Bool = true) async -> String? {
    var changed = original
    if !pairing, record?.isLeftOver != true { changed.pairing = nil }
    guard await client.restore(changed, of: adapter) else {
      return
        "could not restore the settings of \(adapter.name): BlueZ did not answer; the next run restores them"
    }
    try? record?.forget(original.recorded)
    return nil
  }

  /// How the adapter paired before; nil: unknown.
  var pairing: Pairing? { original.pairing }

  struct Original: Equatable {
    var isPowered: Bool
    /// Empty for the default.
    var alias: String
    /// nil: no device has changed it.
    var pairing: Pairing?
  }

  struct Pairing: Equatable {
    /// Adapter1's `Pairable`.
    var isAllowed: Bool
    /// Adapter1's `PairableTimeout`, seconds.
    var timeout: UInt32
  }
}

extension AdapterSettings.Original {
  init(_ recorded: AdapterRecord.Settings) {
    self.init(
      isPowered: recorded["powered"] == "true", alias: recorded["alias"] ?? "",
      pairing: recorded["pairable"].map { isAllowed in
        AdapterSettings.Pairing(
          isAllowed: isAllowed == "true", timeout: recorded["pairable-timeout"].flatMap { UInt32($0) } ?? 0)
      })
  }

  var recorded: AdapterRecord.Settings {
    var settings = ["powered": String(isPowered), "alias": alias.filter { $0 != "\n" }]
    if let pairing {
      settings["pairable"] = String(pairing.isAllowed)
      settings["pairable-timeout"] = String(pairing.timeout)
    }
    return settings
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
