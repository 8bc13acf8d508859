import Glibc

/// What the server answers to a request.
struct HTTPAnswer: Sendable {
  var status: Int
  var headers: [String: String] = [:]
  var type = "text/plain; charset=utf-8"
  var body: [UInt8] = []
}

extension HTTPAnswer {
  /// A sentence.
  static func text(_ status: Int, _ sentence: String) -> Self {
    Self(status: status, headers: notStored, body: Array((sentence + "\n").utf8))
  }

  static func json(_ line: String) -> Self {
    Self(status: 200, headers: notStored, type: "application/json", body: Array(line.utf8))
  }

  static let notStored = ["Cache-Control": "no-store"]

  init(_ mistake: RequestMistake) {
    self = .text(mistake.status, mistake.sentence)
    if mistake == .otherMethod { headers["Allow"] = "GET, HEAD" }
  }
}

// MARK: Bytes

extension HTTPAnswer {
  private static let reasons = [
    101: "Switching Protocols", 200: "OK", 304: "Not Modified", 400: "Bad Request", 403: "Forbidden",
    404: "Not Found", 405: "Method Not Allowed", 413: "Content Too Large", 417: "Expectation Failed",
    431: "Request Header Fields Too Large", 501: "Not Implemented", 505: "HTTP Version Not Supported",
  ]

  /// As it is sent. The connection ends after it, unless it becomes a WebSocket.
  ///
  /// - Parameter hasBody: whether the client wants the body as well.
  func bytes(hasBody: Bool) -> [UInt8] {
    var fields = SecurityHeaders.all.merging(headers) { $1 }
    fields["Date"] = Self.date
    if status != 101 { fields["Connection"] = "close" }
    if !body.isEmpty { fields["Content-Type"] = type }
    if status != 101, status != 304 { fields["Content-Length"] = "\(body.count)" }
    let lines = fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\r\n" }
    let head = "HTTP/1.1 \(status) \(Self.reasons[status] ?? "")\r\n" + lines.joined() + "\r\n"
    return Array(head.utf8) + (hasBody ? body : [])
  }

  /// Now (RFC 9110, section 5.6.7).
  private static var date: String {
    var (now, parts) = (time(nil), tm())
    gmtime_r(&now, &parts)
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 40) { text in
      strftime(text.baseAddress!, text.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
      return String(cString: text.baseAddress!)
    }
  }
}
