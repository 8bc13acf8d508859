import BlemuControl
import Definitions
import EventLoop
import Glibc

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
      Terminal.printError("blemu: no device '\(name)' runs\n  \(hint)the page shows it once it does\n")
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
