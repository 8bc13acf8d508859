@testable import WebServer

extension FuzzTarget {
  /// Any bytes as what a client sends to the page's server: the request is the same, however the bytes come, and has nothing that
  /// another reader could understand differently.
  static let request = FuzzTarget(
    name: "request",
    run: { bytes in
      let (whole, halves, single) = (read(bytes, by: bytes.count), read(bytes, by: 7), read(bytes, by: 1))
      try guarantee(whole == halves && whole == single, "\(whole), in pieces \(halves), each byte \(single)")
      guard case .success(let head?) = whole else { return }
      try guarantee(head.method == "GET" || head.method == "HEAD", "method \(head.method)")
      try guarantee(head.path.hasPrefix("/") && head.headers["host"] != nil, "\(head)")
      try guarantee(head.headers.count <= RequestReader.mostFields, "\(head.headers.count) fields")
      for (name, value) in head.headers {
        try guarantee(!name.isEmpty && name == name.lowercased() && !name.contains(" "), "field \(name)")
        try guarantee(!value.utf8.contains { $0 < 0x20 && $0 != 9 || $0 == 0x7F }, "\(name): \(value)")
      }
      let answer = HTTPAnswer(handshake: head) ?? .noWebSocket
      let sent = String(decoding: answer.bytes(hasBody: false), as: UTF8.self)
      try guarantee(sent.hasSuffix("\r\n\r\n") && sent.split(separator: "\r\n").count < 15, sent)
    },
    describe: { "\(read($0, by: $0.count))" })

  /// The request; nil: it is not complete; or its mistake.
  private static func read(_ bytes: [UInt8], by size: Int) -> Result<RequestHead?, RequestMistake> {
    var reader = RequestReader()
    for start in stride(from: 0, to: bytes.count, by: max(1, size)) {
      let part = bytes[start..<min(bytes.count, start + max(1, size))]
      let head = part.withUnsafeBytes { bytes in
        Result { () throws(RequestMistake) in try reader.add(bytes) }
      }
      if case .success(nil) = head { continue }
      return head
    }
    return .success(nil)
  }
}
