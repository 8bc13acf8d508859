internal import BlemuFolders
import Glibc

/// The folder of the sockets of running devices, and their names.
package enum ControlFolder {
  private static let ending = ".sock"

  /// `$XDG_RUNTIME_DIR/blemu`, without that variable `/tmp/blemu-UID` (XDG Base Directory Specification).
  package static var path: String {
    if let folder = getenv("XDG_RUNTIME_DIR"), folder.pointee == UInt8(ascii: "/") {
      return String(cString: folder) + "/blemu"
    }
    return "/tmp/blemu-\(getuid())"
  }

  /// Checks that only this user may put sockets there. A folder that does not exist has none.
  static func check() throws(ControlFailure) {
    do throws(PrivateFolder.Problem) { try PrivateFolder.check(path) } catch .unusable(ENOENT) {
      return
    } catch .unusable(let code) {
      throw .noConnection(path, reason: String(cString: strerror(code)))
    } catch {
      throw .foreignFolder(path)
    }
  }

  /// The socket of the device with this name; a path stands for itself.
  package static func socket(of name: String) -> String {
    name.contains("/") ? name : "\(path)/\(name)\(ending)"
  }

  /// The most bytes of a name.
  package static let longestName = 64

  /// Whether a device may have this name: letters, digits, `-`, `_` and `.`, at most ``longestName``, the first a letter or a digit.
  package static func isName(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    guard let first = bytes.first, bytes.count <= longestName, isLetterOrDigit(first) else { return false }
    return bytes.allSatisfy { isLetterOrDigit($0) || "-_.".utf8.contains($0) }
  }

  /// The name of a device that has no other, from that of its definition: `HM-10 (V540)` becomes `hm-10-v540`.
  package static func name(for definition: String) -> String {
    var name = ""
    for byte in definition.lowercased().utf8.prefix(longestName) {
      if isLetterOrDigit(byte) {
        name.unicodeScalars.append(Unicode.Scalar(byte))
      } else if !name.isEmpty, name.last != "-" {
        name += "-"
      }
    }
    while name.last == "-" { name.removeLast() }
    return name.isEmpty ? "device" : name
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: false
    }
  }

  /// The names of all sockets there, sorted. Devices that were killed have left theirs.
  package static func names() throws(ControlFailure) -> [String] {
    try check()
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let file = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if file.hasSuffix(ending), isName(String(file.dropLast(ending.count))) {
        names.append(String(file.dropLast(ending.count)))
      }
    }
    return names.sorted()
  }
}
