import Glibc

package enum SymbolicLink {
  /// The path that a symbolic link contains; nil: there is no link, or it may not be read.
  package static func target(of path: String) -> String? {
    let bytes = [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { bytes, count in
      count = bytes.withMemoryRebound(to: CChar.self) { max(0, readlink(path, $0.baseAddress!, $0.count)) }
    }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }
}
