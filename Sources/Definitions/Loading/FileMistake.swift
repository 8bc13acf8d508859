import Framing
import Glibc

/// The reason why a file cannot be read.
enum FileMistake: Mistake {
  case notInFolder(String)
  case notFile(String)
  case tooLarge(String, size: Int, most: Int)
  /// - Parameter code: an `errno`.
  case unreadable(String, code: Int32)
  case notText(String, BadText)
  /// The same, for a diagnostic that shows the place.
  case badByte(BadText)
  /// The data files of a definition are too large in total.
  case tooMuchData(most: Int)
}

extension FileMistake {
  var sentences: (message: String, hint: String?) {
    switch self {
    case .notInFolder(let name):
      (
        "'\(name)' is not in the definition's folder",
        "put the file next to the definition and write only its name"
      )
    case .notFile(let path): ("'\(path)' is not a file", "name a file")
    case .tooLarge(let path, let size, let most):
      ("'\(path)' has \(size) bytes", "blemu reads at most \(most)")
    case .unreadable(let path, let code):
      ("cannot read '\(path)': \(String(cString: strerror(code)))", nil)
    case .notText(let path, let bad):
      (
        "'\(path)' is \(bad.phrase)\(bad.isUTF16 ? "" : " in line \(bad.place.line), column \(bad.place.column)")",
        "save it as UTF-8"
      )
    case .badByte(let bad): ("the file is \(bad.phrase)", "save it as UTF-8")
    case .tooMuchData(let most):
      ("the data files have more than \(most) bytes", "the limit applies to all of them together")
    }
  }
}

extension BadText {
  fileprivate var phrase: String {
    isUTF16 ? "UTF-16, not UTF-8" : "not UTF-8 text: it has the byte \(HexText.format([byte]))"
  }
}

extension FileError {
  init(_ mistake: FileMistake) {
    let (message, hint) = mistake.sentences
    self.init(message: message, hint: hint)
  }
}
