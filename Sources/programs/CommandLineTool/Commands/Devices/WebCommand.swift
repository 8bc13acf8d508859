import BlemuControl
import Definitions
import EventLoop
import Glibc
import WebServer

extension Command {
  static let web = Command(
    "web", .running, arguments: "[NAME…]", words: .devices,
    summary: "Serves a web page that shows and controls running devices.",
    options: [
      Option(
        "--listen", takes: "[ADDRESS:]PORT",
        "selects the address and port (default: 127.0.0.1:25368); port 0 selects a free one"),
      Option(
        "--allow-origin", takes: "ORIGIN",
        "lets web apps at ORIGIN, as in http://localhost:5173, use devices in memory by Web Bluetooth; may be repeated",
        isRepeatable: true),
    ],
    notes: [
      "blemu prints the address of the page. The address contains a token; other browsers have no access. "
        + "Ctrl-C ends the server.",
      "The page shows the devices with these NAMEs. Without a NAME, it shows all running devices, including those that start later. A NAME with a '/' "
        + "is the path of a device's socket.",
      "By default, only this machine can reach the page. With another ADDRESS, such as 0.0.0.0 for all addresses of this machine, other machines "
        + "can reach it as well, and the connection is not encrypted. It is safer to run 'ssh -L 25368:localhost:25368 HOST' on the other "
        + "machine, and open the page there.",
      "With --allow-origin, blemu also prints the element that gives a web app 'navigator.bluetooth' without Bluetooth. Such an app can only "
        + "play a central of the devices.",
    ],
    examples: [
      Example("blemu web", "serves the page for all running devices"),
      Example("blemu web hm-10 --listen 8080", "serves it for one device, at another port"),
      Example(
        "blemu web --allow-origin http://localhost:5173", "serves devices to the web app at this address"),
    ]
  ) { arguments throws(CommandError) in
    try WebCommand(arguments).run()
  }
}

/// `blemu web [NAME…]`: serves a page for the browser.
struct WebCommand {
  /// "blemu" on the keys of a telephone.
  private static let standardPlace = SocketPlace("25368")!

  private let place: SocketPlace
  private let names: [String]
  private let apps: [PageOrigin]

  init(_ arguments: Arguments) throws(CommandError) {
    let text = arguments["--listen"]
    guard let place = text.map(SocketPlace.init) ?? Self.standardPlace else {
      throw .badValue(
        option: "--listen", value: text ?? "", expected: "a port or ADDRESS:PORT, as in 8080 or 0.0.0.0:8080")
    }
    (self.place, names) = (place, arguments.positional)
    apps = try arguments.all("--allow-origin").map { text throws(CommandError) in
      guard let origin = PageOrigin(text) else {
        throw .badValue(
          option: "--allow-origin", value: text,
          expected: "a scheme, a host and a port, as in http://localhost:5173")
      }
      return origin
    }
    for name in names where !name.contains("/") && !ControlFolder.isName(name) { throw .badDeviceName(name) }
  }

  /// Says which devices do not run. The page waits for them, but a name may be mistyped.
  private func tellAbsent() {
    for name in names where !ControlConnection.isRunning(name) {
      let hint =
        Suggestion.nearest(to: name, in: ControlConnection.running).map { "did you mean '\($0)'? " } ?? ""
      Terminal.printError(
        "blemu: no device '\(name)' runs\n  \(hint)the page shows it after it starts\n")
    }
  }

  /// The server would list no device if others could put sockets there.
  private func checkFolder() throws(CommandError) {
    do { _ = try ControlFolder.names() } catch { throw .device(error, name: "") }
  }

  /// Serves until a signal ends the program.
  func run() throws(CommandError) -> ExitStatus {
    if names.isEmpty { try checkFolder() }
    tellAbsent()
    let listener: ListeningSocket
    do { listener = try ListeningSocket(at: place) } catch { throw .cannotListen(at: place, error) }
    signal(SIGPIPE, SIG_IGN)
    return BlemuTool.runLoop { [self] () async throws(CommandError) in try await serve(at: listener) }
  }

  @EventLoop
  private func serve(at listener: ListeningSocket) async throws(CommandError) -> ExitStatus {
    let stop = StopRequest()
    let server = WebServer(listener, told: place.host, devices: names, apps: apps)
    defer { server.close() }
    if listener.isOpen { Terminal.printError(Self.warning) }
    let lines = server.addresses + (apps.isEmpty ? [] : server.scripts)
    guard FileDescriptor.write(lines.map { $0 + "\n" }.joined(), to: STDOUT_FILENO) else {
      throw .lostOutput(errno)
    }
    await stop.wait()
    return .success
  }

  private static let warning = """
    blemu: warning: other machines can reach this page, and the connection is not encrypted
      whoever has the address, or listens on the network, can steer the devices

    """
}

extension CommandError {
  /// `blemu web` cannot listen at a place.
  static func cannotListen(at place: SocketPlace, _ failure: ListeningFailure) -> Self {
    switch failure {
    case .unknownHost:
      Self(
        .cannotCreate, "cannot find the host '\(place.host)'",
        "use an address of this machine, or 0.0.0.0 for all of them")
    case .refused(EADDRINUSE):
      Self(
        .cannotCreate, "port \(place.port) is in use",
        "perhaps by another 'blemu web'; choose another port with --listen, or 0 for any free one")
    case .refused(EADDRNOTAVAIL):
      Self(
        .cannotCreate, "\(place.host) is not an address of this machine",
        "'ip address' lists them; 0.0.0.0 means all of them")
    case .refused(EACCES):
      Self(
        .noPermission, "port \(place.port) needs privileges",
        "choose a port from 1024 on, as in --listen 8080")
    case .refused(let code):
      Self(
        .cannotCreate,
        "cannot listen on \(place.host), port \(place.port): \(String(cString: strerror(code)))",
        "choose another address or port with --listen")
    }
  }
}
