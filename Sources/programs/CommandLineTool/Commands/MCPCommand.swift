import BlemuControl
import ControlServer
import EventLoop
import Glibc

extension Command {
  static let mcp = Command(
    "mcp", .writing, words: .nothing,
    summary: "Lets an assistant write, run and test devices (Model Context Protocol).",
    notes: [
      "An assistant starts this command, and speaks the Model Context Protocol with it over standard input and output. "
        + "The devices that the assistant runs are in memory, and end with the command."
    ],
    examples: [
      Example("blemu mcp", "serves an assistant that is configured with this command, until its input ends")
    ]
  ) { arguments throws(CommandError) in
    try arguments.none()
    signal(SIGPIPE, SIG_IGN)
    let session: AssistantSession
    do { session = try AssistantSession() } catch { throw .failure("\(error)") }
    return BlemuTool.runLoop { () async throws(CommandError) in
      await MCPCommand(session).run()
      return .success
    }
  }
}

/// `blemu mcp`
@EventLoop
private final class MCPCommand {
  private let session: AssistantSession
  private let server: AssistantServer
  private let stop = StopRequest()

  init(_ session: AssistantSession) {
    self.session = session
    server = AssistantServer(session) { FileDescriptor.write($0 + "\n", to: STDOUT_FILENO) }
  }

  /// Serves until the input ends and everything is answered, or until a signal ends the program.
  func run() async {
    EventLoop.start { [self] in
      await read()
      await server.finish()
      stop.make()
    }
    await stop.wait()
    server.cancel()
    await server.finish()
    await session.end()
  }

  private func read() async {
    var lines = RequestLines()
    while let bytes = try? await onThread({ Self.input() }), !bytes.isEmpty {
      for line in lines.take(bytes[...]) where !stop.isMade { server.take(line) }
    }
  }

  /// The next bytes of standard input; none at its end.
  private nonisolated static func input() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      count = max(0, Glibc.read(STDIN_FILENO, buffer.baseAddress, buffer.count))
    }
  }
}
