import Framing
import Glibc

/// The reason why a file cannot be read.
extension Mistake {
  static func notInFolder(_ name: String) -> Self {
    Self(
      "'\(name)' is not in the definition's folder",
      "put the file next to the definition and write only its name")
  }
  static func notFile(_ path: String) -> Self { Self("'\(path)' is not a file", "name a file") }
  static func tooLargeFile(_ path: String, size: Int, most: Int) -> Self {
    Self("'\(path)' has \(size) bytes", "blemu reads at most \(most)")
  }
  /// - Parameter code: an `errno`.
  static func unreadable(_ path: String, code: Int32) -> Self {
    Self("cannot read '\(path)': \(String(cString: strerror(code)))")
  }
  static func notText(_ path: String, _ bad: BadText) -> Self {
    Self(
      "'\(path)' is \(bad.phrase)\(bad.isUTF16 ? "" : " in line \(bad.place.line), column \(bad.place.column)")",
      "save it as UTF-8")
  }
  static func badByte(_ bad: BadText) -> Self { Self("the file is \(bad.phrase)", "save it as UTF-8") }
  static func tooMuchData(most: Int) -> Self {
    Self("the data files have more than \(most) bytes", "the limit applies to all of them together")
  }
}

extension BadText {
  fileprivate var phrase: String {
    isUTF16 ? "UTF-16, not UTF-8" : "not UTF-8 text: it has the byte \(HexText.format([byte]))"
  }
}

extension FileError {
  init(_ mistake: Mistake) { self.init(message: mistake.message, hint: mistake.hint) }
}
