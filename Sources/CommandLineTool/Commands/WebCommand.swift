import BlemuControl
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

  /// Becomes that program. It returns only if it cannot.
  func run() throws(CommandError) -> ExitStatus {
    let program = try WebProgramFile.find()
    try program.check()
    let listen = place.map { ["--listen", $0] } ?? []
    let words: [String] = [program.path] + listen + ["--"] + names
    let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    execv(program.path, arguments)
    throw .brokenWebProgram(program.path, output: String(cString: strerror(errno)))
  }
}
