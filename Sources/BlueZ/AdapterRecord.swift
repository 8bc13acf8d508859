import Bluetooth
import EventLoop
import Glibc

/// The settings of an adapter before a device changed them, kept in a file until they are restored. A run that was
/// killed leaves the file, and the next run restores the settings from it.
///
/// The file is locked while a device uses the adapter, so that two devices cannot use it at once.
struct AdapterRecord {
  struct Original: Equatable {
    var isPowered: Bool
    /// Empty for the default.
    var alias: String
  }

  let original: Original
  /// Whether a run that was killed has left it.
  let isLeftOver: Bool
  private let file: LockedFile

  /// Locks the adapter's file, and writes `current` to it unless an earlier run has left its settings.
  init(
    of address: DeviceAddress, current: Original, in folder: String = folder
  ) throws(LockedFile.Failure) {
    try Self.makeFolder(folder)
    let name = "adapter-" + address.description.filter { $0 != ":" }
    var file = try LockedFile("\(folder)/\(name)", isPrivate: true)
    let old = Original(file.read(atMost: 1024))
    original = old ?? current
    isLeftOver = old != nil
    if !isLeftOver {
      do { try file.write(current.text) } catch { throw .unwritable(error) }
    }
    self.file = file
  }

  /// Removes the file after the settings have been restored.
  func erase() { file.remove() }

  /// `$XDG_STATE_HOME/blemu`, by default `~/.local/state/blemu` (XDG Base Directory Specification).
  static var folder: String {
    let state =
      environment("XDG_STATE_HOME") ?? environment("HOME").map { $0 + "/.local/state" } ?? "/var/tmp"
    return state + "/blemu"
  }

  private static func makeFolder(_ folder: String) throws(LockedFile.Failure) {
    var made = ""
    for part in folder.split(separator: "/") {
      made += "/" + part
      guard mkdir(made, 0o700) == 0 || errno == EEXIST else {
        throw .unwritable(UnwritableFile(made, errno))
      }
    }
  }

  private static func environment(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee == UInt8(ascii: "/") else { return nil }
    return String(cString: value)
  }
}

extension AdapterRecord.Original {
  /// `powered`, `alias`, and a last line that shows that the text is complete.
  fileprivate var text: String { "powered=\(isPowered)\nalias=\(alias.filter { $0 != "\n" })\nend\n" }

  fileprivate init?(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.count == 4, lines[2] == "end", lines[0].hasPrefix("powered="), lines[1].hasPrefix("alias=")
    else {
      return nil
    }
    self.init(isPowered: lines[0].hasSuffix("true"), alias: String(lines[1].dropFirst(6)))
  }
}
