import Glibc

/// The reason why a file is not read.
enum FileMistake: Mistake {
  case notInFolder(String)
  case notFile(String)
  case tooLarge(String, size: Int, most: Int)
  /// - Parameter code: an `errno`.
  case unreadable(String, code: Int32)
  case notText(String)
  /// The data files of a definition are too large together.
  case tooMuchData(most: Int)
}

extension FileMistake {
  var sentences: (message: String, hint: String?) {
    switch self {
    case .notInFolder(let name):
      (
        "'\(name)' is not in the definition's folder",
        "put the file beside the definition and write its name only"
      )
    case .notFile(let path): ("'\(path)' is not a file", "name a file")
    case .tooLarge(let path, let size, let most):
      ("'\(path)' has \(size) bytes", "at most \(most) are read")
    case .unreadable(let path, let code):
      ("cannot read '\(path)': \(String(cString: strerror(code)))", nil)
    case .notText(let path): ("'\(path)' is not UTF-8 text", "save it as UTF-8")
    case .tooMuchData(let most):
      ("the data files have more than \(most) bytes", "this is the most for all of them together")
    }
  }
}

extension FileError {
  init(_ mistake: FileMistake) {
    let (message, hint) = mistake.sentences
    self.init(message: message, hint: hint)
  }
}
