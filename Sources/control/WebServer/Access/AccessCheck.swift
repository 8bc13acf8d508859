/// Decides whether a request may have an answer. A browser runs pages from elsewhere, too, and they may send requests here.
struct AccessCheck: Sendable {
  let token: Token
  let hosts: OwnHosts
  /// Those of the web apps that may play centrals.
  var apps: Set<PageOrigin> = []

  enum Decision: Hashable, Sendable {
    /// It has the token, or asks for a file of the page: these are public.
    case admitted
    /// A web app asks for what it may have without the token, or a page that does not say whether it is one asks for the script.
    case admittedApp(PageOrigin?)
    case refused(Refusal)
  }

  enum Refusal: Hashable, Sendable {
    /// The browser has asked for another host: a name that leads here for the sake of a page from elsewhere (DNS rebinding).
    case host
    /// A page from elsewhere has sent it.
    case origin
    /// It has no token, or a wrong one.
    case token
  }

  func decision(on head: RequestHead) -> Decision {
    guard let text = head.headers["host"], let host = HostField(text), hosts.contains(host.name) else {
      return .refused(.host)
    }
    if let app = app(head) { return app }
    guard isOwn(head, host: text) else { return .refused(.origin) }
    return PageFile.at(head.path) != nil || token.matches(head.token) ? .admitted : .refused(.token)
  }

  /// A web app gets the script for Web Bluetooth, the names of the devices, and a way to their centrals.
  private func app(_ head: RequestHead) -> Decision? {
    guard !apps.isEmpty, WebServer.pathsOfApps.contains(head.path) else { return nil }
    // An element of a script does not say which page it is in.
    guard let text = head.headers["origin"] else {
      return head.path == WebServer.script ? .admittedApp(nil) : nil
    }
    return PageOrigin(text).flatMap { apps.contains($0) ? .admittedApp($0) : nil }
  }

  /// Whether a page of this server has sent it, or the person at the browser.
  private func isOwn(_ head: RequestHead, host: String) -> Bool {
    if let origin = head.headers["origin"] {
      guard origin.lowercased() == "http://\(host.lowercased())" else { return false }
    } else if head.isForWebSocket {
      return false
    }
    // A browser says so since 2020. Another server on this machine counts as the same site.
    guard let site = head.headers["sec-fetch-site"], site != "same-origin", site != "none" else {
      return true
    }
    return head.path == "/" && head.headers["sec-fetch-mode"] == "navigate"
      && head.headers["sec-fetch-dest"] == "document"
  }
}
