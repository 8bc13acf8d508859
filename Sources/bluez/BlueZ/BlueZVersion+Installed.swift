import BlueZLimits
import Glibc

extension BlueZVersion {
  /// The version of this machine's bluetoothd; nil if there is none here, as in a container that uses the bus of its host.
  package static let installed: BlueZVersion? = [
    "/usr/libexec/bluetooth/bluetoothd", "/usr/lib/bluetooth/bluetoothd", "/usr/sbin/bluetoothd",
  ].lazy.compactMap(installed(at:)).first

  /// bluetoothd prints its version to every user.
  private static func installed(at path: String) -> BlueZVersion? {
    guard access(path, X_OK) == 0, let output = popen("exec \(path) --version 2>/dev/null", "re") else {
      return nil
    }
    defer { pclose(output) }
    var line = [CChar](repeating: 0, count: 16)
    guard fgets(&line, CInt(line.count), output) != nil else { return nil }
    let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return BlueZVersion(text.prefix { $0 != "\n" })
  }
}
