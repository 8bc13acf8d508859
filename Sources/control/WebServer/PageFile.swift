import Cryptography
import PageFiles

/// A file of the page, which the program carries.
struct PageFile: Sendable {
  let name: String
  let text: String
  /// Changes with the text (RFC 9110, section 8.8.3).
  let tag: String

  /// By path, as in `/app.js`.
  static let all: [String: PageFile] = {
    var files: [String: PageFile] = [:]
    for file in UnsafeBufferPointer(start: page_files, count: Int(page_file_count)) {
      let one = PageFile(name: String(cString: file.name), text: String(cString: file.text))
      files["/" + one.name] = one
    }
    return files
  }()

  /// The file at a path of the server; nil: there is none.
  static func at(_ path: String) -> PageFile? { all[path == "/" ? "/page.html" : path] }

  private init(name: String, text: String) {
    (self.name, self.text) = (name, text)
    tag = "\"\(Hash.sha256.digest(of: Array(text.utf8)).base64)\""
  }

  private static let types = [
    "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml",
  ]

  var type: String {
    Self.types[String(name.split(separator: ".").last ?? "")] ?? "text/plain; charset=utf-8"
  }
}

extension PageFile {
  /// Answers with the file, or says that the browser has it already.
  func answer(to head: RequestHead) -> HTTPAnswer {
    guard name != "page.html" else { return answer(HTTPAnswer.notStored) }
    // The browser keeps it, and asks each time whether it is still the same.
    let headers = ["Cache-Control": "no-cache", "ETag": tag]
    let known = head.headers["if-none-match"]?.split { $0 == "," || $0 == " " } ?? []
    guard known.contains(where: { $0.hasSuffix(tag) || $0 == "*" }) else { return answer(headers) }
    return HTTPAnswer(status: 304, headers: headers)
  }

  private func answer(_ headers: [String: String]) -> HTTPAnswer {
    HTTPAnswer(status: 200, headers: headers, type: type, body: Array(text.utf8))
  }
}
