import Bluetooth
import Captures
import EventLoop
import Framing
import Learning
import RoundTrip
import TestSupport
import Testing

@testable import TestBeds

/// Which bundled device a recorded one is like.
@Suite struct LikenessTests {
  @EventLoop
  @Test(
    arguments: [
      ("jk-b1a20s15p.btsnoop", "jk-bms"), ("jk-b5a24s.btsnoop", "jk-bms"),
      ("jk-bd6a24s10p.btsnoop", "jk-bms"), ("treadmill.btsnoop", nil),
    ])
  func `a recorded device is like the bundled one that answers alike`(
    file: String, name: String?
  ) async throws {
    let path = Repository.path + "Tests/CapturesTests/Captures/" + file
    let device = try #require(Capture(path: path).devices.first { !$0.connections.isEmpty })
    let learner = Learner(device)
    let likeness = try await Likeness.find(in: library, for: learner.conversations, learner.table)
    #expect(likeness?.name == name)
  }

  /// Colours and a switch of the lamp elk-bledom, and other bytes. One write of four may be chance.
  @EventLoop
  @Test(
    arguments: [
      (["7E 07 05 03 FF 80 00 10 EF", "7E 04 04 01 00 00 00 00 EF", "01 02"], "elk-bledom", 2),
      (["7E 07 05 03 FF 80 00 10 EE", "01 02", "7E 04 04"], nil, 0),
      (["7E 07 05 03 FF 80 00 10 EF", "01 02", "03 04", "05 06"], nil, 0),
    ])
  func `a lamp that answers nothing is like the one that takes what was written`(
    writes: [String], name: String?, count: Int
  ) async throws {
    var characteristic = ObservedTable.Characteristic(.init(0xFFF3))
    (characteristic.handle, characteristic.valueHandle) = (2, 3)
    characteristic.properties = .writeWithoutResponse
    var service = ObservedTable.Service(.init(0xFFF0))
    (service.handle, service.endHandle, service.characteristics) = (1, 3, [characteristic])
    var table = ObservedTable()
    table.services = [service]
    var conversation = Conversation(start: Instant())
    for (second, bytes) in writes.enumerated() {
      let time = Instant(microseconds: Int64(second) * 1_000_000)
      conversation.exchanges.append(
        Exchange(.write(try HexText.parse(bytes), .command, .unknown), handle: 3, at: time))
    }
    let likeness = try await Likeness.find(in: library, for: [conversation], table)
    #expect(likeness?.name == name)
    #expect(likeness?.requestsAlike ?? 0 == count)
  }

  @EventLoop @Test func `a bundled device is like itself`() async throws {
    for name in ["colmi-r02", "jk-bms", "triones-light", "um25c"] {
      let learner = try await BundledRoundTrips.trip(of: name).double.learner
      let likeness = try await Likeness.find(in: library, for: learner.conversations, learner.table)
      #expect(likeness?.name == name)
    }
  }
}
