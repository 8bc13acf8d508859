import EventLoop
import Testing

@testable import TestBeds

/// Time in memory is exact.
@Suite struct TimeTests {
  private static let chatter = "connect\nsubscribe control\n> control  chatter count=3 every=1000\n"

  @Test(arguments: [
    "> control  ask number=1\n< control  answer  after 300ms",
    "> control  ask number=1\n< control  answer  within 300ms",
    "> control  ask number=1\n< control  answer  after 300ms within 1s",
    "> control  ask number=1\nwait 100ms\n< control  answer  after 200ms",
    "> control  ask number=1\n+100ms\n< control  answer  after 200ms",
    "> control  ask number=1\nsilence 300ms\n< control  answer  after 0ms",
    "> control  ask number=1\nsilence 100ms\nsilence 200ms\n< control  answer  after 0ms",
    "> control  ask number=1\nwait 10s\n< control  answer",
    "> control  ask number=1\n> control  ask number=2\n< control  answer number=1  after 300ms\n< control  answer number=2  after 0ms",
    "wait 1s\n> control  leave\ndisconnected after 1s within 2s",
    "] wire  02\n[ wire  03  after 0ms",
  ])
  func `a value arrives exactly on time`(lines: String) async throws {
    #expect(try await failure(of: "connect\nsubscribe control\n" + lines) == nil)
  }

  @Test(arguments: [
    ("after 299ms", "arrived 300 ms after line 3, not 299 ms"),
    ("after 301ms", "arrived 300 ms after line 3, not 301 ms"),
    ("after 2s", "arrived 300 ms after line 3, not 2 s"),
    ("within 299ms", "nothing arrived within 299 ms"),
    ("after 300ms within 200ms", "nothing arrived within 200 ms"),
  ])
  func `a wrong time fails`(when: String, message: String) async throws {
    let text = "connect\nsubscribe control\n> control  ask number=1\n< control  answer  \(when)"
    #expect(try await failure(of: text) == "4: " + message)
  }

  @Test func `a value that arrives during another line is too early for its own`() async throws {
    let text = "connect\nsubscribe control\n> control  ask number=1\nwait 1s\n< control  answer  after 300ms"
    #expect(try await failure(of: text) == "5: arrived 700 ms before line 4 ended, not 300 ms after it")
  }

  /// The test bed has waited for longer than it should.
  @EventLoop @Test func `a value that has come too late is late, also where it is there`() async throws {
    let testBed = SluggishTestBed()
    testBed.oversleep = .seconds(60)
    let text =
      "connect\nsubscribe control\n> control  chatter count=1 every=30000\n< control  answer  within 1s"
    let result = try await SectionRunner(try #require(try parse(text).first), of: device, on: testBed)
      .run(settings: device.settings.map(\.initial))
    let message = result.failure?.message ?? ""
    #expect(
      message.hasPrefix("arrived ") && message.contains(" after line 3, not within 1 s (plus "), "\(message)")
  }

  @Test func `the time of a value counts from the value before`() async throws {
    #expect(
      try await failure(
        of: Self.chatter + """
          < control  answer number=0  after 1s
          < control  answer number=1  after 1s
          silence 999ms
          < control  answer number=2  after 1ms
          """) == nil)
  }

  @Test func `output before its end breaks a silence`() async throws {
    let message = "4: no line expects this: < control  81 00  answer number=0 note=\"\""
    #expect(try await failure(of: Self.chatter + "silence 1001ms") == message)
  }

  @Test func `a silence does not hide output before it`() async throws {
    let message = "5: no line expects this: < control  81 00  answer number=0 note=\"\""
    #expect(try await failure(of: Self.chatter + "wait 1s\nsilence 10ms") == message)
  }

  @Test func `a value has five seconds by default`() async throws {
    func conversation(every milliseconds: Int, _ when: String) -> String {
      "connect\nsubscribe control\n> control  chatter count=1 every=\(milliseconds)\n< control  answer  \(when)"
    }
    #expect(try await failure(of: conversation(every: 5000, "")) == nil)
    #expect(try await failure(of: conversation(every: 5001, "")) == "4: nothing arrived within 5 s")
    #expect(try await failure(of: conversation(every: 20_000, "within 20s")) == nil)
    #expect(try await failure(of: conversation(every: 60_000, "after 1min")) == nil)
  }

  @Test func `twenty minutes of virtual time pass at once`() async throws {
    let text = """
      connect
      subscribe control
      > control  chatter count=10 every=60000
      \((0..<10).map { "< control  answer number=\($0)  after 1min" }.joined(separator: "\n"))
      silence 10min
      """
    #expect(try await failure(of: text) == nil)
  }
}
