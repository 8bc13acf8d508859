import BlemuControl
import EventLoop
import Glibc

/// The program `blemu-web`, which `blemu web` runs.
package enum WebProgram {
  /// Runs a command line, whose first word is the program's name, and returns the exit status.
  ///
  /// - Parameter commit: what the program was built from, if that is known.
  package static func run(_ commandLine: [String], commit: String?) -> Int32 {
    ProgramVersion.setCommit(commit)
    do throws(WebError) {
      let arguments = try WebArguments(commandLine.dropFirst())
      guard !arguments.asksForVersion else { return print(ProgramVersion.line(of: "blemu-web") + "\n") }
      return serve(arguments, at: try ListeningSocket(at: arguments.place))
    } catch {
      FileDescriptor.write(error.text, to: STDERR_FILENO)
      return error.status
    }
  }

  /// Writes to standard output at once, and returns the exit status.
  private static func print(_ text: String) -> Int32 {
    if FileDescriptor.write(text, to: STDOUT_FILENO) { return 0 }
    let reason = String(cString: strerror(errno))
    FileDescriptor.write("blemu: cannot write to standard output: \(reason)\n", to: STDERR_FILENO)
    return 74  // EX_IOERR
  }

  /// Serves until a signal ends the program.
  private static func serve(_ arguments: WebArguments, at listener: ListeningSocket) -> Int32 {
    signal(SIGPIPE, SIG_IGN)
    return EventLoop.run {
      let end = Promise<Void>()
      let signals = [SIGINT, SIGTERM, SIGHUP].map { EventLoop.SignalWatch($0) { end.fulfil() } }
      defer { withExtendedLifetime(signals) {} }
      let server = WebServer(listener, told: arguments.place.host, devices: arguments.devices)
      if listener.isOpen { FileDescriptor.write(warning, to: STDERR_FILENO) }
      let status = print(server.addresses.map { $0 + "\n" }.joined())
      if status == 0 { await end.value() }
      server.close()
      return status
    }
  }

  private static let warning = """
    blemu: warning: other machines can reach this page, and the connection is not encrypted
      whoever has the address, or listens on the network, can steer the devices

    """
}
