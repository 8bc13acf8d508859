import Behavior
import Definitions
import DeviceModel
import Testing

@testable import Transcripts

/// What callers ask of settings, variables and controls by their names. `Mistakes` has the sentences.
@Suite struct ControlReaderTests {
  private let reader = ControlReader(device)

  @Test func `a setting and a variable are set`() throws {
    #expect(try reader.assignment("limit", "0x05") == .init(.setting(1), .integer(5)))
    #expect(try reader.assignment("speed", "3") == .init(.variable(0), .integer(3)))
  }

  @Test func `a control is operated, with a value or without`() throws {
    #expect(try reader.operation("button") == .operate(control: 0, nil))
    #expect(try reader.operation("spare-part") == .operate(control: 1, nil))
    #expect(try reader.operation("spare-part", "false") == .operate(control: 1, .boolean(false)))
    #expect(try reader.operation("throttle", "7") == .operate(control: 2, .integer(7)))
  }

  @Test func `an error says what is wrong, and whether that is the value`() {
    #expect(throws: ControlMistake.ofEachCentral("writes")) { try reader.assignment("writes", "1") }
    #expect(throws: ControlMistake.needsValue("throttle")) { try reader.operation("throttle") }
    #expect(throws: ControlMistake.takesNoValue("button")) { try reader.operation("button", "1") }
    #expect(throws: ControlMistake.self) {
      try reader.operation("throttle", "10")
    }
    #expect(
      ControlMistake.takesNoValue("button").isOfValue && !ControlMistake.needsValue("throttle").isOfValue)
  }
}
