import Framing
import Testing

@testable import Learning

/// Requests that a device has not answered.
struct SilenceTests {
  /// `01 04` and `01 05` come at once, and nothing comes after both.
  @Test func `a request without an answer gets none, though others of its kind do`() throws {
    let device = SpokenDevice(
      """
      0 connect
      100 > request-01 01 00
      120 < answer-01 81 33
      200 > request-01 01 01
      220 < answer-01 81 34
      300 > request-01 01 02
      320 < answer-01 81 39
      400 > request-01 01 03
      900 > request-01 01 01
      920 < answer-01 81 34
      1000 > request-01 01 00
      1020 < answer-01 81 33
      1100 > request-01 01 04
      1101 > request-01 01 05
      1800 > request-01 01 02
      1820 < answer-01 81 39
      1900 > request-01 01 01
      1920 < answer-01 81 34
      2000 > request-01 01 00
      2020 < answer-01 81 33
      2100 > request-01 01 02
      2120 < answer-01 81 39
      """,
      [
        "request-01": [.constant([0x01]), .field(.init("byte-1", width: 1, .bytes))],
        "answer-01": [.constant([0x81]), .field(.init("byte-1", width: 1, .bytes))],
      ])
    var memory = try MemoryDevice(device.definition)
    #expect(memory.ask("01 01") == ["81 34"])
    for silent in ["01 03", "01 04", "01 05"] { #expect(memory.ask(silent) == []) }
    #expect(memory.ask("01 07").count == 1)
  }

  /// `A5 06 03`, the beginning of a request, is forgotten before `01 04 A5` comes, which would complete it.
  @Test func `the beginning of a request is forgotten after a pause`() throws {
    let half: [LearntMessage.Part] = [.field(.init("bytes-0", width: nil, .bytes))]
    let device = SpokenDevice(
      """
      0 connect
      100 > request A5 06 03 01 02 A3
      110 < answer A5 06 83 05 00 25
      200 > request A5 06 03 01 03 A2
      210 < answer A5 06 83 2C 01 0D
      300 > request A5 06 03 01 04 A5
      310 < answer A5 06 83 01 00 21
      400 > request A5 07 04 01 02 00 A5
      410 < answer A5 07 84 00 11 22 15
      500 > request A5 07 04 01 02 01 A4
      510 < answer A5 07 84 01 12 25 10
      600 > request A5 07 04 01 02 02 A7
      610 < answer A5 07 84 02 13 28 1F
      700 > request A5 06 03
      705 > request 01 02 A3
      715 < answer A5 06 83 05 00 25
      800 > request A5 06 03 01 02 A3 A5 06 03 01 03 A2
      810 < answer A5 06 83 05 00 25
      811 < answer A5 06 83 2C 01 0D
      1000 > request A5 06 03
      1260 > request 01 04 A5
      1700 > request A5 06 03 01 04 A5
      1710 < answer A5 06 83 01 00 21
      """, ["request": half, "answer": half])
    var definition = LearntDefinition(name: "Spoken", summary: "")
    definition.addServices(device.table)
    let streams = [StreamAnalysis](of: [ValueStream](device.conversations, device.table))
    _ = definition.addModel(streams, of: device.conversations, device.table)
    #expect(definition.device.characteristics[0].framing?.gap == .milliseconds(190))
    var memory = try MemoryDevice(definition)
    #expect(memory.write("A5 06 03") == [])
    #expect(memory.wait(250) == [])
    #expect(memory.ask("01 04 A5") == [])
    #expect(memory.wait(250) == [])
    #expect(memory.ask("A5 06 03 01 04 A5") == ["A5 06 83 01 00 21"])
  }
}
