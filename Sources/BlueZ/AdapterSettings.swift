import EventLoop
import Peripheral

/// What an adapter was like before the device changed its power and its alias, and how that comes back.
struct AdapterSettings {
  /// What a person should know before the device changes anything.
  let warning: String?
  private let original: AdapterRecord.Original
  /// nil: no file could be written.
  private let record: AdapterRecord?

  /// Notes what the adapter is like now.
  ///
  /// - Parameter folder: where the ``AdapterRecord`` is.
  /// - Throws: ``TransportError`` if another device uses the adapter.
  init(of adapter: Adapter, in folder: String) throws(TransportError) {
    let current = AdapterRecord.Original(
      isPowered: adapter.isPowered, alias: adapter.alias == adapter.systemName ? "" : adapter.alias)
    do throws(LockedFile.Failure) {
      let record = try AdapterRecord(of: adapter.address, current: current, in: folder)
      (self.record, original) = (record, record.original)
      warning = record.isLeftOver ? Self.leftOver(on: adapter) : nil
    } catch {
      guard case .unwritable(let file) = error else { throw .inUse(adapter) }
      (record, original) = (nil, current)
      warning = Self.noNote(of: adapter, "\(file.path): \(file.reason)")
    }
  }

  /// Puts everything back; returns what a person should know if BlueZ does not do it.
  func putBack(_ adapter: Adapter, _ client: BlueZClient) async -> String? {
    guard await client.restore(original, of: adapter) else {
      return "\(adapter.name) is not as it was: BlueZ did not answer; the next run puts it back"
    }
    record?.erase()
    return nil
  }
}

// MARK: The sentences

extension AdapterSettings {
  private static func noNote(of adapter: Adapter, _ reason: String) -> String {
    "if blemu is killed, nobody will know what \(adapter.name) was like: cannot write \(reason)"
  }

  private static func leftOver(on adapter: Adapter) -> String {
    "an earlier run was killed; what it changed on \(adapter.name) is put back at the end of this one"
  }
}
