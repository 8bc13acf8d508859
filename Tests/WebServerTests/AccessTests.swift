import Testing

@testable import WebServer

/// Who gets an answer.
@Suite struct AccessTests {
  private static let token = Token()

  private func decision(
    on head: RequestHead, told: String = "127.0.0.1", isOpen: Bool = false
  ) -> AccessCheck.Decision {
    AccessCheck(token: Self.token, hosts: OwnHosts(told: told, isOpen: isOpen)).decision(on: head)
  }

  private func request(_ path: String = "/devices", _ headers: [String: String] = [:]) -> RequestHead {
    let own = [
      "host": "127.0.0.1:25368", "authorization": "Bearer \(Self.token.text)",
      "sec-websocket-protocol": "blemu, token.\(Self.token.text)",
    ]
    return RequestHead(path: path, headers: own.merging(headers) { $1 })
  }

  @Test(arguments: [
    "127.0.0.1:25368", "localhost:25368", "LocalHost:25368", "[::1]:25368",
    // The end of a tunnel has its own port.
    "localhost:8080", "localhost",
  ])
  func `the names of the loopback are known`(host: String) {
    #expect(decision(on: request("/devices", ["host": host])) == .admitted)
  }

  @Test(arguments: [
    "evil.example:25368", "evil.example", "127.0.0.1.evil.example:25368", "localhost.evil.example:25368",
    "192.168.1.1:25368", "0.0.0.0:25368", "127.0.0.2:25368", "", ":25368", "localhost:", "localhost:x",
    "localhost:99999", "localhost:25368:1", "[::1", "::1:25368", "[localhost]:25368", "user@localhost:25368",
    "localhost., evil.example", "localhost:25368, localhost:25368",
  ])
  func `another host is refused`(host: String) {
    #expect(decision(on: request("/", ["host": host])) == .refused(.host))
  }

  @Test func `a request without a host is refused`() {
    #expect(decision(on: RequestHead(path: "/")) == .refused(.host))
  }

  @Test func `an open listener has the addresses of the machine, and the name that was told`() throws {
    func isKnown(_ host: String, told: String) -> Bool {
      decision(on: request("/devices", ["host": host]), told: told, isOpen: true) == .admitted
    }
    for address in OwnHosts.addresses {
      #expect(isKnown(address.contains(":") ? "[\(address)]" : address, told: "0.0.0.0"))
    }
    #expect(isKnown("pi.local", told: "Pi.local"))
    #expect(isKnown("localhost", told: "pi.local"))
    #expect(!isKnown("pi.local", told: "0.0.0.0"))
    #expect(!isKnown("198.51.100.7", told: "0.0.0.0"))
  }

  @Test(arguments: [
    ["origin": "http://evil.example"], ["origin": "null"], ["origin": ""],
    ["origin": "https://127.0.0.1:25368"], ["origin": "http://localhost:25368"],
    ["origin": "http://127.0.0.1:8080"], ["origin": "http://127.0.0.1:25368.evil.example"],
    ["upgrade": "websocket"], ["upgrade": "WebSocket", "origin": "http://evil.example"],
    ["sec-fetch-site": "cross-site"], ["sec-fetch-site": "same-site"],
    ["sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"],
  ])
  func `what a page from elsewhere sends is refused`(headers: [String: String]) {
    #expect(decision(on: request("/devices", headers)) == .refused(.origin))
  }

  @Test(arguments: [
    ["sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe"],
    ["sec-fetch-mode": "no-cors", "sec-fetch-dest": "image"],
    ["sec-fetch-mode": "cors", "sec-fetch-dest": "empty"],
  ])
  func `a page from elsewhere cannot have the start page for itself`(headers: [String: String]) {
    let foreign = headers.merging(["sec-fetch-site": "cross-site"]) { $1 }
    #expect(decision(on: request("/", foreign)) == .refused(.origin))
  }

  @Test func `a person may come from a link`() {
    let headers = [
      "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document",
    ]
    #expect(decision(on: request("/", headers)) == .admitted)
  }

  @Test(arguments: [
    ["origin": "http://127.0.0.1:25368"], ["origin": "http://127.0.0.1:25368", "upgrade": "websocket"],
    ["sec-fetch-site": "same-origin"], ["sec-fetch-site": "none"],
  ])
  func `what the page itself sends is admitted`(headers: [String: String]) {
    #expect(decision(on: request("/control", headers)) == .admitted)
  }

  @Test(arguments: [
    "", "Bearer", "Bearer ", "Bearer 0123456789abcdef0123456789abcdef", "TOKEN", "Bearer TOKENx",
    "Basic TOKEN",
  ])
  func `a wrong token is refused`(text: String) {
    let text = text.replacing("TOKEN", with: Self.token.text)
    #expect(decision(on: request("/devices", ["authorization": text])) == .refused(.token))
  }

  @Test(arguments: ["", "blemu", "token.TOKEN", "blemu, token.", "blemu, token.TOKENx", "other, token.TOKEN"])
  func `a WebSocket without the token among its subprotocols is refused`(text: String) {
    let text = text.replacing("TOKEN", with: Self.token.text)
    let headers = [
      "origin": "http://127.0.0.1:25368", "upgrade": "websocket", "sec-websocket-protocol": text,
    ]
    #expect(decision(on: request("/control", headers)) == .refused(.token))
  }

  @Test func `neither a cookie nor the address lets a browser in`() {
    let cookie = ["host": "127.0.0.1:25368", "cookie": "blemu-25368=\(Self.token.text)"]
    let head = RequestHead(path: "/devices", query: ["token": Self.token.text], headers: cookie)
    #expect(decision(on: head) == .refused(.token))
  }

  @Test(arguments: ["/", "/page.html", "/app.js", "/favicon.svg"])
  func `the files of the page need no token, but a known host`(path: String) {
    #expect(decision(on: RequestHead(path: path, headers: ["host": "localhost"])) == .admitted)
    #expect(decision(on: RequestHead(path: path, headers: ["host": "evil.example"])) == .refused(.host))
  }

  // MARK: Web apps

  private static let app = "http://localhost:5173"

  /// A request of a browser that has no token.
  private func decision(
    ofApp path: String, _ headers: [String: String], apps: [String] = [Self.app], upgrades: Bool = false
  ) -> AccessCheck.Decision {
    let own = ["host": "127.0.0.1:25368", "sec-fetch-site": "cross-site"]
    let upgrade = upgrades ? ["upgrade": "websocket", "sec-websocket-protocol": "blemu"] : [:]
    return AccessCheck(
      token: Self.token, hosts: OwnHosts(told: "127.0.0.1", isOpen: false),
      apps: Set(apps.compactMap(PageOrigin.init))
    ).decision(on: RequestHead(path: path, headers: own.merging(upgrade) { $1 }.merging(headers) { $1 }))
  }

  @Test(arguments: [
    ("/web-bluetooth.js", [:]), ("/web-bluetooth.js", ["origin": app]), ("/devices", ["origin": app]),
    ("/central", ["origin": app]), ("/devices", ["origin": "HTTP://LocalHost:5173"]),
  ])
  func `an allowed app has the script, the names of devices and their centrals`(
    path: String, headers: [String: String]
  ) {
    let origin = headers["origin"].flatMap(PageOrigin.init)
    #expect(decision(ofApp: path, headers, upgrades: path == "/central") == .admittedApp(origin))
  }

  @Test(arguments: ["/", "/app.js", "/face", "/control", "/nothing"])
  func `an allowed app has nothing else`(path: String) {
    #expect(decision(ofApp: path, ["origin": Self.app]) == .refused(.origin))
  }

  @Test(arguments: [
    "http://localhost:5174", "https://localhost:5173", "http://localhost", "http://127.0.0.1:5173", "null",
    "",
    "http://localhost:5173.evil.example", "http://localhost:5173/", "http://evil.example",
    "http://localhost:5173, http://evil.example",
  ])
  func `another origin is refused`(origin: String) {
    for path in ["/web-bluetooth.js", "/devices", "/central"] {
      #expect(decision(ofApp: path, ["origin": origin]) == .refused(.origin))
    }
  }

  @Test func `without an origin there are no devices`() {
    #expect(decision(ofApp: "/devices", [:]) == .refused(.origin))
    #expect(decision(ofApp: "/central", [:], upgrades: true) == .refused(.origin))
  }

  @Test func `an allowed app must ask for a known host`() {
    #expect(decision(ofApp: "/devices", ["origin": Self.app, "host": "evil.example"]) == .refused(.host))
  }

  @Test func `if no app is allowed, no page from elsewhere has the script`() {
    #expect(decision(ofApp: "/web-bluetooth.js", [:], apps: []) == .refused(.origin))
    #expect(decision(ofApp: "/devices", ["origin": Self.app], apps: []) == .refused(.origin))
  }

  @Test(arguments: [
    ("http://localhost:5173", "http://localhost:5173"), ("HTTPS://App.Example", "https://app.example"),
    ("http://localhost:80", "http://localhost"), ("https://app.example:443", "https://app.example"),
    ("https://app.example:80", "https://app.example:80"), ("http://[::1]:5173", "http://[::1]:5173"),
    ("capacitor://localhost", "capacitor://localhost"),
  ])
  func `an origin has a scheme, a host and a port`(text: String, origin: String) {
    #expect(PageOrigin(text)?.text == origin)
  }

  @Test(arguments: [
    "", "null", "*", "localhost:5173", "http://", "file://", "http://localhost:5173/", "http://localhost/app",
    "http://*.example", "http://user@host", "http://a b", "://host", "1://host", "http://a,http://b",
  ])
  func `anything else is no origin`(text: String) {
    #expect(PageOrigin(text) == nil)
  }

  @Test func `a token is 128 bits, and another one each time`() {
    let tokens = (0..<100).map { _ in Token().text }
    #expect(Set(tokens).count == 100)
    #expect(tokens.allSatisfy { $0.utf8.count == 32 && $0.allSatisfy(\.isHexDigit) })
  }
}
