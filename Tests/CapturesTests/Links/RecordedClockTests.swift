import Framing
import Testing

@testable import Captures

struct RecordedClockTests {
  @Test(
    arguments: [
      ("in order, or nearly", [0, 10, 9, 9, 70], [0, 10, 9, 9, 70], 0),
      ("one packet late", [0, 10, 700_000, 11, 12], [0, 10, 10, 11, 12], 1),
      ("one packet early", [100, 110, 3, 111, 112], [100, 110, 110, 111, 112], 1),
      ("set back", [100, 110, 50, 51, 60], [100, 110, 110, 111, 120], 1),
      ("set back twice", [100, 50, 51, 20, 21], [100, 100, 101, 101, 102], 1),
      ("set back at the end", [100, 110, 50], [100, 110, 110], 1),
      ("set ahead", [0, 10, 700_000, 700_001], [0, 10, 700_000, 700_001], 1),
    ] as [(String, [Int64], [Int64], Int)])
  func `times keep the order of the packets`(name: String, times: [Int64], counted: [Int64], notes: Int) {
    var clock = RecordedClock()
    let packets = times.map {
      CapturedPacket(time: .milliseconds($0 * 1000), layer: .linkLayer(.init()), bytes: [], offset: 0)
    }
    let corrected = packets.indices.map { index in
      var packet = packets[index]
      clock.correct(&packet, before: index + 1 < packets.count ? packets[index + 1].time : nil)
      return packet.time.milliseconds / 1000
    }
    #expect(corrected == counted)
    #expect(clock.notes.count == notes)
  }
}
