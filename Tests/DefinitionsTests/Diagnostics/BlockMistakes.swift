import Testing

@testable import Definitions

/// Mistakes in the blocks of messages: optional and repeated parts.
@Suite struct BlockMistakes {
  @Test func `a block without its end`() {
    #expect(
      diagnose(
        """
        messages:
          rate: "{bits(0: 7, wide: 1)} {rate: u8} {if wide} {high: u8}"
        """) == """
          device.yaml:2:44: error: the block has no end
              2 |   rate: "{bits(0: 7, wide: 1)} {rate: u8} {if wide} {high: u8}"
                |                                            ^~~~~~~ it ends with {end}
          """)
  }

  @Test func `an end without its block`() {
    #expect(
      diagnose(
        """
        messages:
          rate: "{rate: u8} {end}"
        """) == """
          device.yaml:2:22: error: 'end' without a block
              2 |   rate: "{rate: u8} {end}"
                |                      ^~~ a block begins with {maybe}, {if NAME} or {repeat NAME}
          """)
  }

  @Test func `a block inside a block`() {
    #expect(
      diagnose(
        """
        messages:
          rate: "{flag: u8} {if flag} {maybe} {rate: u8} {end} {end}"
        """) == """
          device.yaml:2:32: error: a block inside a block
              2 |   rate: "{flag: u8} {if flag} {maybe} {rate: u8} {end} {end}"
                |                                ^~~~~ only {repeat …} may stand in {maybe} and {if …}
          """)
  }

  @Test func `a condition that is nowhere, behind its block, or no number`() {
    #expect(
      diagnose(
        """
        messages:
          first: "{bits(0: 7, wide: 1)} {if wild} {high: u8} {end}"
          second: "{if flag} {high: u8} {end} {flag: u8}"
          third: "{name: text(4)} {if name} {high: u8} {end}"
        """) == """
          device.yaml:2:34: error: no field 'wild' stands before this block
              2 |   first: "{bits(0: 7, wide: 1)} {if wild} {high: u8} {end}"
                |                                  ^~~~~~~ known: wide

          device.yaml:3:13: error: 'flag' stands behind this block
              3 |   second: "{if flag} {high: u8} {end} {flag: u8}"
                |             ^~~~~~~

          device.yaml:4:28: error: 'name' is no number
              4 |   third: "{name: text(4)} {if name} {high: u8} {end}"
                |                            ^~~~~~~
          """)
  }

  @Test func `a repeated part without a name, without a field`() {
    #expect(
      diagnose(
        """
        messages:
          first: "A5 {repeat} {v: u8} {end}"
          second: "A5 {repeat cells} 00 {end}"
        """) == """
          device.yaml:2:15: error: a repeated part has a name
              2 |   first: "A5 {repeat} {v: u8} {end}"
                |               ^~~~~~ for example {repeat items} or {repeat items(4)}

          device.yaml:3:16: error: a repeated part has a field
              3 |   second: "A5 {repeat cells} 00 {end}"
                |                ^~~~~~~~~~~~ for example {repeat cells} {value: u8} {end}
          """)
  }

  @Test func `an optional part of no bytes`() {
    #expect(
      diagnose(
        """
        messages:
          name: "A5 {maybe} {name: text} {end}"
        """) == """
          device.yaml:2:14: error: an optional part needs at least one byte
              2 |   name: "A5 {maybe} {name: text} {end}"
                |              ^~~~~
          """)
  }

  @Test func `rows that nobody can tell apart`() {
    #expect(
      diagnose(
        """
        messages:
          names: "A5 {count(names): u8} {repeat names} {name: text} {end}"
        """) == """
          device.yaml:2:48: error: nobody can tell where 'name' ends and the next one begins
              2 |   names: "A5 {count(names): u8} {repeat names} {name: text} {end}"
                |                                                ^~~~~~~~~~~~ give one of them a size, or put bytes between them
          """)
  }

  @Test func `an optional part before bytes that may be anything`() {
    #expect(
      diagnose(
        """
        messages:
          data: "A5 {maybe} {index: u8} {end} {data: bytes}"
        """) == """
          device.yaml:2:39: error: nobody can tell where an optional part ends and 'data' begins
              2 |   data: "A5 {maybe} {index: u8} {end} {data: bytes}"
                |                                       ^~~~~~~~~~~~~ give one of them a size, or put bytes between them
          """)
  }

  @Test func `an end that is misspelt`() {
    #expect(
      diagnose(
        """
        messages:
          data: "A5 {maybe} {index: u8} {ende}"
        """) == """
          device.yaml:2:34: error: unknown checksum 'ende'
              2 |   data: "A5 {maybe} {index: u8} {ende}"
                |                                  ^~~~ did you mean 'end'?
          """)
  }

  @Test func `an optional part of which some fields are given`() {
    #expect(
      diagnose(
        """
        services:
          - { uuid: FFE0, characteristics: [{ uuid: FFE1, properties: [notify] }] }
        messages:
          date: "A5 {maybe} {hour: u8} {minute: u8} {end}"
        rules:
          - { on: connect, do: [{ send: date }, { send: date, with: { hour: 1, minute: 2 } }] }
          - { on: connect, do: { send: date, with: { minute: 2 } } }
        """) == """
          device.yaml:7:44: error: nothing fills 'hour' of 'date', and its optional part is there
              7 |   - { on: connect, do: { send: date, with: { minute: 2 } } }
                |                                            ^~~~~~~~~~~~~ fill all of the part's fields, or none: minute
          """)
  }
}
