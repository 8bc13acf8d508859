import Definitions
import TestSupport
import Testing

@testable import Behavior

/// What the HM-10 says of what it cannot do.
@Suite struct ModuleTests {
  private func expect(settings: String, _ transcript: String) throws {
    let text = "blemu: 1\nextends: hm-10\nsettings: { \(settings) }\n"
    let file = DefinitionFile(name: "device.yaml", text: text, folder: DiskFolder(of: "device.yaml"))
    let loaded = DefinitionLoader.load(file, bundled: library)
    var conversation = try Conversation(#require(loaded.definition, "\(loaded.report)"))
    #expect(conversation.play(transcript) == transcript)
  }

  @Test func `it logs nothing about supported settings`() throws {
    try expect(settings: "powe: { default: 3 }", "start")
  }

  @Test func `it logs nothing about other attributes, but about an unsupported response setting`() throws {
    try expect(settings: "uuid: { default: FFF0 }, char: { default: FFF1 }, ffe2: { default: 1 }", "start")
    try expect(
      settings: "resp: { default: 1 }",
      """
      start
      * RESP is only answered: writes need no response
      """)
  }

  @Test func `what BlueZ does not advertise`() throws {
    try expect(
      settings: "adty: { default: 1 }, flag: { default: 1A }",
      """
      start
      * ADTY1 is as ADTY0: BlueZ does not advertise to the last central alone
      * FLAG is only answered: BlueZ has Flags of its own
      """)
  }
}
