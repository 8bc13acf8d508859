import Bluetooth
import Framing
import Learning
import Testing

/// The messages of the Bluetooth SIG in a learnt definition.
@Suite struct AddedMessagesTests {
  private func learnt(_ values: [[UInt8]]) -> LearntDefinition {
    var stream = ValueStream(3, id: "2A37", uuid: 0x2A37, .fromDevice)
    stream.values = values.map { .init($0, at: Instant(), conversation: 0, exchange: 0) }
    var definition = LearntDefinition(name: "Belt", summary: "")
    definition.addStandardMessages(of: [stream])
    return definition
  }

  @Test func `values that a specification describes get its message`() {
    let definition = learnt([[0x00, 0x48], [0x10, 0x49, 0x20, 0x03]])
    #expect(definition.device.messages.map(\.name) == ["heart-rate"])
    #expect(definition.evidence.map(\.agreement) == ["2 of 2"])
  }

  @Test func `a value that deviates leaves them all as bytes`() {
    #expect(learnt([[0x00, 0x48], [0x00]]).device.messages.isEmpty)
  }
}
