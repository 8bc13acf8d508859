import Captures
import Framing
import Testing

@testable import Learning

struct LongPausesTests {
  @Test func `a pause of a link counts as a minute`() {
    var link = connection("> 0A 03 00\n< 0B 41\n> 0A 03 00\n< 0B 42\n> 0A 03 00")
    for (index, time) in [0, 59, 59 + 3600, 59 + 3601, 59 + 3601 + 7 * 86_400].enumerated() {
      link.events[index].time = .milliseconds(Int64(time) * 1000)
    }
    link.start = Instant()
    link.end = .init(time: .milliseconds(1_000_000_000), reason: nil, by: nil)
    var device = CapturedDevice(address: nil)
    device.connections = [link]
    let learner = Learner(device)
    #expect(learner.conversations.first?.exchanges.map { $0.time.milliseconds / 1000 } == [0, 119, 180])
    #expect(learner.conversations.first?.end?.time.milliseconds == 240_000)
    let lesson = learner.learn(.recording, name: "Pause", origin: [], from: learner.conversations)
    #expect(lesson.definition.origin.contains { $0.contains("3 times") && $0.contains("7 days") })
  }
}
