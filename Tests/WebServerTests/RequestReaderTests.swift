import Testing

@testable import WebServer

/// The head of a request: what is one, and why the rest is none.
@Suite struct RequestReaderTests {
  /// The head in a text, in pieces of a size, or the mistake that it has; nil: it is not complete.
  private func read(_ text: String, by size: Int = .max) -> Result<RequestHead, RequestMistake>? {
    var reader = RequestReader()
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let head = rest.prefix(size).withUnsafeBytes { bytes in
        Result { () throws(RequestMistake) in try reader.add(bytes) }
      }
      switch head {
      case .success(nil): rest = rest.dropFirst(size)
      case .success(let head?): return .success(head)
      case .failure(let mistake): return .failure(mistake)
      }
    }
    return nil
  }

  private func request(_ target: String = "/", _ fields: String = "") -> String {
    "GET \(target) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n"
  }

  @Test(arguments: [1, 2, 7, 1000])
  func `a head is read, however its bytes come`(size: Int) throws {
    let text = request(
      "/a%20b?x=1", "COOKIE:\t a=\"ä\"; b \t\r\ncookie: c\r\nAccept:\r\nX-!#$%&'*+.^_`|~09: :\r\n")
    let head = RequestHead(
      path: "/a b", query: ["x": "1"],
      headers: [
        "host": "localhost", "cookie": "a=\"ä\"; b, c", "accept": "", "x-!#$%&'*+.^_`|~09": ":",
      ])
    #expect(read(text, by: size) == .success(head))
    #expect(try read(text.replacing("GET", with: "HEAD"), by: size)?.get().method == "HEAD")
    #expect(read(String(text.dropLast()), by: size) == nil)
  }

  @Test(arguments: [
    ("/?a=1&b=2&a=3", ["a": "3", "b": "2"]), ("/?a", [:]), ("/?", [:]), ("/?=1", ["": "1"]),
    ("/?a=b=c", ["a": "b=c"]), ("/?a+b=c+d%2B", ["a+b": "c d+"]), ("/?a=%C3%A4", ["a": "ä"]),
    ("/?a=%2fb?c", ["a": "/b?c"]), ("/?&&a=&", ["a": ""]),
  ])
  func `a query has parameters`(target: String, query: [String: String]) throws {
    #expect(try read(request(target))?.get().query == query)
  }

  @Test(arguments: [
    "GET / HTTP/1.1 \r\n", "GET  / HTTP/1.1\r\n", " GET / HTTP/1.1\r\n", "GET\t/ HTTP/1.1\r\n", "GET /\r\n",
    "\r\n",
    "GET / x HTTP/1.1\r\n", "GET / HTTP/11\r\n", "GET / http/1.1\r\n", "GET / HTTP/1.1.1\r\n",
    "GET / HTTP/x.y\r\n",
    "GET / HTTPS/1.1\r\n",
  ])
  func `what is no request line is refused`(text: String) {
    #expect(read(text) == .failure(.badRequestLine))
  }

  @Test(arguments: ["1.0", "0.9", "1.2", "2.0"])
  func `another version is refused`(version: String) {
    #expect(read("GET / HTTP/\(version)\r\n") == .failure(.otherVersion))
  }

  @Test(arguments: ["POST", "PUT", "DELETE", "OPTIONS", "CONNECT", "PATCH", "TRACE", "get", "G@T", ""])
  func `no other method is possible`(method: String) {
    #expect(read("\(method) / HTTP/1.1\r\n") == .failure(.otherMethod))
  }

  @Test(arguments: [
    "", "app.js", "*", "http://localhost/", "localhost:80", "/ä", "/%", "/%4", "/%zz", "/%+1", "/%00", "/%E4",
    "/?a=%zz",
    "/?%00=a", "/?a=%FF",
  ])
  func `what is no path is refused`(target: String) {
    #expect(read("GET \(target) HTTP/1.1\r\n") == .failure(.badTarget))
  }

  @Test(arguments: [
    "GET / HTTP/1.1\n", "GET / HTTP/1.1\r\r\n", "GET /\0", "\u{16}", "GET / HTTP/1.1\r\nHost: a\n",
    "GET / HTTP/1.1\r\nA: a\rb\r\n",
    "GET / HTTP/1.1\r\nA: a\0b\r\n", "GET / HTTP/1.1\r\nA: \u{1B}[0m\r\n", "GET / HTTP/1.1\r\nA: \u{7F}\r\n",
    "GET / HTTP/1.1\r\n\n",
  ])
  func `a control character is refused`(text: String) {
    #expect(read(text) == .failure(.badCharacter))
    #expect(read(text, by: 1) == .failure(.badCharacter))
  }

  @Test(arguments: ["A : a", " b", "\tb", "A", ":", ": a", "A B: a", "ä: a", "A\"B: a", "(a): b", "A\t: a"])
  func `what is no field is refused`(line: String) {
    #expect(read(request("/", "A: a\r\n\(line)\r\n")) == .failure(.badField))
  }

  @Test(
    arguments: [
      ("Content-Length: 1", .body), ("Content-Length: 0009", .body),
      ("Content-Length: 99999999999999999999", .body), ("Content-Length: x", .badLength),
      ("Content-Length:", .badLength), ("Content-Length: -1", .badLength), ("Content-Length: +0", .badLength),
      ("Content-Length: 0, 0", .badLength), ("Content-Length: 0\r\nContent-Length: 5", .badLength),
      ("Transfer-Encoding: chunked", .transferCoding), ("Transfer-Encoding:", .transferCoding),
      ("Content-Length: 0\r\ntransfer-encoding: identity", .transferCoding), ("Expect: x", .expectation),
    ] as [(String, RequestMistake)])
  func `a body is refused`(fields: String, mistake: RequestMistake) {
    #expect(read(request("/", fields + "\r\n")) == .failure(mistake))
  }

  @Test(arguments: ["Content-Length: 0", "content-length: 00", "Expect: 100-Continue"])
  func `no body is none`(field: String) throws {
    #expect(try read(request("/", field + "\r\n"))?.get().path == "/")
  }

  @Test func `a host is named`() throws {
    #expect(read("GET / HTTP/1.1\r\nAccept: a\r\n\r\n") == .failure(.noHost))
    // The check of access refuses what is not one host.
    #expect(try read(request("/", "Host: localhost\r\n"))?.get().headers["host"] == "localhost, localhost")
  }

  @Test(arguments: [1, 1000, Int.max])
  func `a head has limits`(size: Int) throws {
    let rest = RequestReader.mostBytes - request("/", "A: \r\n").utf8.count
    let largest = request("/", "A: \(String(repeating: "a", count: rest))\r\n")
    #expect(try read(largest, by: size)?.get().headers["a"]?.count == rest)
    #expect(read(largest.replacing("A: ", with: "AA: "), by: size) == .failure(.tooLarge))
    #expect(
      read("GET /" + String(repeating: "a", count: RequestReader.mostBytes), by: size) == .failure(.tooLarge))
    let fields = (2...RequestReader.mostFields).map { "A\($0): a\r\n" }.joined()
    #expect(try read(request("/", fields), by: size)?.get().headers.count == RequestReader.mostFields)
    #expect(read(request("/", fields + "A: a\r\n"), by: size) == .failure(.tooLarge))
  }

  @Test func `a reader knows whether more has come than the head`() throws {
    for (text, hasMore) in [(request(), false), (request() + "\r\n", true), (request() + request(), true)] {
      var reader = RequestReader()
      let head = try Array(text.utf8).withUnsafeBytes { try reader.add($0) }
      #expect(head?.path == "/" && reader.hasMore == hasMore)
    }
  }
}
