import Definitions
import TestSupport
import Testing

@testable import CommandLineTool

@Suite struct ShowCommandTests {
  private let shell = Shell()

  /// With the files that it needs next to it. They are checked in one run; by default, every fifth.
  @Test func `copies of the bundled definitions are definitions`() throws {
    let library = DefinitionLibrary.ofThisProgram()
    let names = Sample.some(of: library.names)
    let copied = shell.run(
      """
      for name in \(names.joined(separator: " ")); do
        mkdir $name && cd $name || exit
        blemu show --source $name >my.yaml 2>needs || exit
        sed -n 's/^  cp /cp /p' needs | sh
        cd ..
      done
      """)
    #expect(copied.status == 0, "\(copied)")
    for name in names {
      let path = try #require(library.path(of: name))
      #expect(try shell.folder.read("\(name)/my.yaml") == TextFile.read(path))
    }
    let checked = shell.run("blemu check --on loopback */my.yaml")
    #expect(checked.status == 0, "\(checked)")
  }

  @Test func `standard error names the files that a copy needs`() throws {
    let path = try #require(DefinitionLibrary.ofThisProgram().path(of: "bracelet"))
    let folder = FilePath(path).folder
    let result = shell.run("blemu show --source bracelet")
    #expect(
      result.error == "blemu: bracelet.yaml needs history.csv next to it\n  cp \(folder)history.csv .\n")
    #expect(shell.run("blemu show --source hm-10").error == "")
  }

  @Test func `a source with mistakes is printed, too`() {
    let shell = Shell(["bad.yaml": "blemu: 1\nnmae: x"])
    #expect(
      shell.run("blemu show --source bad.yaml") == .init(status: 0, output: "blemu: 1\nnmae: x", error: ""))
  }

  @Test(arguments: ["--json", "--set=a=b", "--on=exact"])
  func `a source depends on nothing`(option: String) {
    let name = option.split(separator: "=").first.map(String.init) ?? ""
    #expect(throws: CommandError.conflictingOptions("--source", name)) {
      try ShowCommand(Arguments(["hm-10", "--source", option], for: .show))
    }
  }

  @Test func `JSON describes a device, with stable names`() throws {
    let shell = Shell([
      "lamp.yaml": """
      blemu: 1
      name: Lamp
      summary: A lamp
      settings: { kind: { type: text, one-of: [A, B], default: A } }
      variables: { count: { type: integer, default: 3 }, warmth: { type: decimal, max: 6.5, default: 2 } }
      controls:
        button: { label: The button, do: { set: { count: count + 1 } } }
        kind: { set: kind }
        warmth: { set: warmth }
      states: [off, on]
      advertisement: { local-name: Lamp, services: [FFE0] }
      services:
        - uuid: FFE0
          characteristics:
            - { id: switch, uuid: FFE1, properties: [read, write, notify], value: "00" }
      messages: { turn: "{state: u8}" }
      wire: { bridge: switch, baud: 9600 }
      rules:
        - { on: { receive: turn }, if: state == 1, do: [{ send: turn }, { set: { count: count + 1 } }, { enter: on }] }
      """
    ])
    let result = shell.run("blemu show --json --on exact lamp.yaml")
    #expect(result.status == 0)
    #expect(
      result.output == """
        {
          "name": "Lamp",
          "summary": "A lamp",
          "file": "lamp.yaml",
          "advertising-data": "02 01 06 03 03 E0 FF",
          "scan-response": "05 09 4C 61 6D 70",
          "services": [
            {
              "uuid": "FFE0",
              "id": "FFE0",
              "primary": true,
              "characteristics": [
                {
                  "uuid": "FFE1",
                  "id": "switch",
                  "properties": ["read", "write", "notify"],
                  "permissions": [],
                  "descriptors": [],
                  "handle": 12
                }
              ]
            }
          ],
          "wire": true,
          "baud": 9600,
          "settings": [{"name": "kind", "type": "text", "value": "A", "one-of": ["A", "B"]}],
          "variables": [
            {"name": "count", "type": "integer", "value": "3"},
            {"name": "warmth", "type": "decimal", "value": "2.0", "max": "6.5"}
          ],
          "controls": [
            {"name": "button", "label": "The button", "kind": "button"},
            {
              "name": "kind",
              "label": "kind",
              "kind": "choice",
              "set": "kind",
              "type": "text",
              "one-of": ["A", "B"]
            },
            {
              "name": "warmth",
              "label": "warmth",
              "kind": "field",
              "set": "warmth",
              "type": "decimal",
              "max": "6.5"
            }
          ],
          "states": ["off", "on"],
          "messages": [
            {"name": "turn", "template": "{state: u8}", "fields": ["state"], "types": {"state": "integer"}}
          ],
          "rules": [
            {
              "line": 19,
              "on": "receive turn",
              "if": "state == 1",
              "do": ["send turn", "set count = count + 1", "enter on"]
            },
            {"line": 7, "on": "control button", "do": ["set count = count + 1"]}
          ]
        }

        """)
  }

  @Test(
    arguments: DefinitionLibrary.ofThisProgram().names, Sample.part(["exact"], of: ["loopback", "exact"]))
  func `every bundled device can be described in JSON`(name: String, transport: String) {
    #expect(throws: Never.self) {
      try ShowCommand(Arguments([name, "--json", "--on", transport], for: .show))
    }
  }
}
