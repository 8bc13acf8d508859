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

  @Test(
    arguments: [
      #"<svg/>"#, #"<text data-text="{level} % of {{all}}"/>"#, #"<g data-if="lit and state == 'busy'"/>"#,
      #"<g data-if='level &gt; 3 and level &lt; 5'/>"#,
      #"<rect data-width="{level * 2}" data-fill="{if(lit, '#fff', 'red')}"/>"#,
      #"<g data-press="switch" data-fit="3" data-of-mine="{nothing}"/>"#,
      #"<text data-text="{level: dec(3)}{level:hex}"/>"#,
      #"<?xml version="1.0"?><!DOCTYPE svg><!-- <g data-if="nope"> --><svg><![CDATA[<g data-if="nope">]]></svg>"#,
      #"<text fill='red' id = "a" data-text="{centrals}">a > b</text>"#,
      "<svg\n  data-opacity\n=\n\"{level / 100}\"/>",
    ])
  func `what is right is taken`(text: String) {
    #expect(report(text) == "")
  }

  @Test(
    arguments: [
      (
        #"<text data-text="{levle} %"/>"#,
        """
        lamp.svg:1:19: error: unknown name 'levle'
            1 | <text data-text="{levle} %"/>
              |                   ^~~~~ did you mean 'level'?
        """
      ),
      (
        "<svg>\n  <g data-if=\"lit and\"/>",
        """
        lamp.svg:2:22: error: expected a value, found the end
            2 |   <g data-if="lit and"/>
              |                      ^
        """
      ),
      (
        #"<g data-press="swich"/>"#,
        """
        lamp.svg:1:16: error: there is no control 'swich'
            1 | <g data-press="swich"/>
              |                ^~~~~ did you mean 'switch'?
        """
      ),
      (
        #"<g data-fil="red"/>"#,
        """
        lamp.svg:1:14: warning: 'data-fil' is no binding
            1 | <g data-fil="red"/>
              |              ^ did you mean 'data-fill'?
        """
      ),
      (
        #"<text data-text="{level: u8}"/>"#,
        """
        lamp.svg:1:26: error: 'u8' is no format of text
            1 | <text data-text="{level: u8}"/>
              |                          ^~ dec, dec(3), hex, hex(4) or hexbytes
        """
      ),
      (
        #"<text data-text="{level"/>"#,
        """
        lamp.svg:1:18: error: '{' has no closing '}'
            1 | <text data-text="{level"/>
              |                  ^
        """
      ),
      (
        "<svg>\n<g data-if=lit/>",
        """
        lamp.svg:2:12: error: the value of 'data-if' has no quotes
            2 | <g data-if=lit/>
              |            ^ XML needs them, as in data-if="1"
        """
      ),
      (
        "<svg>\n<g data-if=\"lit/>",
        """
        lamp.svg:2:12: error: this value has no end
            2 | <g data-if="lit/>
              |            ^ close the quote
        """
      ),
      (
        "<svg>\n<!-- a\n<g/>",
        """
        lamp.svg:2:1: error: '-->' is missing
            2 | <!-- a
              | ^ this begins here
        """
      ),
      (
        "<svg\n<g/>",
        """
        lamp.svg:1:1: error: this tag has no end
            1 | <svg
              | ^ write '>' after it
        """
      ),
    ])
  func `a mistake has its place and a hint`(text: String, expected: String) {
    #expect(report(text) == expected + "\n")
  }

  @Test(arguments: library.names)
  func `each bundled definition has a face, which fits it`(name: String) throws {
    let loaded = try DefinitionLoader.load(path: #require(library.path(of: name)), bundled: library)
    let face = try #require(loaded.face)
    #expect(try FaceFile(path: face, of: #require(loaded.definition)).report() == "")
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

  @Test func `a definition has the face beside it, otherwise that of the one that it extends`() throws {
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
