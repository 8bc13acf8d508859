import BlemuFolders
import Bluetooth
import EventLoop
import Glibc

/// The settings of an adapter before a device changed them, kept in a file until they are restored. A run that was
/// killed leaves the file, and the next run restores the settings from it.
///
/// The file is locked while a device uses the adapter, so that two devices cannot use it at once.
package struct AdapterRecord {
  /// Values by name; names have no `=`, and neither has line feeds.
  package typealias Settings = [String: String]

  /// The settings before any run changed them.
  package let original: Settings
  /// Whether a run that was killed has left some of `current`.
  package let isLeftOver: Bool
  private let file: LockedFile

  /// Locks the adapter's file, so that no other device chooses the adapter, and writes nothing.
  package static func lock(
    _ address: DeviceAddress, in folder: String = folder
  ) throws(LockedFile.Failure) -> LockedFile {
    try makeFolder(folder)
    return try LockedFile(path(of: address, in: folder), isPrivate: true, followsLink: false)
  }

  /// Locks the adapter's file and writes `current` to it. Settings that an earlier run has left come before those.
  ///
  /// - Parameter locked: the file, if this device has locked it.
  package init(
    of address: DeviceAddress, current: Settings, in folder: String = folder, locked: LockedFile? = nil
  ) throws(LockedFile.Failure) {
    var file = if let locked { locked } else { try Self.lock(address, in: folder) }
    let old = Self.settings(file.read(atMost: 4096))
    original = current.merging(old) { _, old in old }
    isLeftOver = old.keys.contains { current[$0] != nil }
    if original != old {
      do { try file.write(Self.text(original)) } catch { throw .unwritable(error) }
    }
    self.file = file
  }

  /// Forgets settings that have been restored. Others, which an earlier run of another kind has left, stay.
  package func forget(_ restored: Settings) throws(UnwritableFile) {
    let rest = original.filter { restored[$0.key] == nil }
    if rest.isEmpty { return file.remove() }
    var file = file
    try file.write(Self.text(rest))
  }

  /// Whether a device of this user uses the adapter.
  package static func isInUse(_ address: DeviceAddress, in folder: String = folder) -> Bool {
    LockedFile.isLocked(path(of: address, in: folder))
  }

  /// Whether a device of this user uses the adapter, or one that was killed has left settings to restore.
  package static func exists(of address: DeviceAddress, in folder: String = folder) -> Bool {
    access(path(of: address, in: folder), F_OK) == 0
  }

  private static func path(of address: DeviceAddress, in folder: String) -> String {
    "\(folder)/adapter-" + address.description.filter { $0 != ":" }
  }

  /// `$XDG_STATE_HOME/blemu`, by default `~/.local/state/blemu` (XDG Base Directory Specification). A service of systemd has
  /// neither: then it is `/var/tmp/blemu-UID`.
  package static var folder: String {
    let state = environment("XDG_STATE_HOME") ?? environment("HOME").map { $0 + "/.local/state" }
    return state.map { $0 + "/blemu" } ?? "/var/tmp/blemu-\(geteuid())"
  }

  private static func makeFolder(_ folder: String) throws(LockedFile.Failure) {
    for slash in folder.indices.dropFirst() where folder[slash] == "/" {
      let parent = String(folder[..<slash])
      guard mkdir(parent, 0o700) == 0 || errno == EEXIST else {
        throw .unwritable(UnwritableFile(parent, errno))
      }
    }
    do throws(PrivateFolder.Problem) { try PrivateFolder.make(folder) } catch {
      switch error {
      case .foreign:
        throw .unwritable(UnwritableFile(path: folder, reason: "others may write there; remove the folder"))
      case .notFolder: throw .unwritable(UnwritableFile(folder, ENOTDIR))
      case .unusable(let code): throw .unwritable(UnwritableFile(folder, code))
      }
    }
  }

  private static func environment(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee == UInt8(ascii: "/") else { return nil }
    return String(cString: value)
  }
}

// MARK: Text

extension AdapterRecord {
  /// Lines such as `powered=true`, and a last line that shows that the text is complete.
  private static func text(_ settings: Settings) -> String {
    settings.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)\n" }.joined() + "end\n"
  }

  /// Empty unless the text is complete.
  private static func settings(_ text: String) -> Settings {
    guard text == "end\n" || text.hasSuffix("\nend\n") else { return [:] }
    let lines = text.split(separator: "\n").dropLast().map {
      $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    }
    return Dictionary(lines.filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { $1 }
  }
}
