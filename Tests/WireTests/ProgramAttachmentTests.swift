import EventLoop
import Glibc
import Peripheral
import Testing

@testable import Wire

/// Shell programs at the wire side.
@Suite(.timeLimit(.minutes(10))) struct ProgramAttachmentTests {
  let host: RecordingHost

  @EventLoop init() {
    host = RecordingHost()
    signal(SIGPIPE, SIG_IGN)
  }

  @EventLoop func attach(_ words: String..., restart: RestartPolicy = .never) throws -> ProgramAttachment {
    let program = try ProgramAttachment(words, restart: restart)
    program.host = host
    program.isReading = true
    program.start()
    return program
  }

  @EventLoop @Test func `bytes pass through standard input and standard output`() async throws {
    let program = try attach("cat")
    let burst = numberedBytes(300_000)
    program.write(burst)
    #expect(await host.bytes(burst.count) == burst)
    await program.close()
    #expect(host.events.count == 2)
    #expect(host.events.last == .ended(program: "cat", .signal(SIGTERM), restart: nil))
    #expect(host.warnings == [])
  }

  @EventLoop @Test func `standard error is reported line by line, the rest at the end`()
    async throws
  {
    let program = try attach("sh", "-c", "printf 'one\\r\\ntwo\\nthree' >&2; exit 3")
    let events = await host.events(5)
    #expect(
      events.dropFirst() == [
        .said(program: "sh", "one"), .said(program: "sh", "two"), .said(program: "sh", "three"),
        .ended(program: "sh", .status(3), restart: nil),
      ])
    #expect(host.bytes == [])
    await program.close()
  }

  @EventLoop
  @Test(arguments: [
    (RestartPolicy.never, "0", false), (.never, "1", false), (.onFailure, "0", false),
    (.onFailure, "1", true),
    (.always, "0", true),
  ])
  func `the policy decides whether the program restarts`(
    policy: RestartPolicy, status: String, isRestarted: Bool
  )
    async throws
  {
    let program = try attach("sh", "-c", "exit \(status)", restart: policy)
    let end = await host.events(2)[1]
    let pause: Duration? = isRestarted ? .milliseconds(100) : nil
    #expect(end == .ended(program: "sh", .status(Int32(status)!), restart: pause))
    if isRestarted {
      let events = await host.events(4)
      #expect(events[3] == .ended(program: "sh", .status(Int32(status)!), restart: .milliseconds(200)))
    }
    await program.close()
  }

  /// Bytes that a killed program has read are lost. `read` reads no more than its line.
  @EventLoop @Test func `a restarted program reads the bytes that the killed one had not read`() async throws
  {
    let script = "read line; echo \"$line\"; if [ \"$line\" = die ]; then kill -9 $$; fi; exec cat"
    let program = try attach("sh", "-c", script, restart: .onFailure)
    program.write(Array("die\nlive\n".utf8))
    program.write(numberedBytes(1000))
    let expected = Array("die\nlive\n".utf8) + numberedBytes(1000)
    #expect(await host.bytes(expected.count) == expected)
    #expect(host.events[1] == .ended(program: "sh", .signal(SIGKILL), restart: .milliseconds(100)))
    await program.close()
  }

  @EventLoop @Test func `the last output waits while it is not read`() async throws {
    let program = try ProgramAttachment(["echo", "goodbye"], restart: .never)
    program.host = host
    program.start()
    _ = await host.events(2)
    #expect(host.bytes == [])
    program.isReading = true
    #expect(await host.bytes(8) == Array("goodbye\n".utf8))
    await program.close()
  }

  @EventLoop @Test func `bytes for a program that does not restart are dropped`() async throws {
    let program = try attach("true")
    _ = await host.events(2)
    for _ in 0..<20 { program.write([UInt8](repeating: 0, count: 100_000)) }
    #expect(program.port.backlog == 0)
    #expect(host.warnings == [])
    await program.close()
  }

  @EventLoop @Test func `a program that ignores SIGTERM is killed`() async throws {
    let program = try attach("sh", "-c", "trap '' TERM; echo ready; while :; do sleep 1; done")
    #expect(await host.bytes(6) == Array("ready\n".utf8))
    await program.close()
    #expect(host.events.last == .ended(program: "sh", .signal(SIGKILL), restart: nil))
  }

  @EventLoop @Test func `discarded bytes do not arrive`() async throws {
    let program = try ProgramAttachment(
      ["sh", "-c", "echo old; echo said >&2; read line; echo new"], restart: .never)
    program.host = host
    program.start()
    _ = await host.events(2)
    #expect(program.discard() == 4)
    program.isReading = true
    program.write([0x0A])
    #expect(await host.bytes(4) == Array("new\n".utf8))
    await program.close()
  }

  @EventLoop @Test func `a missing program is an error before the start`() {
    let error = #expect(throws: WireError.self) { try attach("no-such-program") }
    #expect(error?.message == "there is no program 'no-such-program'")
    #expect(error?.hint == "give the path of a file of your own, as in ./no-such-program")
    #expect(throws: WireError.self) { try attach("/etc/passwd") }
    #expect(throws: WireError.self) { try attach("/tmp") }
  }
}

@Suite struct RestartPauseTests {
  @Test func `pauses grow to five seconds, and begin again after a run of ten`() {
    var pause = RestartPause.ofProgram
    let pauses = (0..<8).map { _ in pause.next(after: .seconds(1)) }
    #expect(pauses == [100, 200, 400, 800, 1600, 3200, 5000, 5000].map(Duration.milliseconds))
    #expect(pause.next(after: .seconds(10)) == .milliseconds(100))
    #expect(pause.next(after: .zero) == .milliseconds(200))
  }

  @Test func `those of a device grow to half a minute, and begin again after a run of one`() {
    var pause = RestartPause.ofDevice
    let pauses = (0..<7).map { _ in pause.next(after: .seconds(59)) }
    #expect(pauses == [1, 2, 4, 8, 16, 30, 30].map(Duration.seconds))
    #expect(pause.next(after: .seconds(60)) == .seconds(1))
  }
}

@Suite struct LineSplitterTests {
  @Test func `lines end at line feeds, however the bytes are divided`() {
    var splitter = LineSplitter()
    #expect(splitter.append(Array("on".utf8)) == [])
    #expect(splitter.append(Array("e\r\n\ntwo\nth".utf8)) == ["one", "", "two"])
    #expect(splitter.finish() == "th")
    #expect(splitter.finish() == nil)
  }

  @Test func `a line that is too long is cut`() {
    var splitter = LineSplitter()
    let lines = splitter.append([UInt8](repeating: 0x61, count: 2500))
    #expect(lines.map(\.utf8.count) == [1000, 1000])
    #expect(splitter.finish()?.utf8.count == 500)
  }
}
