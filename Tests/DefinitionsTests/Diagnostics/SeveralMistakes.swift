import Testing

@testable import Definitions

/// More than one mistake in one file.
@Suite struct SeveralMistakes {
  @Test func `all of them in the order of the file, those of other files behind`() {
    #expect(
      diagnose(
        """
        blemu: 1
        nam: Belt
        link: { mtu: 5000 }
        data:
          history: { file: history.csv, columns: { day: integer }, key: [day] }
        services:
          - uuid: FFE0
            characteristics:
              - { uuid: FFE1, properties: [reed] }
        messages:
          hello: "A5 {x: u7}"
        advertisement: { tx-power: 21 }
        """, files: ["history.csv": "day\none\n"]) == """
          device.yaml:2:1: error: a definition has no key 'nam'
              2 | nam: Belt
                | ^~~ did you mean 'name'?

          device.yaml:3:14: error: 5000 is not in 23…517
              3 | link: { mtu: 5000 }
                |              ^~~~

          device.yaml:9:36: error: unknown word 'reed'
              9 |       - { uuid: FFE1, properties: [reed] }
                |                                    ^~~~ did you mean 'read'?

          device.yaml:11:18: error: unknown field type 'u7'
             11 |   hello: "A5 {x: u7}"
                |                  ^~ did you mean 'u8'?

          device.yaml:12:28: error: 21 is not in -127…20
             12 | advertisement: { tx-power: 21 }
                |                            ^~

          history.csv:2:1: error: 'one' is not an integer
              2 | one
                | ^~~
          """)
  }

  @Test func `every tab and every wide character is one column`() {
    #expect(
      diagnose(
        """
        # belt
        messages:
          hello: "A5	{ä: u8}"
        """) == """
          device.yaml:3:15: error: 'ä' is not a name
              3 |   hello: "A5 {ä: u8}"
                |               ^ a name has letters, digits and hyphens, and begins with a letter
          """)
  }

  @Test func `a warning beside an error`() {
    #expect(
      diagnose(
        """
        advertisement:
          local-name: A name of more than twenty-nine bytes
          tx-power: 99
        """) == """
          device.yaml:2:15: warning: the scan response has room for 29 of the name's 37 bytes
              2 |   local-name: A name of more than twenty-nine bytes
                |               ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~

          device.yaml:3:13: error: 99 is not in -127…20
              3 |   tx-power: 99
                |             ^~
          """)
  }
}
