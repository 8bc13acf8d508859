import Testing

@testable import Definitions

/// Mistakes in settings.
@Suite struct SettingMistakes {
  @Test func `a default longer than the setting allows`() {
    #expect(
      diagnose(
        """
        settings:
          local-name: { type: text, max: 12, default: Fitness bracelet }
        """) == """
          device.yaml:2:47: error: 'Fitness bracelet' has 16 bytes, at most 12 are allowed
              2 |   local-name: { type: text, max: 12, default: Fitness bracelet }
                |                                               ^~~~~~~~~~~~~~~~
          """)
  }

  @Test func `a default out of range`() {
    #expect(
      diagnose(
        """
        settings:
          level: { type: integer, min: 0, max: 100, default: 101 }
        """) == """
          device.yaml:2:54: error: 101 is not in 0…100
              2 |   level: { type: integer, min: 0, max: 100, default: 101 }
                |                                                      ^~~
          """)
  }

  @Test func `a default of another type`() {
    #expect(
      diagnose(
        """
        settings:
          level: { type: integer, default: full }
          worn: { type: boolean, default: no }
          key: { type: bytes, default: 0xA5 }
        """) == """
          device.yaml:2:36: error: expected a whole number, found 'full'
              2 |   level: { type: integer, default: full }
                |                                    ^~~~

          device.yaml:3:35: error: expected true or false, found 'no'
              3 |   worn: { type: boolean, default: no }
                |                                   ^~

          device.yaml:4:32: error: expected hex bytes: 'x' is not a hexadecimal digit
              4 |   key: { type: bytes, default: 0xA5 }
                |                                ^~~~
          """)
  }

  @Test func `limits upside down, and limits of what has none`() {
    #expect(
      diagnose(
        """
        settings:
          level: { type: integer, min: 9, max: 1, default: 5 }
          worn: { type: boolean, max: 1, default: true }
          key: { type: bytes, min: 1, default: A5 }
        """) == """
          device.yaml:2:10: error: 'min' is greater than 'max'
              2 |   level: { type: integer, min: 9, max: 1, default: 5 }
                |          ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~

          device.yaml:3:31: error: true or false has no 'max'
              3 |   worn: { type: boolean, max: 1, default: true }
                |                               ^

          device.yaml:4:28: error: only an integer has a 'min'
              4 |   key: { type: bytes, min: 1, default: A5 }
                |                            ^
          """)
  }

  @Test func `a setting of the language's own name`() {
    #expect(
      diagnose(
        """
        settings:
          address: { type: bytes, default: A5 }
        """) == """
          device.yaml:2:3: error: 'address' is a name of the language
              2 |   address: { type: bytes, default: A5 }
                |   ^~~~~~~ choose another
          """)
  }

  @Test func `an unknown type is one mistake, whoever uses the setting`() {
    #expect(
      diagnose(
        """
        settings:
          local-name: { type: string, default: Belt }
        advertisement:
          local-name: "{local-name}"
        """) == """
          device.yaml:2:23: error: unknown word 'string'
              2 |   local-name: { type: string, default: Belt }
                |                       ^~~~~~ known: text, integer, boolean, bytes
          """)
  }
}
