import Framing
import Testing

@testable import Learning

private let sum = Checksum.named("sum8")!

/// What a device does with requests that the recording does not have.
struct ModelTests {
  @Test func `an answer echoes the bytes of its request, in either order`() throws {
    let device = SpokenDevice(
      """
      0 connect
      100 > request-01 01 07 10 20
      120 < answer-01 81 07 20 10
      200 > request-01 01 08 11 22
      230 < answer-01 81 08 22 11
      300 > request-01 01 30 12 24
      325 < answer-01 81 30 24 12
      """,
      [
        "request-01": [
          .constant([0x01]), .field(.init("byte-1", width: 1, .bytes)),
          .field(.init("bytes-2", width: 2, .bytes)),
        ],
        "answer-01": [
          .constant([0x81]), .field(.init("byte-1", width: 1, .bytes)),
          .field(.init("number-2", width: 2, .number(.littleEndian, isSigned: false))),
        ],
      ])
    let definition = device.definition
    var memory = try MemoryDevice(definition)
    #expect(memory.ask("01 99 AB CD") == ["81 99 CD AB"])
    #expect(
      definition.evidence == [
        Evidence("request-01 leads to answer-01, usually after 25ms", at: "FFE1 <-", agreeing: 3, of: 3),
        Evidence("byte-1 of answer-01 echoes byte-1 of request-01", at: "FFE1 ->", agreeing: 3, of: 3),
        Evidence(
          "number-2 of answer-01 echoes bytes 2 to 3 in the opposite order of request-01", at: "FFE1 ->",
          agreeing: 3, of: 3),
      ])
  }

  @Test func `an answer has what an earlier request has set`() throws {
    let device = SpokenDevice(
      """
      0 connect
      100 > request-01 01
      120 < answer-01 81 05 00
      200 > request-02 02 10 01
      300 > request-01 01
      320 < answer-01 81 10 01
      400 > request-02 02 22 03
      500 > request-01 01
      520 < answer-01 81 22 03
      3000 > request-02 02 22 03
      """,
      [
        "request-01": [.constant([0x01])],
        "request-02": [.constant([0x02]), .field(.init("bytes-1", width: 2, .bytes))],
        "answer-01": [.constant([0x81]), .field(.init("bytes-1", width: 2, .bytes))],
      ])
    var memory = try MemoryDevice(device.definition)
    #expect(memory.ask("01") == ["81 05 00"])
    #expect(memory.ask("02 AA BB") == [])
    #expect(memory.ask("01") == ["81 AA BB"])
  }

  @Test func `an answer has the recorded values that came after the same requests`() throws {
    let device = SpokenDevice(
      """
      0 connect
      10 subscribe
      100 > request-01 01 05
      200 > request-02 02
      220 < answer-02 82 31
      2000 connect
      2010 subscribe
      2100 > request-01 01 07
      2200 > request-02 02
      2220 < answer-02 82 4A
      """,
      [
        "request-01": [.constant([0x01]), .field(.init("byte-1", width: 1, .bytes))],
        "request-02": [.constant([0x02])],
        "answer-02": [.constant([0x82]), .field(.init("byte-1", width: 1, .bytes))],
      ])
    var definition = device.definition
    definition.addRecordedAnswers(of: device.conversations, device.table, except: [SpokenDevice.handle])
    definition.joinRules()
    var memory = try MemoryDevice(definition)
    _ = memory.subscribe()
    _ = memory.ask("01 07")
    #expect(memory.ask("02") == ["82 4A"])
    _ = memory.disconnect()
    _ = memory.connect()
    _ = memory.subscribe()
    _ = memory.ask("01 05")
    #expect(memory.ask("02") == ["82 31"])
    #expect(memory.ask("02") == ["82 4A"])
  }

  @Test func `a counter counts on, and other messages show it`() throws {
    let field = LearntField("count-1", width: 1, .counter(.littleEndian, step: 1))
    let device = SpokenDevice(
      """
      0 connect
      100 > request-01 01 55
      120 < answer-01 81 FE
      200 < value-02 82 FE 01
      300 < value-02 82 FF 01
      400 < value-02 82 00 01
      500 < value-02 82 01 01
      600 < value-02 82 02 01
      650 > request-01 01 56
      670 < answer-01 81 03
      750 < value-02 82 03 01
      850 < value-02 82 04 01
      """,
      [
        "request-01": [.constant([0x01]), .field(.init("byte-1", width: 1, .bytes))],
        "answer-01": [.constant([0x81]), .field(.init("byte-1", width: 1, .bytes))],
        "value-02": [.constant([0x82]), .field(field), .constant([0x01])],
      ])
    var memory = try MemoryDevice(device.definition)
    #expect(memory.wait(1000) == [])
    #expect(memory.ask("01 00") == ["81 FE"])
    #expect(memory.wait(350) == ["120 82 FE 01", "220 82 FF 01", "320 82 00 01"])
    #expect(memory.ask("01 33") == ["81 01"])
    #expect(memory.wait(150) == ["120 82 01 01"])
    #expect(memory.disconnect() == [])
    #expect(memory.wait(1000) == [])
  }

  /// Two connections begin with the same request, but get other answers: only what follows tells where they are.
  @Test func `an answer has the recorded value that came after the same requests, though others do not tell`()
    throws
  {
    let device = SpokenDevice(
      """
      0 connect
      10 subscribe
      100 > request-01 01 05
      120 < answer-01 81 31
      200 > request-01 01 06
      220 < answer-01 81 32
      300 > request-01 01 07
      320 < answer-01 81 33
      2000 connect
      2010 subscribe
      2100 > request-01 01 05
      2120 < answer-01 81 41
      2200 > request-01 01 08
      2220 < answer-01 81 44
      2300 > request-01 01 06
      2320 < answer-01 81 45
      """,
      [
        "request-01": [.constant([0x01]), .field(.init("byte-1", width: 1, .bytes))],
        "answer-01": [.constant([0x81]), .field(.init("byte-1", width: 1, .bytes))],
      ])
    var definition = device.definition
    definition.addRecordedAnswers(of: device.conversations, device.table, except: [SpokenDevice.handle])
    definition.joinRules()
    var memory = try MemoryDevice(definition)
    _ = memory.subscribe()
    _ = memory.ask("01 05")
    #expect(memory.ask("01 08") == ["81 44"])
    #expect(memory.ask("01 06") == ["81 45"])
  }

  @Test func `a counter that never shows its last number goes on with 0`() throws {
    let numbers = ["FC", "FD", "FE", "00", "01", "02", "03", "04", "05", "06", "07", "08", "09"]
    let lines = numbers.enumerated().map { "\(100 + 100 * $0) < value-02 82 \($1)" }
    let device = SpokenDevice(
      (["0 connect", "10 subscribe"] + lines).joined(separator: "\n"),
      [
        "value-02": [
          .constant([0x82]), .field(LearntField("count-1", width: 1, .counter(.littleEndian, step: 1))),
        ]
      ])
    var memory = try MemoryDevice(device.definition)
    _ = memory.subscribe()
    #expect(memory.wait(450).map { String($0.suffix(5)) } == ["82 FC", "82 FD", "82 FE", "82 00"])
  }

  @Test func `a stream of values repeats after its last`() throws {
    let lines =
      ["0 connect", "50 subscribe"]
      + (0..<5).map { "\(350 + 1000 * $0) < value 0\([3, 1, 4, 1, 5][$0]) AA" }
    let device = SpokenDevice(
      lines.joined(separator: "\n"),
      [
        "value": [
          .field(.init("byte-0", width: 1, .number(.littleEndian, isSigned: false))), .constant([0xAA]),
        ]
      ])
    let definition = device.definition
    var memory = try MemoryDevice(definition)
    #expect(memory.wait(500) == [])
    #expect(memory.subscribe() == [])
    #expect(
      memory.wait(5999) == [
        "300 03 AA", "1300 01 AA", "2300 04 AA", "3300 01 AA", "4300 05 AA", "5300 03 AA",
      ])
    #expect(
      definition.evidence.contains(
        Evidence("value every 1s, from a subscription to FFE1 on", at: "FFE1 ->", agreeing: 4, of: 4)))
  }

  @Test func `a request has several answers, and another has none`() throws {
    let device = SpokenDevice(
      """
      0 connect
      100 > request-97 AA 97 01 3E
      150 < answer-03 55 03 58
      350 < answer-c8 AA C8 72
      1000 > request-10 AA 10 01 BB
      3000 > request-97 AA 97 02 43
      3040 < answer-03 55 03 58
      3240 < answer-c8 AA C8 72
      """,
      [
        "request-97": [
          .constant([0xAA, 0x97]), .field(.init("byte-2", width: 1, .bytes)), .checksum(sum, from: 0),
        ],
        "request-10": [
          .constant([0xAA, 0x10]), .field(.init("byte-2", width: 1, .bytes)), .checksum(sum, from: 0),
        ],
        "answer-03": [.constant([0x55, 0x03]), .checksum(sum, from: 0)],
        "answer-c8": [.constant([0xAA, 0xC8]), .checksum(sum, from: 0)],
      ])
    let definition = device.definition
    var memory = try MemoryDevice(definition)
    #expect(memory.ask("AA 97 77 B8") == ["55 03 58"])
    #expect(memory.wait(1000) == ["240 AA C8 72"])
    #expect(memory.ask("AA 10 01 BB") == [])
    #expect(memory.ask("AA 97 77 B9") == [])
    #expect(
      definition.device.messages.map(\.name) == ["request-97", "request-10", "answer-97-03", "answer-97-c8"])
  }

  /// C8 answers both requests; 99 and 82 only the second one.
  @Test func `what the device sends has the name of what it answers`() {
    let device = SpokenDevice(
      """
      0 connect
      100 > request-01 01
      150 < value-81 81
      160 < value-C8 C8
      300 > request-02 02
      350 < value-82 82
      360 < value-99 99
      370 < value-C8 C8
      400 < value-07 07
      500 < value-07 07
      600 < value-07 07
      700 < value-07 07
      800 < value-07 07
      900 > request-01 01
      950 < value-81 81
      960 < value-C8 C8
      """,
      [
        "request-01": [.constant([0x01])], "request-02": [.constant([0x02])],
        "value-81": [.constant([0x81])], "value-C8": [.constant([0xC8])], "value-82": [.constant([0x82])],
        "value-99": [.constant([0x99])], "value-07": [.constant([0x07])],
      ])
    #expect(
      device.definition.device.messages.map(\.name) == [
        "request-01", "request-02", "answer-01", "answer-C8", "answer-02-82", "answer-02-99", "report-07",
      ])
  }

  @Test func `values that come for no visible reason are not modelled`() throws {
    let lines =
      ["0 connect", "10 subscribe"]
      + [300, 900, 1000, 4000, 4100, 4300, 9000, 9900].map { "\($0) < value 01" }
    let device = SpokenDevice(lines.joined(separator: "\n"), ["value": [.constant([0x01])]])
    var definition = LearntDefinition(name: "Spoken", summary: "")
    #expect(definition.addModel(device.streams, of: device.conversations, device.table) == [])
    #expect(definition.evidence.isEmpty)
    #expect(try definition.written() == LearntDefinition(name: "Spoken", summary: "").written())
  }

  /// Byte 1 tells which answer comes.
  @Test func `requests of one message are told apart by their answers`() throws {
    let device = SpokenDevice(
      """
      0 connect
      100 > request-01 01 03 10
      120 < answer-03 81 03 11 12
      200 > request-01 01 04 22
      220 < answer-04 81 04 11
      300 > request-01 01 03 33
      320 < answer-03 81 03 21 22
      400 > request-01 01 04 44
      420 < answer-04 81 04 31
      """,
      [
        "request-01": [.constant([0x01]), .field(.init("bytes-1", width: 2, .bytes))],
        "answer-03": [.constant([0x81, 0x03]), .field(.init("bytes-2", width: 2, .bytes))],
        "answer-04": [.constant([0x81, 0x04]), .field(.init("byte-2", width: 1, .bytes))],
      ])
    var memory = try MemoryDevice(device.definition)
    #expect(memory.ask("01 04 99") == ["81 04 11"])
    #expect(memory.ask("01 03 99") == ["81 03 11 12"])
  }

  @Test func `an answer may come after the next request`() throws {
    let device = SpokenDevice(
      """
      0 connect
      100 > request-01 01 07
      120 < answer-01 81 07
      200 > request-01 01 08
      210 > request-01 01 09
      220 < answer-01 81 08
      225 < answer-01 81 09
      300 > request-01 01 0A
      320 < answer-01 81 0A
      """,
      [
        "request-01": [.constant([0x01]), .field(.init("byte-1", width: 1, .bytes))],
        "answer-01": [.constant([0x81]), .field(.init("byte-1", width: 1, .bytes))],
      ])
    let definition = device.definition
    var memory = try MemoryDevice(definition)
    #expect(memory.ask("01 99") == ["81 99"])
    #expect(definition.evidence.first?.agreeing == 4)
  }

  @Test func `a message follows another one that comes again and again`() throws {
    let lines = (0..<6).map { "\(1000 * $0 + 500) < value-01 01 0\($0)\n\(1000 * $0 + 700) < value-02 02" }
    let device = SpokenDevice(
      "0 connect\n10 subscribe\n" + lines.joined(separator: "\n"),
      [
        "value-01": [.constant([0x01]), .field(.init("byte-1", width: 1, .bytes))],
        "value-02": [.constant([0x02])],
      ])
    #expect(device.definition.device.timers == ["report-01"])
    #expect(
      device.definition.evidence.last?.claim
        == "report-01, report-02 every 1s, from a subscription to FFE1 on")
  }

  /// `02` is asked while `04` makes the device send.
  @Test func `a question for what comes again and again gets it once, before that has begun`() throws {
    let lines = (1...8).map { "\(500 * $0 + 100) < value-01 81 0\($0)" }
    let device = SpokenDevice(
      """
      0 connect
      10 subscribe
      100 > request-04 04
      \(lines.prefix(4).joined(separator: "\n"))
      2540 > request-02 02
      \(lines.dropFirst(4).joined(separator: "\n"))
      """,
      [
        "request-04": [.constant([0x04])], "request-02": [.constant([0x02])],
        "value-01": [.constant([0x81]), .field(.init("byte-1", width: 1, .bytes))],
      ])
    var memory = try MemoryDevice(device.definition)
    _ = memory.subscribe()
    #expect(memory.ask("02").count == 1)
    _ = memory.write("04")
    #expect(memory.ask("02") == [])
    #expect(memory.wait(1050).count == 2)
  }

  @Test func `of quick requests, the one without an answer gets what does not belong to the other`() throws {
    let device = SpokenDevice(
      """
      0 connect
      100 > request-01 01
      120 < answer-01 81
      200 > request-02 02
      210 > request-01 01
      250 < answer-02 82
      260 < answer-01 81
      300 > request-01 01
      320 < answer-01 81
      """,
      [
        "request-01": [.constant([0x01])], "request-02": [.constant([0x02])],
        "answer-01": [.constant([0x81])], "answer-02": [.constant([0x82])],
      ])
    var memory = try MemoryDevice(device.definition)
    #expect(memory.ask("02") == ["82"])
    #expect(memory.ask("01") == ["81"])
  }

  @Test func `a request with another checksum is answered like one with the right checksum`() throws {
    var device = SpokenDevice(
      """
      0 connect
      100 > request-01 01 07 08
      120 < answer-01 81 07
      200 > request-01 01 09 0A
      220 < answer-01 81 09
      300 > request-01 01 30 31
      320 < answer-01 81 30
      """,
      [
        "request-01": [
          .constant([0x01]), .field(.init("byte-1", width: 1, .bytes)), .checksum(sum, from: 0),
        ],
        "answer-01": [.constant([0x81]), .field(.init("byte-1", width: 1, .bytes))],
      ])
    device.streams[0].check = CheckField(sum)
    var memory = try MemoryDevice(device.definition)
    #expect(memory.ask("01 44 45") == ["81 44"])
    #expect(memory.ask("01 44 00") == ["81 44"])
    #expect(memory.ask("02 44 00") == [])
  }
}
