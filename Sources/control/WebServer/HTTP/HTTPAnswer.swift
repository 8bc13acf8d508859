/// What the server answers to a request.
struct HTTPAnswer: Sendable {
  var status: UInt32
  var headers: [String: String] = [:]
  var type = "text/plain; charset=utf-8"
  var body: [UInt8] = []
}

extension HTTPAnswer {
  /// A sentence.
  static func text(_ status: UInt32, _ sentence: String) -> Self {
    Self(status: status, headers: notStored, body: Array((sentence + "\n").utf8))
  }

  static func json(_ line: String) -> Self {
    Self(status: 200, headers: notStored, type: "application/json", body: Array(line.utf8))
  }

  static let notStored = ["Cache-Control": "no-store"]
}
