import Definitions
import TestSupport
import Testing

@testable import CommandLineTool

/// What a person reads of a stand, compared with the files in `Stands`: `NAME.expected` is about `NAME.yaml`.
@Suite struct StandDiagnosticTests {
  private static let folder = Repository.path + "Tests/CommandLineToolTests/Stands"

  private let shell = Shell([
    "lamp.yaml": "blemu: 1\nname: Lamp\nadvertisement: { local-name: Lamp }\n",
    "broken.yaml": "blemu: 1\nname: Broken\nadvertisment: {}\nrules: {}\n",
    "limited.yaml": """
    blemu: 1
    name: Limited
    advertisement: { local-name: Limited, raw: { "01": "06" } }
    """,
  ])

  @Test(arguments: Snapshot.all(in: [folder]))
  func `a person reads the expected text`(snapshot: Snapshot) throws {
    let text = try snapshot.input("yaml")
    let result = shell.run("cat >desk.yaml <<'END'\n\(text)END\nblemu up desk.yaml")
    try snapshot.expect(result.error)
    #expect(result.status == 65)
  }

  @Test func `a good stand has no mistakes, and is no definition`() {
    shell.folder.write(Self.good, to: "desk.yaml")
    #expect(
      shell.run("blemu check desk.yaml") == .init(status: 0, output: "desk.yaml: no errors\n", error: ""))
    #expect(shell.run("blemu check --format json desk.yaml").output == "")
    let error = "blemu: 'desk.yaml' is a stand, not a definition\n  'blemu up desk.yaml' runs its devices\n"
    for command in ["run", "show", "play"] {
      #expect(shell.run("blemu \(command) desk.yaml") == .init(status: 64, output: "", error: error))
    }
    #expect(
      shell.run("blemu up lamp.yaml").error
        == "blemu: 'lamp.yaml' is a definition, not a stand\n  'blemu run lamp.yaml' runs it\n")
  }

  @Test func `what is no stand is told what it is`() {
    #expect(
      shell.run("blemu up hm-10").error
        == "blemu: 'hm-10' is a definition, not a stand\n  'blemu run hm-10' runs it\n")
    #expect(
      shell.run("blemu up nothing").error
        == "blemu: there is no file 'nothing'\n"
        + "  a stand is a file that begins with 'stand:'; 'blemu help up' shows one\n")
  }

  @Test(arguments: Page.all.flatMap(\.blocks).filter(\.isStand))
  func `a stand on a page is a good one`(stand: Page.Block) {
    shell.folder.write(stand.text, to: "desk.yaml")
    #expect(
      shell.run("blemu check desk.yaml") == .init(status: 0, output: "desk.yaml: no errors\n", error: ""))
  }

  @Test func `what only BlueZ cannot serve is no mistake elsewhere`() {
    shell.folder.write(Self.limited, to: "desk.yaml")
    let result = shell.run("blemu check --format json desk.yaml")
    #expect(result.output.split(separator: "\n").count == 1)
    #expect(result.output.contains(#""line": 3, "column": 27"#))
    #expect(result.status == 65)
  }

  private static let good = """
    stand: Desk
    devices:
      belt: { definition: heart-rate-belt, on: bluez:hci0 }
      module.2:
        definition: hm-10
        on: exact:hci1
        set: { local-name: Robot, firmware: V603 }
        seed: 18
        state: module.state
        wire: { exec: [python3, -u, robot.py], restart: always }
        faults: [drop out on FFE1 every 3rd]
        restart: on-failure
      by-address: { definition: ./lamp.yaml, on: "exact:00:1A:7D:DA:71:13" }
      in-memory: { definition: hm-10, on: loopback, wire: { pty: hm10 } }
      other: { definition: hm-10, on: loopback, wire: { tcp: 4000 } }
    """

  private static let limited = """
    stand: Desk
    devices:
      keyboard: { definition: limited.yaml, on: bluez:hci0 }
      same: { definition: limited.yaml, on: exact:hci1 }
    """
}
