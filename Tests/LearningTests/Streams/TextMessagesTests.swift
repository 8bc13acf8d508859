import Framing
import Learning
import Testing

/// Streams of text.
struct TextMessagesTests {
  private static func messages(_ texts: [String], _ direction: ValueStream.Direction) -> [LearntMessage] {
    var stream = ValueStream(3, id: "FFE1", uuid: 0xFFE1, direction)
    stream.values = texts.enumerated().map { index, text in
      .init(
        Array(text.utf8), at: .milliseconds(1_700_000_000_000 + Int64(index) * 1000), conversation: 0,
        exchange: index)
    }
    return StreamAnalysis(stream).messages
  }

  @Test func `requests with the same words are one message, and their numbers are fields`() {
    let messages = Self.messages(
      [
        "AT+VER?\r\n", "AT+PACE=0\r\n", "AT+PACE=12\r\n", "AT+TIME=0803\r\n", "AT+TIME=1230\r\n",
        "AT+VER?\r\n",
      ],
      .fromCentral)
    #expect(messages.map(\.name) == ["request-at-ver", "request-at-pace", "request-at-time"])
    #expect(messages.allSatisfy { $0.isText })
    let end = LearntMessage.Part.constant([0x0D, 0x0A])
    func number(_ count: Int?) -> LearntMessage.Part {
      .field(LearntField("number-4", width: nil, .digits(token: 4, count: count)))
    }
    #expect(messages[0].parts == [.constant(Array("AT+VER?\r\n".utf8))])
    #expect(messages[1].parts == [.constant(Array("AT+PACE=".utf8)), number(nil), end])
    #expect(messages[2].parts == [.constant(Array("AT+TIME=".utf8)), number(4), end])
  }

  @Test func `lines of values have a field for each value that changes`() {
    let lines = (0..<8).map { index -> String in
      "{\"t\":\(20 + index * 5 % 7).\(30 + index),\"id\":\"A\(index)F\",\"n\":7}"
    }
    let messages = Self.messages(lines, .fromDevice)
    #expect(messages.count == 1)
    let meanings = messages[0].parts.compactMap { part -> LearntField.Meaning? in
      if case .field(let field) = part { field.meaning } else { nil }
    }
    #expect(
      meanings == [.digits(token: 3, count: nil), .digits(token: 5, count: nil), .word(token: 9)])
  }

  @Test func `requests that begin with a number are told apart by it`() {
    let messages = Self.messages(["010C\r", "010D\r", "010C\r", "0105\r", "ATZ\r"], .fromCentral)
    let texts = ["010C\r", "010D\r", "0105\r", "ATZ\r"]
    let parts = texts.map { text -> [LearntMessage.Part] in [.constant(Array(text.utf8))] }
    #expect(messages.map(\.parts) == parts)
  }

  @Test func `bytes that are printable by chance are no text`() {
    var stream = ValueStream(3, id: "FFE1", uuid: 0xFFE1, .fromDevice)
    stream.values = (0..<6).map { index in
      .init(
        [0x41, 0x42, UInt8(0x30 + index), index == 3 ? 0x80 : 0x43], at: .milliseconds(Int64(index) * 1000),
        conversation: 0, exchange: index)
    }
    #expect(StreamAnalysis(stream).messages.allSatisfy { !$0.isText })
  }
}
