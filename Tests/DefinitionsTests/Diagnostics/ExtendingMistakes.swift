import Testing

@testable import Definitions

/// Mistakes in definitions that change others.
@Suite struct ExtendingMistakes {
  static let base = """
    blemu: 1
    name: Base
    services:
      - uuid: FFE0
        characteristics:
          - { id: serial, uuid: FFE1, properties: [read, write, notify], value: "01" }

    """

  @Test func `a mistake is shown in the file that holds it`() {
    #expect(
      diagnose(
        """
        extends: base.yaml
        link: { mtu: 22 }
        data: { days: { file: days.csv, columns: { day: integer } } }
        """,
        files: ["base.yaml": Self.base + "sumary: b\nwire: { bridge: FFE2 }\n", "days.csv": "day\none\n"])
          == """
          device.yaml:2:14: error: 22 is not in 23…517
              2 | link: { mtu: 22 }
                |              ^~

          base.yaml:7:1: error: a definition has no key 'sumary'
              7 | sumary: b
                | ^~~~~~ did you mean 'summary'?

          base.yaml:8:17: error: no characteristic has the id 'FFE2'
              8 | wire: { bridge: FFE2 }
                |                 ^~~~ known: serial

          days.csv:2:1: error: 'one' is not an integer
              2 | one
                | ^~~
          """)
  }

  @Test func `what is wrong in a merged mapping is shown where it is changed`() {
    #expect(
      diagnose(
        """
        extends: base.yaml
        services:
          - uuid: FFE0
            characteristics:
              - uuid: FFE1
                properties: ~
                text: two
        """, files: ["base.yaml": Self.base]) == """
          device.yaml:5:9: error: a characteristic needs 'properties'
              5 |       - uuid: FFE1
                |         ^~~~ what a central may do with it

          device.yaml:7:15: error: both 'value' and 'text'
              7 |         text: two
                |               ^ write 'value: ~' as well, which removes what is extended
          """)
  }

  @Test func `a warning about what is extended is shown once, in its file`() {
    #expect(
      diagnose(
        "extends: middle.yaml\nname: Clone",
        files: [
          "middle.yaml": "blemu: 1\nextends: base.yaml\n",
          "base.yaml": Self.base + "advertisement: { local-name: A name of more than twenty-nine bytes }\n",
        ]) == """
          base.yaml:7:30: warning: the scan response has room for 29 of the name's 37 bytes
              7 | advertisement: { local-name: A name of more than twenty-nine bytes }
                |                              ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
          """)
  }

  @Test func `for programs, the file is named in each line`() {
    let json = load("extends: base.yaml\nnam: x", files: ["base.yaml": Self.base + "sumary: b\n"]).json
    #expect(
      json == #"""
        {"file": "device.yaml", "line": 2, "column": 1, "end-line": 2, "end-column": 4, "severity": "error", "message": "a definition has no key 'nam'", "hint": "did you mean 'name'?"}
        {"file": "base.yaml", "line": 7, "column": 1, "end-line": 7, "end-column": 7, "severity": "error", "message": "a definition has no key 'sumary'", "hint": "did you mean 'summary'?"}

        """#)
  }

  @Test func `a bundled definition that there is not`() {
    #expect(
      diagnose("extends: hm10", bundled: ["hm-10": Self.base]) == """
        device.yaml:1:10: error: there is no bundled definition 'hm10'
            1 | extends: hm10
              |          ^~~~ did you mean 'hm-10'?
        """)
    #expect(
      diagnose("extends: hm10", files: ["hm10.yaml": Self.base], bundled: ["hm-10": Self.base]) == """
        device.yaml:1:10: error: there is no bundled definition 'hm10'
            1 | extends: hm10
              |          ^~~~ did you mean 'hm10.yaml'?
        """)
    #expect(
      diagnose("extends: hm10") == """
        device.yaml:1:10: error: there is no bundled definition 'hm10'
            1 | extends: hm10
              |          ^~~~ a file beside this one is named with its '.yaml'
        """)
  }

  @Test func `a file that is not there, or not beside it`() {
    #expect(
      diagnose("extends: base.yaml") == """
        device.yaml:1:10: error: cannot read 'base.yaml': No such file or directory
            1 | extends: base.yaml
              |          ^~~~~~~~~
        """)
    #expect(
      diagnose("extends: ../base.yaml") == """
        device.yaml:1:10: error: '../base.yaml' is not in the definition's folder
            1 | extends: ../base.yaml
              |          ^~~~~~~~~~~~ put the file beside the definition and write its name only
        """)
  }

  @Test func `what is extended is no YAML`() {
    #expect(
      diagnose("name: Clone\nextends: base.yaml", files: ["base.yaml": "blemu: 1\nname: [a\n"]) == """
        device.yaml:2:10: error: 'base.yaml' cannot be read
            2 | extends: base.yaml
              |          ^~~~~~~~~
                base.yaml:2:7: not valid YAML: did not find expected ',' or ']'
        """)
  }

  @Test(arguments: [("[a]", "a list"), ("text", "'text'")])
  func `what is extended is no definition`(text: String, kind: String) {
    #expect(
      diagnose("extends: base.yaml", files: ["base.yaml": text]) == """
        device.yaml:1:10: error: 'base.yaml' is no definition: it is \(kind)
            1 | extends: base.yaml
              |          ^~~~~~~~~
        """)
  }

  @Test func `a list of what is extended`() {
    #expect(
      diagnose("extends: [a, b]") == """
        device.yaml:1:10: error: expected the definition that is extended, found a list
            1 | extends: [a, b]
              |          ^~~~~~ the name of a bundled one, or of a file beside this one
        """)
  }

  @Test func `a circle, where it closes`() {
    let files = [
      "a.yaml": "blemu: 1\nextends: b.yaml\n", "b.yaml": "# b\nblemu: 1\nextends: a.yaml\n",
      "device.yaml": "extends: device.yaml",
    ]
    #expect(
      diagnose("extends: a.yaml", files: files) == """
        b.yaml:3:10: error: a definition extends itself
            3 | extends: a.yaml
              |          ^~~~~~ a.yaml → b.yaml → a.yaml
        """)
    #expect(
      diagnose("extends: device.yaml", files: files) == """
        device.yaml:1:10: error: a definition extends itself
            1 | extends: device.yaml
              |          ^~~~~~~~~~~ device.yaml → device.yaml
        """)
  }

  @Test func `more than eight`() {
    var files = ["9.yaml": Self.base]
    for number in 1..<9 { files["\(number).yaml"] = "blemu: 1\nextends: \(number + 1).yaml\n" }
    #expect(
      diagnose("extends: 1.yaml", files: files) == """
        8.yaml:2:10: error: more than 8 definitions extend one another
            2 | extends: 9.yaml
              |          ^~~~~~ the first is device.yaml
        """)
  }

  @Test func `null where there is nothing to remove`() {
    #expect(
      diagnose(
        """
        extends: base.yaml
        link: { mtu: ~ }
        services:
          - uuid: FFE0
            characteristics:
              - { uuid: FFE1, permissions: null }
        """, files: ["base.yaml": Self.base]) == """
          device.yaml:2:14: error: there is no 'mtu' to remove
              2 | link: { mtu: ~ }
                |              ^ '~' removes a key of the definition that is extended; as text it is quoted: "~"

          device.yaml:6:36: error: there is no 'permissions' to remove
              6 |       - { uuid: FFE1, permissions: null }
                |                                    ^~~~ 'null' removes a key of the definition that is extended; as text it is quoted: "null"
          """)
    #expect(
      diagnose("summary: ~") == """
        device.yaml:1:10: error: there is no 'summary' to remove
            1 | summary: ~
              |          ^ '~' removes a key of the definition that is extended; as text it is quoted: "~"
        """)
  }

  @Test func `what is removed is missing where it is needed`() {
    #expect(
      diagnose("blemu: 1\nextends: base.yaml\nservices: ~", files: ["base.yaml": Self.base]) == """
        device.yaml:1:1: error: a definition needs 'services'
            1 | blemu: 1
              | ^~~~~ its services, in order
        """)
  }

  @Test func `each file says the version of the language`() {
    let device = SourceText(name: "device.yaml", text: "name: Clone\nextends: base.yaml\n")
    let base = Self.base.replacing("blemu: 1", with: "blemu: 2")
    #expect(
      DefinitionLoader.load(device, folder: MemoryFolder(files: ["base.yaml": base])).report.trimmed == """
        device.yaml:1:1: error: a definition needs 'blemu'
            1 | name: Clone
              | ^~~~ the version of the language: 'blemu: 1'

        base.yaml:1:8: error: unknown word '2'
            1 | blemu: 2
              |        ^ known: 1
        """)
  }

  @Test func `keys that stand there twice`() {
    #expect(
      diagnose(
        "extends: base.yaml\nname: a\nname: b\nextends: other.yaml", files: ["base.yaml": Self.base]) == """
          device.yaml:3:1: error: a second 'name'
              3 | name: b
                | ^~~~ remove one of them

          device.yaml:4:1: error: a second 'extends'
              4 | extends: other.yaml
                | ^~~~~~~ remove one of them
          """)
  }

  @Test func `a table from a file here and with rows there`() {
    let rows = "data: { days: { columns: { day: integer }, rows: [[1]] } }\n"
    #expect(
      diagnose(
        "extends: base.yaml\ndata: { days: { file: days.csv } }",
        files: ["base.yaml": Self.base + rows, "days.csv": "day\n1\n"]) == """
          device.yaml:2:23: error: both 'file' and 'rows'
              2 | data: { days: { file: days.csv } }
                |                       ^ write 'rows: ~' as well, which removes what is extended
          """)
  }
}
