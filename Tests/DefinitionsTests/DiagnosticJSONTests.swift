import Foundation
import Testing

@testable import Definitions

@Suite struct DiagnosticJSONTests {
  @Test func `a mistake is an object on a line of its own`() {
    #expect(
      load(
        """
        advertisement:
          local-nmae: "Größe"
        link: { mtu: 22 }
        """
      ).json == #"""
        {"file": "device.yaml", "line": 2, "column": 3, "end-line": 2, "end-column": 13, "severity": "error", "message": "an advertisement has no key 'local-nmae'", "hint": "did you mean 'local-name'?"}
        {"file": "device.yaml", "line": 3, "column": 14, "end-line": 3, "end-column": 16, "severity": "error", "message": "22 is not in 23…517"}

        """#)
  }

  @Test func `a file next to the definition goes by its name, a warning by its severity`() throws {
    let yaml = """
      advertisement:
        local-name: A name of more than twenty-nine bytes
      data: { days: { file: days.csv, columns: { day: integer }, key: [day] } }
      """
    let lines = load(yaml, files: ["days.csv": "day\n\"one\"\u{1}\n"]).json.split(separator: "\n")
    let objects = try lines.map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    #expect(objects.map { $0["file"] as? String } == ["device.yaml", "days.csv"])
    #expect(objects.map { $0["severity"] as? String } == ["warning", "error"])
    #expect(objects.last?["message"] as? String == "'\"one\"\u{1}' is not an integer")
  }

  @Test func `each line names the file that the mistake is in`() {
    let base = """
      blemu: 1
      name: Base
      services:
        - uuid: FFE0
          characteristics:
            - { id: serial, uuid: FFE1, properties: [read, write, notify], value: "01" }
      sumary: b

      """
    #expect(
      load("extends: base.yaml\nnam: x", files: ["base.yaml": base]).json == #"""
        {"file": "device.yaml", "line": 2, "column": 1, "end-line": 2, "end-column": 4, "severity": "error", "message": "a definition has no key 'nam'", "hint": "did you mean 'name'?"}
        {"file": "base.yaml", "line": 7, "column": 1, "end-line": 7, "end-column": 7, "severity": "error", "message": "a definition has no key 'sumary'", "hint": "did you mean 'summary'?"}

        """#)
  }

  @Test func `there is nothing to say about a good file`() {
    #expect(load("").json == "")
  }

  @Test func `notes are a list`() throws {
    let json = load(
      "advertisement: { manufacturer-data: { 004C: \"{x: bytes(30)}\" } }\nsettings: { x: { type: bytes, default: 00 } }"
    ).json
    let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    let notes = try #require(object["notes"] as? [String])
    #expect(notes.count == 2)
    #expect(notes[0].hasPrefix("0   21 FF 4C 00 00"))
    #expect(notes[0].hasSuffix(" …  manufacturer-data, 3 bytes over"))
  }
}
