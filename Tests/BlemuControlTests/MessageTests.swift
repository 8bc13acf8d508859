import BlemuJSON
import TestSupport
import Testing

@testable import BlemuControl

/// The protocol without a connection.
@Suite struct MessageTests {
  @Test func `lines are split however the bytes come`() {
    let lines = ["", "a", String(repeating: "ü", count: 70), "", "last"]
    let bytes = Array((lines.joined(separator: "\n") + "\nrest").utf8)
    for size in 1...bytes.count {
      var splitter = MessageLines()
      var found: [String] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        bytes[start..<min(start + size, bytes.count)].withUnsafeBytes { splitter.add($0) }
        while let line = splitter.next() { found.append(String(decoding: line, as: UTF8.self)) }
      }
      #expect(found == lines)
    }
  }

  @Test func `messages are told apart`() throws {
    func message(_ line: String) throws -> ControlMessage { try ControlMessage(line: Array(line.utf8)) }
    #expect(try message(#"{"id": 3, "result": {"a": 1}}"#) == .response(to: 3, .success(["a": 1])))
    #expect(
      try message(#"{"id": null, "error": {"code": -32600, "message": "no"}}"#)
        == .response(to: nil, .failure(ControlError(.notRequest, "no"))))
    #expect(
      try message(#"{"method": "event", "params": {"a": 1}}"#) == .notification(method: "event", ["a": 1]))
    #expect(
      try message(#"{"id": "intercept-17", "method": "intercepted", "params": {"a": 1}}"#)
        == .request(id: "intercept-17", method: "intercepted", ["a": 1]))
  }

  @Test func `what is sent and written`() {
    let message = Device.Content.message("day-total", ["packets": 5, "note": "two words", "is-last": true])
    #expect(message.words == #"day-total is-last=true note="two words" packets=5"#)
    #expect(Device.Content.words("4F 4B").words == "4F 4B")
    #expect(([0x4F, 0x0B] as Device.Content).words == "4F 0B")
    #expect(Device.Content.bytes([]).words == "\"\"")
    #expect(Device.Content.text("OK").words == "4F 4B")
    let members = JSONValue.object(message.members)
    #expect(members["fields"] == ["is-last": true, "note": "two words", "packets": 5])
  }

  @Test func `bytes in hex`() {
    #expect(Device.Value.text("4f 4B").bytes == [0x4F, 0x4B])
    #expect(Device.Value.text("").bytes == [])
    #expect(Device.Value.text("4F4").bytes == nil)
    #expect(Device.Value.text("+1").bytes == nil)
    #expect(Device.Value.integer(4).bytes == nil)
  }

  @Test func `failures say what to do`() {
    #expect(
      "\(ControlFailure.noDevice("lmap", running: ["hm-10", "lamp"]))"
        == "no device 'lmap' runs\n  running: hm-10, lamp")
    #expect(
      "\(ControlFailure.refused(ControlError(.badParameters, "no 'levle'", hint: "did you mean 'level'?")))"
        == "no 'levle'\n  did you mean 'level'?")
  }
}
