import Testing

@testable import Definitions

/// What the structure of a file can have wrong.
@Suite struct StructureMistakes {
  @Test func `an unknown key brings the one that was meant`() {
    #expect(
      diagnose(
        """
        sumary: a belt
        """) == """
          device.yaml:1:1: error: a definition has no key 'sumary'
              1 | sumary: a belt
                | ^~~~~~ did you mean 'summary'?
          """)
  }

  @Test func `an unknown key that is like no other brings the keys that there are`() {
    #expect(
      diagnose(
        """
        link: { colour: red }
        """) == """
          device.yaml:1:9: error: a link has no key 'colour'
              1 | link: { colour: red }
                |         ^~~~~~ known: mtu, centrals
          """)
  }

  @Test func `a missing key says what it is for`() {
    #expect(
      diagnose(
        """
        services:
          - uuid: FFE0
            characteristics:
              - { id: serial, uuid: FFE1 }
        """) == """
          device.yaml:4:9: error: a characteristic needs 'properties'
              4 |       - { id: serial, uuid: FFE1 }
                |         ^~~~~~~~~~~~~~~~~~~~~~~~~~ what a central may do with it
          """)
  }

  @Test func `an empty mapping needs all its keys`() {
    #expect(
      diagnose(
        """
        advertisement:
          interval: {}
        """) == """
          device.yaml:2:13: error: an interval needs 'min'
              2 |   interval: {}
                |             ^~ 20ms to 10240ms

          device.yaml:2:13: error: an interval needs 'max'
              2 |   interval: {}
                |             ^~ 20ms to 10240ms
          """)
  }

  @Test func `a scalar where a mapping belongs`() {
    #expect(
      diagnose(
        """
        advertisement: HMSoft
        """) == """
          device.yaml:1:16: error: expected an advertisement, found 'HMSoft'
              1 | advertisement: HMSoft
                |                ^~~~~~ a mapping with local-name, services, manufacturer-data, service-data, raw, tx-power, appearance, discoverable, connectable, interval, timeout
          """)
  }

  @Test func `a scalar where a list belongs`() {
    #expect(
      diagnose(
        """
        advertisement:
          services: FFE0
        """) == """
          device.yaml:2:13: error: expected a list, found 'FFE0'
              2 |   services: FFE0
                |             ^~~~ write [a, b], or '- ' lines
          """)
  }

  @Test func `a list where text belongs`() {
    #expect(
      diagnose(
        """
        summary: [a, b]
        """) == """
          device.yaml:1:10: error: expected text, found a list
              1 | summary: [a, b]
                |          ^~~~~~
          """)
  }

  @Test func `a template that is not quoted is a mapping`() {
    #expect(
      diagnose(
        """
        settings:
          local-name: { type: text, default: Belt }
        advertisement:
          local-name: {local-name}
        """) == """
          device.yaml:4:15: error: expected text, found a mapping
              4 |   local-name: {local-name}
                |               ^~~~~~~~~~~~ quote it: "{…}" is text, {…} is a mapping
          """)
  }

  @Test func `text where a number belongs`() {
    #expect(
      diagnose(
        """
        link: { mtu: many }
        """) == """
          device.yaml:1:14: error: expected a whole number, found 'many'
              1 | link: { mtu: many }
                |              ^~~~
          """)
  }

  @Test func `a number out of range`() {
    #expect(
      diagnose(
        """
        link: { mtu: 22 }
        """) == """
          device.yaml:1:14: error: 22 is not in 23…517
              1 | link: { mtu: 22 }
                |              ^~
          """)
  }

  @Test func `a word that is none of the known`() {
    #expect(
      diagnose(
        """
        services:
          - uuid: FFE0
            characteristics:
              - { uuid: FFE1, properties: [read, notfy] }
        """) == """
          device.yaml:4:42: error: unknown word 'notfy'
              4 |       - { uuid: FFE1, properties: [read, notfy] }
                |                                          ^~~~~ did you mean 'notify'?
          """)
  }

  @Test func `something between true and false`() {
    #expect(
      diagnose(
        """
        messages: { ping: { text: PING, ignore-case: yes } }
        """) == """
          device.yaml:1:46: error: unknown word 'yes'
              1 | messages: { ping: { text: PING, ignore-case: yes } }
                |                                              ^~~ known: true, false
          """)
  }

  @Test func `another version of the language`() {
    #expect(
      diagnose(
        """
        blemu: 2
        """) == """
          device.yaml:1:8: error: unknown word '2'
              1 | blemu: 2
                |        ^ known: 1
          """)
  }

  @Test func `a key that stands there twice`() {
    #expect(
      diagnose(
        """
        name: Belt
        summary: a belt
        name: Chest belt
        """) == """
          device.yaml:3:1: error: a second 'name'
              3 | name: Chest belt
                | ^~~~ remove one of them
          """)
  }

  @Test func `a name that is none`() {
    #expect(
      diagnose(
        """
        messages:
          day total: A5 06 83
        """) == """
          device.yaml:2:3: error: 'day total' is not a name
              2 |   day total: A5 06 83
                |   ^~~~~~~~~ a name has letters, digits and hyphens, and begins with a letter
          """)
  }

  @Test func `a key that is no text`() {
    #expect(
      diagnose(
        """
        messages:
          [day, total]: A5 06 83
        """) == """
          device.yaml:2:3: error: expected a key, found a list
              2 |   [day, total]: A5 06 83
                |   ^~~~~~~~~~~~
          """)
  }

  @Test func `a file that is a list`() {
    #expect(
      diagnose(
        """
        - blemu: 1
        - name: Belt
        """) == """
          device.yaml:1:1: error: expected a definition, found a list
              1 | - blemu: 1
                | ^~~~~~~~~~ a mapping with blemu, extends, name, summary, settings, variables, states, generators, values, advertisement, link, services, framing, messages, data, rules, wire
          """)
  }

  @Test func `an empty list of services`() {
    #expect(
      diagnose(
        """
        services: []
        """) == """
          device.yaml:1:11: error: the device has no services
              1 | services: []
                |           ^~
          """)
  }

  @Test func `an empty list of actions`() {
    #expect(
      diagnose(
        """
        rules:
          - { on: connect, do: [] }
        """) == """
          device.yaml:2:24: error: the list is empty
              2 |   - { on: connect, do: [] }
                |                        ^~
          """)
  }
}
