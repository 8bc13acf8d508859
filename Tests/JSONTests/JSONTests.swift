import Foundation
import BlemuJSON
import Testing

@Suite struct JSONTests {
  static let value: JSONValue = [
    "name": "a \"quoted\" \\ text\n", "number": -5, "flag": true, "none": [], "nothing": [:],
    "list": [1, ["deep": false]],
  ]

  @Test func `a value on one line`() {
    #expect(
      Self.value.line == #"""
        {"name": "a \"quoted\" \\ text\n", "number": -5, "flag": true, "none": [], "nothing": {}, "list": [1, {"deep": false}]}
        """#)
  }

  @Test func `a value that does not fit into a line is indented`() {
    #expect(
      Self.value.lines(width: 34) == #"""
        {
          "name": "a \"quoted\" \\ text\n",
          "number": -5,
          "flag": true,
          "none": [],
          "nothing": {},
          "list": [1, {"deep": false}]
        }

        """#)
    #expect(
      Self.value.lines(width: 20).hasSuffix(
        #"""
          "list": [
            1,
            {"deep": false}
          ]
        }

        """#))
  }

  @Test func `a long list of words fills its rows`() {
    let words: JSONValue = ["words": ["one", "two", "three", 4, "five"]]
    #expect(
      words.lines(width: 20) == """
        {
          "words": [
            "one", "two",
            "three", 4,
            "five"
          ]
        }

        """)
  }

  @Test(arguments: [
    ("", #""""#), ("a\"b\\c", #""a\"b\\c""#), ("\n\r\t\u{1}\u{1F}", #""\n\r\t\u0001\u001F""#),
    ("ß\u{7F}", "\"ß\u{7F}\""),
  ])
  func `a string is quoted`(text: String, quoted: String) {
    #expect(JSONValue.string(text).line == quoted)
  }

  @Test(arguments: [1, 40, 1000])
  func `another parser reads the same`(width: Int) throws {
    let text = Self.value.lines(width: width)
    let parsed = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary)
    #expect(
      parsed == [
        "name": "a \"quoted\" \\ text\n", "number": -5, "flag": true, "none": [] as [Any],
        "nothing": [:] as [String: Any], "list": [1, ["deep": false]] as [Any],
      ] as NSDictionary)
  }

  @Test func `members are added at the end, absent ones are not`() {
    #expect((["a": 1] as JSONValue).adding(["b": nil, "c": 2]) == ["a": 1, "c": 2])
  }
}
