import Bluetooth
import EventLoop
import Glibc

/// What an adapter was like before a device changed it, kept in a file until it is put back: a run that was
/// killed leaves the file, and the next one finds there what really was.
///
/// The file is locked while a device uses the adapter, so that two do not fight over one.
struct AdapterRecord {
  struct Original: Equatable {
    var isPowered: Bool
    /// Empty where nobody had set one.
    var alias: String
  }

  enum Failure: Error {
    case inUse
    case unwritable(String)
  }

  let original: Original
  /// Whether it was left by a run that did not end well.
  let isLeftOver: Bool
  private let file: FileDescriptor
  private let path: String

  /// Locks the adapter's file, and notes `current` unless an earlier run has left its note.
  init(of address: DeviceAddress, current: Original, in folder: String = folder) throws(Failure) {
    try Self.makeFolder(folder)
    path = folder + "/adapter-" + address.description.filter { $0 != ":" }
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .unwritable("\(path): \(String(cString: strerror(errno)))") }
    file = FileDescriptor(owning: descriptor)
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw .inUse }
    if let old = Original(Self.read(descriptor)) {
      original = old
      isLeftOver = true
    } else {
      original = current
      isLeftOver = false
      try Self.write(current.text, descriptor, path)
    }
  }

  /// Everything is as it was.
  func erase() { unlink(path) }

  /// `$XDG_STATE_HOME/blemu`, by default `~/.local/state/blemu` (XDG Base Directory Specification).
  static var folder: String {
    let state =
      environment("XDG_STATE_HOME") ?? environment("HOME").map { $0 + "/.local/state" } ?? "/var/tmp"
    return state + "/blemu"
  }

  private static func makeFolder(_ folder: String) throws(Failure) {
    var made = ""
    for part in folder.split(separator: "/") {
      made += "/" + part
      guard mkdir(made, 0o700) == 0 || errno == EEXIST else {
        throw .unwritable("\(made): \(String(cString: strerror(errno)))")
      }
    }
  }

  private static func environment(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee == UInt8(ascii: "/") else { return nil }
    return String(cString: value)
  }

  private static func read(_ descriptor: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  private static func write(_ text: String, _ descriptor: Int32, _ path: String) throws(Failure) {
    let bytes = Array(text.utf8)
    let count = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    guard count == bytes.count else { throw .unwritable("\(path): \(String(cString: strerror(errno)))") }
  }
}

extension AdapterRecord.Original {
  /// `powered`, `alias`, and a last line that shows that it is whole.
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
