import DeviceModel
import TestSupport
import Testing

@testable import Definitions

/// What `blemu check` says of a face.
@Suite struct FaceTests {
  private static let lamp = TestSupport.definition(
    """
    advertisement: { local-name: Lamp }
    settings:
      level: { type: integer, default: 50, min: 0, max: 100 }
      title: { type: text, default: Lamp, max: 8 }
    variables: { lit: { type: boolean, default: false } }
    controls: { switch: { set: lit } }
    states: [idle, busy]
    """)

  private func report(_ text: String) -> String {
    FaceFile(SourceText(name: "lamp.svg", text: text), of: Self.lamp).report()
  }

  /// What `blemu check` says of a drawing with these elements, which begin in line 2.
  private func report(inside text: String) -> String {
    report("<svg xmlns='http://www.w3.org/2000/svg'>\n\(text)\n</svg>")
  }

  @Test(
    arguments: [
      #"<g/>"#, #"<text data-text="{level} % of {{all}}"/>"#, #"<g data-if="lit and state == 'busy'"/>"#,
      #"<g data-if='level &gt; 3 and level &lt; 5'/>"#,
      #"<rect data-width="{level * 2}" data-fill="{if(lit, '#fff', 'red')}"/>"#,
      #"<g data-press="switch" data-fit="3" data-of-mine="{nothing}"/>"#,
      #"<text data-text="{level: dec(3)}{level:hex}"/>"#,
      #"<!-- <g data-if="nope"> --><g><![CDATA[<g data-if="nope"> & ]]></g><?of mine?>"#,
      #"<text fill='red' id = "a" data-text="{centrals}">a > b &amp; &#99;</text >"#,
      "<g\n  data-opacity\n=\n\"{level / 100}\"/>",
      #"<g xmlns:mine="a"><mine:g mine:a="1" xml:space="preserve"/></g>"#,
    ])
  func `what is right is taken`(text: String) {
    #expect(report(inside: text) == "")
  }

  @Test(
    arguments: [
      "<svg xmlns='http://www.w3.org/2000/svg'/>",
      "<?xml version='1.0'?>\n<!DOCTYPE svg>\n<!-- a -->\n<svg xmlns='http://www.w3.org/2000/svg'></svg>\n<!-- b -->\n",
      "<!DOCTYPE svg [ <!ENTITY ns 'http://www.w3.org/2000/svg'> ]>\n<svg xmlns='&ns;'>&ns;</svg>",
      "<svg:svg xmlns:svg='http://www.w3.org/2000/svg'><svg:g/></svg:svg>",
      "<svg xmlns='http://www.w3.org/2000/svg' width='2' height='3' viewBox='0 0 1 1'/>",
      "<svg xmlns='http://www.w3.org/2000/svg' width='100%' height='100%'/>",
    ])
  func `a drawing is one element`(text: String) {
    #expect(report(text) == "")
  }

  @Test(
    arguments: [
      ("", "lamp.svg:1:1: error: the file is empty"),
      (" \n ", "lamp.svg:1:1: error: the file is empty"),
      ("<!-- a -->", "lamp.svg:1:1: error: the file has no '<svg>'"),
      ("a lamp", "lamp.svg:1:1: error: there is text outside '<svg>'"),
      ("\n <html>", "lamp.svg:2:2: error: the file begins with '<html>', not with '<svg>'"),
      ("<svg/>", "lamp.svg:1:1: error: without 'xmlns', a browser does not recognize the file as SVG"),
      (
        "<svg xmlns='http://www.w3.org/2000/svg'/>\n<g/>",
        "lamp.svg:2:1: error: '<g>' comes after the end of the drawing"
      ),
      (
        "<svg xmlns='http://www.w3.org/2000/svg'/> a",
        "lamp.svg:1:43: error: there is text outside '<svg>'"
      ),
      ("<svg xmlns='http://www.w3.org/2000/svg'/></g>", "lamp.svg:1:42: error: '</g>' closes nothing"),
      ("<svg xmlns='http://www.w3.org/2000/svg'>\n<g>", "lamp.svg:2:1: error: '<g>' is never closed"),
      (
        "<svg xmlns='http://www.w3.org/2000/svg'>\n<g data-if=\"lit/>",
        "lamp.svg:2:12: error: this value has no end"
      ),
    ])
  func `what is no drawing is found`(text: String, expected: String) {
    #expect(report(text).hasPrefix(expected + "\n"), "\(report(text))")
  }

  @Test func `a drawing with a size needs the part to show`() {
    #expect(
      report("<svg xmlns='http://www.w3.org/2000/svg' width='640' height='480px'/>") == """
        lamp.svg:1:1: warning: without 'viewBox', the page cannot scale the drawing to fit
            1 | <svg xmlns='http://www.w3.org/2000/svg' width='640' height='480px'/>
              | ^~~~ write viewBox="0 0 640 480"

        """)
  }

  @Test(
    arguments: [
      (
        "<text>a\n</svg>",
        """
        lamp.svg:3:1: error: '</svg>' closes '<text>' of line 2
            3 | </svg>
              | ^ close '<text>' first
        """
      ),
      (
        #"<g fill="red" fill="blue"/>"#,
        """
        lamp.svg:2:15: error: a second 'fill'
            2 | <g fill="red" fill="blue"/>
              |               ^ an element has it once
        """
      ),
      (
        "<text>A & B</text>",
        """
        lamp.svg:2:9: error: '&' does not begin a character that XML knows
            2 | <text>A & B</text>
              |         ^ write '&amp;' for the character
        """
      ),
      (
        "<text>a < b</text>",
        """
        lamp.svg:2:9: error: no element begins here
            2 | <text>a < b</text>
              |         ^ write '&lt;' for the character
        """
      ),
      (
        #"<g data-if="level < 3"/>"#,
        """
        lamp.svg:2:19: error: '<' in the value of 'data-if'
            2 | <g data-if="level < 3"/>
              |                   ^ write '&lt;', or close the quote
        """
      ),
      (
        "<rect hidden/>",
        """
        lamp.svg:2:7: error: the attribute 'hidden' has no value
            2 | <rect hidden/>
              |       ^ XML needs one, as in hidden="1"
        """
      ),
      (
        #"<g x="1"y="2"/>"#,
        """
        lamp.svg:2:9: error: a space is missing before this
            2 | <g x="1"y="2"/>
              |         ^
        """
      ),
      (
        #"<g "red"/>"#,
        """
        lamp.svg:2:4: error: this attribute has no name
            2 | <g "red"/>
              |    ^
        """
      ),
      (
        ##"<use xlink:href="#a"/>"##,
        """
        lamp.svg:2:1: error: the prefix of 'xlink:href' is not declared
            2 | <use xlink:href="#a"/>
              | ^ declare xmlns:xlink in '<svg>'
        """
      ),
      (
        #"<text data-text="{levle} %"/>"#,
        """
        lamp.svg:2:19: error: unknown name 'levle'
            2 | <text data-text="{levle} %"/>
              |                   ^~~~~ did you mean 'level'?
        """
      ),
      (
        "<g>\n  <g data-if=\"lit and\"/></g>",
        """
        lamp.svg:3:22: error: expected a value, found the end
            3 |   <g data-if="lit and"/></g>
              |                      ^
        """
      ),
      (
        #"<g data-press="swich"/>"#,
        """
        lamp.svg:2:16: error: there is no control 'swich'
            2 | <g data-press="swich"/>
              |                ^~~~~ did you mean 'switch'?
        """
      ),
      (
        #"<g data-fil="red"/>"#,
        """
        lamp.svg:2:14: warning: 'data-fil' is not a binding
            2 | <g data-fil="red"/>
              |              ^ did you mean 'data-fill'?
        """
      ),
      (
        #"<text data-text="{level: u8}"/>"#,
        """
        lamp.svg:2:26: error: 'u8' is not a text format
            2 | <text data-text="{level: u8}"/>
              |                          ^~ dec, dec(3), hex, hex(4) or hexbytes
        """
      ),
      (
        #"<text data-text="{level"/>"#,
        """
        lamp.svg:2:18: error: '{' has no closing '}'
            2 | <text data-text="{level"/>
              |                  ^
        """
      ),
      (
        "<g>\n<g data-if=lit/>",
        """
        lamp.svg:3:12: error: the value of 'data-if' has no quotes
            3 | <g data-if=lit/>
              |            ^ XML needs them, as in data-if="1"
        """
      ),
      (
        "<g>\n<!-- a\n<g/>",
        """
        lamp.svg:3:1: error: '-->' is missing
            3 | <!-- a
              | ^ this begins here
        """
      ),
      (
        "<g\n<g/>",
        """
        lamp.svg:2:1: error: this tag has no end
            2 | <g
              | ^ write '>' after it
        """
      ),
    ])
  func `a mistake has its place and a hint`(text: String, expected: String) {
    #expect(report(inside: text) == expected + "\n")
  }

  @Test(arguments: library.names)
  func `each bundled definition has a face, which fits it`(name: String) throws {
    let loaded = try readDefinition(at: #require(library.path(of: name)))
    let face = try #require(loaded.face)
    #expect(try FaceFile(path: face, atMost: 1 << 20, of: #require(loaded.definition)).report() == "")
  }

  @Test func `a face that the page does not draw is too large`() {
    let folder = TemporaryFolder(["lamp.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>"])
    #expect(throws: FileError.self) {
      try FaceFile(path: folder.path + "lamp.svg", atMost: 40, of: Self.lamp)
    }
    #expect(throws: Never.self) {
      try FaceFile(path: folder.path + "lamp.svg", atMost: 41, of: Self.lamp)
    }
  }

  @Test func `a variable that only the face reads is no mistake`() throws {
    let folder = TemporaryFolder()
    let rule = "rules: [{ on: connect, do: { set: { lit: true } } }]\n"
    folder.write(
      "blemu: 1\nname: Lamp\nadvertisement: {}\nvariables: { lit: { type: boolean, default: false } }\n"
        + rule,
      to: "lamp.yaml")
    func report() throws -> String { try DefinitionLoader.load(path: folder.path + "lamp.yaml").report }
    #expect(try report().contains("warning: nothing reads the variable 'lit'"))
    folder.write("<svg><g data-if='not lit'/></svg>", to: "lamp.svg")
    #expect(try report() == "")
    folder.write("<svg><g data-fill='{if(lit, 1, 2)}'/></svg>", to: "lamp.svg")
    #expect(try report() == "")
    folder.write("<svg><g data-if='unlit'/></svg>", to: "lamp.svg")
    #expect(try report().contains("warning: nothing reads the variable 'lit'"))
  }

  @Test func `a variable that only transcripts read or set is no mistake`() throws {
    func report(_ rule: String, _ transcript: String) -> String {
      load(
        "variables: { lit: { type: boolean, default: false } }\nrules: [{ on: connect, do: \(rule) }]",
        files: ["any.transcript": transcript]
      ).report
    }
    let (setting, reading) = ("{ set: { lit: true } }", "{ log: '{lit}' }")
    #expect(report(setting, "== Title\nconnect\n  * not lit  # a comment").isEmpty)
    #expect(report(reading, "set other=1 lit=true").isEmpty)
    let unread = "warning: nothing reads the variable 'lit'"
    #expect(report(setting, "set lit=true\n* \"lit\"\n# * lit").contains(unread))
    #expect(report(reading, "* lit").contains("warning: nothing sets the variable 'lit'"))
  }

  @Test func `a definition has the face next to it, otherwise that of the one that it extends`() throws {
    let folder = TemporaryFolder()
    folder.write("blemu: 1\nname: Base\nadvertisement: { local-name: Base }\n", to: "base.yaml")
    folder.write("blemu: 1\nname: Other\nextends: base.yaml\n", to: "other.yaml")
    func face() throws -> String? { try DefinitionLoader.load(path: folder.path + "other.yaml").face }
    #expect(try face() == nil)
    folder.write("<svg/>", to: "base.svg")
    #expect(try face() == folder.path + "base.svg")
    folder.write("<svg/>", to: "other.svg")
    #expect(try face() == folder.path + "other.svg")
  }
}
