import Glibc

/// The name of the running kernel, as in `Linux 6.12.117`.
enum KernelName {
  static var current: String {
    var name = utsname()
    guard uname(&name) == 0 else { return "Linux" }
    let release = withUnsafeBytes(of: &name.release) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    return "Linux \(release.prefix { $0.isNumber || $0 == "." })"
  }
}
