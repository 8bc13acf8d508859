import Definitions
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

  @Test func `it says nothing where all is as it should be`() throws {
    try expect(settings: "powe: { default: 3 }", "start")
  }

  @Test(
    arguments: [
      ("uuid", "0xFFF0"), ("char", "0xFFF1"), ("ffe2", "1"), ("resp", "1"),
    ])
  func `its attributes stay as they are`(setting: String, value: String) throws {
    try expect(
      settings: "\(setting): { default: \"\(value)\" }",
      """
      start
      * UUID, CHAR, FFE2 and RESP are only answered: its attributes are FFE0 and FFE1 as they were when it went on \
      the air
      """)
  }

  @Test func `what BlueZ does not advertise`() throws {
    try expect(
      settings: "adty: { default: 1 }, flag: { default: 1A }, type: { default: 2 }",
      """
      start
      * ADTY1 is as ADTY0: BlueZ does not advertise to the last central alone
      * FLAG is only answered: BlueZ has Flags of its own
      * TYPE is only answered: nobody has to pair
      """)
  }
}
