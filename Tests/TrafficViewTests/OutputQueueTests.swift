import EventLoop
import Glibc
import Peripheral
import Testing

@testable import TrafficView
import Behavior

@Suite(.timeLimit(.minutes(10))) struct OutputQueueTests {
  let reader: PipeReader
  let writeEnd: FileDescriptor

  @EventLoop init() {
    signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [0, 0]
    precondition(pipe(&ends) == 0)
    reader = PipeReader(FileDescriptor(owning: ends[0]))
    writeEnd = FileDescriptor(owning: ends[1])
  }

  @EventLoop func makeQueue() -> OutputQueue {
    OutputQueue(writeEnd.rawValue) { "\($0) dropped\n" }
  }

  /// A full pipe of 64 KiB must not block the loop's only thread.
  @EventLoop @Test func `an unread pipe blocks nothing, and no line is lost`() async {
    let queue = makeQueue()
    let lines = (0..<50_000).map { "line \($0)\n" }
    for line in lines {
      queue.append(line)
      queue.flush()
    }
    reader.startReading()
    #expect(await reader.text(until: "line 49999\n") == lines.joined())
  }

  @EventLoop @Test
  func `lines beyond the capacity are dropped and counted, and the others stay complete and in order`()
    async throws
  {
    let queue = makeQueue()
    let filler = String(repeating: "x", count: 1000)
    let lines = (0..<6000).map { "\($0) \(filler)\n" }
    for line in lines {
      queue.append(line)
      queue.flush()
    }
    reader.startReading()
    let text = await reader.text(until: "dropped\n")
    let received = text.split(separator: "\n").map(String.init)
    let kept = received.count - 1
    #expect(kept > 4000 && kept < 4300)
    #expect(received.dropLast().elementsEqual(lines.prefix(kept).map { String($0.dropLast()) }))
    #expect(received.last == "\(6000 - kept) dropped")
    queue.append("after\n")
    queue.flush()
    #expect(await reader.text(until: "after\n") == text + "after\n")
  }

  @EventLoop @Test func `the dropped lines are also reported at the end`() async {
    let queue = makeQueue()
    let block = String(repeating: "x", count: 99) + "\n"
    for _ in 0..<50_000 { queue.append(block) }
    reader.startReadingElsewhere(until: "dropped\n")
    queue.drain(milliseconds: 60_000)
    #expect(await reader.text(until: "dropped\n").hasSuffix("x\n8056 dropped\n"))
  }

  @EventLoop @Test func `the end does not wait long for an unread pipe`() {
    let queue = makeQueue()
    for number in 0..<20_000 { queue.append("line \(number)\n") }
    let start = EventLoop.now
    queue.drain(milliseconds: 1)
    #expect(EventLoop.now - start < 10_000_000)
  }

  @EventLoop @Test func `a closed reader does not stop the program`() {
    let queue = makeQueue()
    reader.close()
    for number in 0..<1000 {
      queue.append("line \(number)\n")
      queue.flush()
    }
    queue.drain()
  }

  @EventLoop @Test func `a log writes lines when the loop is idle, and the rest at the end`() async {
    let log = TrafficLog(BriefFormat(), to: writeEnd.rawValue)
    log.take(TrafficEvent(time: .milliseconds(1), kind: .log("one")))
    reader.startReading()
    #expect(await reader.text(until: "one\n") == "one\n")
    for number in 0..<3000 { log.take(TrafficEvent(time: .milliseconds(2), kind: .log("\(number)"))) }
    log.finish()
    let expected = "one\n" + (0..<3000).map { "\($0)\n" }.joined()
    #expect(await reader.text(until: "2999\n") == expected)
  }

  @EventLoop @Test func `a log of several devices has their events in their order`() async {
    let log = TrafficLog(
      ofSeveral: [BriefFormat(name: "a "), BriefFormat(name: "b ")], plain: BriefFormat(),
      to: writeEnd.rawValue)
    let sinks = [log.sink(of: 0), log.sink(of: 1)]
    reader.startReading()
    for number in 0..<3000 {
      sinks[number / 2 % 2].take(TrafficEvent(time: .milliseconds(1), kind: .log("\(number)")))
    }
    log.finish()
    let expected = (0..<3000).map { "\($0 / 2 % 2 == 0 ? "a" : "b") \($0)\n" }.joined()
    #expect(await reader.text(until: "2999\n") == expected)
  }
}

/// Writes only log events.
private struct BriefFormat: TrafficFormat {
  var name = ""

  func write(_ event: TrafficEvent.Kind, at time: WallTime, to lines: inout LineBuffer) {
    if case .log(let text) = event { lines.append(string: name + text + "\n") }
  }
}
