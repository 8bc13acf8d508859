import BlemuControl
import Definitions
import EventLoop
import Glibc

extension Command {
  static let web = Command(
    "web", .running, arguments: "[NAME…]", words: .devices,
    summary: "Serves a web page that shows and controls running devices.",
    options: [
      Option(
        "--listen", takes: "[ADDRESS:]PORT",
        "selects the address and port (default: 127.0.0.1:25368); port 0 selects a free one")
    ],
    notes: [
      "blemu prints the address of the page. The address contains a token; other browsers have no access. "
        + "Ctrl-C ends the server.",
      "The page shows the devices with these NAMEs. Without a NAME, it shows all running devices, including those that start later. A NAME with a '/' "
        + "is the path of a device's socket.",
      "By default, only this machine can reach the page. With another ADDRESS, such as 0.0.0.0 for all addresses of this machine, other machines "
        + "can reach it as well, and the connection is not encrypted. It is safer to run 'ssh -L 25368:localhost:25368 HOST' on the other "
        + "machine, and open the page there.",
    ],
    examples: [
      Example("blemu web", "serves the page for all running devices"),
      Example("blemu web hm-10 --listen 8080", "serves it for one device, at another port"),
    ]
  ) { arguments throws(CommandError) in
    try WebCommand(arguments).run()
  }
}

/// `blemu web [NAME…]`: serves a page for the browser. A program of its own does so, because only it needs libsoup.
struct WebCommand {
  private let place: String?
  private let names: [String]

  init(_ arguments: Arguments) throws(CommandError) {
    place = arguments["--listen"]
    names = arguments.positional
    if let place, SocketPlace(place) == nil {
      throw .badValue(
        option: "--listen", value: place, expected: "a port or ADDRESS:PORT, as in 8080 or 0.0.0.0:8080")
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

  /// Becomes that program. It returns only if it cannot.
  func run() throws(CommandError) -> ExitStatus {
    let program = try WebProgramFile.find()
    try program.check()
    if names.isEmpty { try checkFolder() }
    tellAbsent()
    let listen = place.map { ["--listen", $0] } ?? []
    let words: [String] = [program.path] + listen + ["--"] + names
    let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    execv(program.path, arguments)
    throw .brokenWebProgram(program.path, output: String(cString: strerror(errno)))
  }
}
