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

          device.yaml:4:28: error: only a number has a 'min'
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
                |                       ^~~~~~ known: text, integer, decimal, boolean, bytes
          """)
  }

  @Test func `limits that are no numbers of the type`() {
    #expect(
      diagnose(
        """
        settings:
          level: { type: integer, min: 0.5, default: 1 }
          name: { type: text, max: -1, default: "" }
          warmth: { type: decimal, max: hot, default: 1 }
        """) == """
          device.yaml:2:32: error: expected a whole number, found '0.5'
              2 |   level: { type: integer, min: 0.5, default: 1 }
                |                                ^~~

          device.yaml:3:28: error: 'max' is a number of bytes
              3 |   name: { type: text, max: -1, default: "" }
                |                            ^~

          device.yaml:4:33: error: expected a number, found 'hot'
              4 |   warmth: { type: decimal, max: hot, default: 1 }
                |                                 ^~~
          """)
  }

  @Test func `a decimal that is none, and one out of range`() {
    #expect(
      diagnose(
        """
        settings:
          warmth: { type: decimal, min: 18, max: 26, default: 26.5 }
          cold: { type: decimal, default: 1e3 }
        """) == """
          device.yaml:2:55: error: 26.5 is not in 18.0…26.0
              2 |   warmth: { type: decimal, min: 18, max: 26, default: 26.5 }
                |                                                       ^~~~

          device.yaml:3:35: error: expected a number, found '1e3'
              3 |   cold: { type: decimal, default: 1e3 }
                |                                   ^~~
          """)
  }

  @Test func `a choice that cannot be one`() {
    #expect(
      diagnose(
        """
        settings:
          version: { type: text, one-of: [V540, V605], default: V606 }
          rate: { type: integer, one-of: [9600, fast], default: 9600 }
          worn: { type: boolean, one-of: [true], default: true }
          mode: { type: text, one-of: [], default: a }
          size: { type: integer, one-of: [1, 0x01], max: 9, default: 1 }
        """) == """
          device.yaml:2:57: error: 'V606' is none of V540, V605
              2 |   version: { type: text, one-of: [V540, V605], default: V606 }
                |                                                         ^~~~

          device.yaml:3:41: error: expected a whole number, found 'fast'
              3 |   rate: { type: integer, one-of: [9600, fast], default: 9600 }
                |                                         ^~~~

          device.yaml:4:34: error: only text and integers have 'one-of'
              4 |   worn: { type: boolean, one-of: [true], default: true }
                |                                  ^~~~~~

          device.yaml:5:31: error: the list is empty
              5 |   mode: { type: text, one-of: [], default: a }
                |                               ^~

          device.yaml:6:38: error: a second '1'
              6 |   size: { type: integer, one-of: [1, 0x01], max: 9, default: 1 }
                |                                      ^~~~

          device.yaml:6:50: error: 'one-of' and 'max' exclude each other
              6 |   size: { type: integer, one-of: [1, 0x01], max: 9, default: 1 }
                |                                                  ^ keep one
          """)
  }
}
