import Definitions
import EventLoop
import Testing
import TestSupport

@testable import TestBeds

/// A person types lines at the terminal.
@EventLoop @Suite struct PlayerTests {
  private static let device = """
    blemu: 1
    name: Meter
    settings: { local-name: { type: text, max: 8, default: Meter } }
    variables: { volume: { type: integer, min: 0, max: 9, default: 5 } }
    controls:
      button: { do: { send: pressed, to: serial } }
      knob: { set: volume }
    advertisement: { local-name: "{local-name}", services: [FFE0] }
    services:
      - uuid: FFE0
        characteristics:
          - { id: serial, uuid: FFE1, properties: [read, write, notify], value: "01 02" }
    messages:
      ask: "A5 {channel: u8}"
      level: "5A {channel: u8} {level: u16be}"
      pressed: "C3 {volume: u8}"
    rules:
      - on: { receive: ask }
        if: channel < 2
        do:
          - { send: level, with: { level: 300 } }
          - wait: 1.5s
          - { send: level, with: { level: 301 } }
      - { on: { write: serial }, if: "value.size == 1", do: { refuse: value-not-allowed } }
    """

  private static func player() async throws -> Player {
    let definition = try define(device)
    let player = Player(definition, settings: definition.settings.map(\.initial))
    #expect(
      try await player.start() == [
        "advertises local-name=\"Meter\" services=FFE0 discoverable=true connectable=true"
      ])
    return player
  }

  /// A row of a table: a fact, and lines that a person types, after '$', each with the output after it.
  struct Scenario: CustomTestStringConvertible {
    let fact: String
    let transcript: String
    /// Where a failure is reported.
    let place: SourceLocation

    init(_ fact: String, _ transcript: String, place: SourceLocation = #_sourceLocation) {
      (self.fact, self.transcript, self.place) = (fact, transcript, place)
    }

    var testDescription: String { fact }
  }

  private nonisolated static let scenarios: [Scenario] = [
    Scenario(
      "a central speaks PDUs until it disconnects",
      """
      $ >> 0A 03 00
      no central is connected; type 'connect'
      $ connect raw
      $ >> 0A 0C 00
          0.000  << 0B 01 02  Read Response (0x0B)
      $ > serial  00
      this is a raw connection; use '>>'
      $ >> 12 0D 00 01 00
          0.000  << 13  Write Response (0x13)
      $ >> 12 0C 00 A5 01
          0.000  << 13  Write Response (0x13)
          0.000  << 1B 0C 00 5A 01 01 2C  Handle Value Notification (0x1B)
      $ +
          1.500  << 1B 0C 00 5A 01 01 2D  Handle Value Notification (0x1B)
      $ disconnect
      $ connect
      $ >> 0A 03 00
      there is no raw connection; use 'connect raw'
      $ read serial
          1.500  = 5A 01 01 2D
      """),
    Scenario(
      "time stands still until a line lets it pass",
      """
      $ connect
      $ subscribe serial
      $ > serial ask channel=1
          0.000  < serial  5A 01 01 2C  level channel=1 level=300
      $ +1s
      $ +
          1.500  < serial  5A 01 01 2D  level channel=1 level=301
      $ +
      no output within the next hour
      $ read serial
          1.500  = 5A 01 01 2D
      $ disconnect
      """),
    Scenario(
      "a refused write and a frame without a rule are shown",
      """
      $ connect
      $ > serial 41
          0.000  ! value-not-allowed
      $ > serial "hello"
          0.000  ! serial  68 65 6C 6C 6F  "hello"  no rule matches this frame
      """),
    Scenario(
      "a mistake is shown below its line and has no effect",
      """
      $ subscribe serial
      no central is connected; type 'connect'
      $ > seriel 41
      > seriel 41
        ^~~~~~ no characteristic has the id 'seriel'; did you mean 'serial'?
      $ wave
      wave
      ^~~~ unknown line; type 'help'
      $ set local-name="Far too long"
      set local-name="Far too long"
                     ^~~~~~~~~~~~~~ 'Far too long' has 12 bytes; at most 8 are allowed
      """),
    Scenario(
      "expectations are checked, and what no line expects is passed over",
      """
      $ device other.yaml
      'device' has no effect here; the device is already running
      $ connect
      $ subscribe serial
      $ > serial ask channel=1
          0.000  < serial  5A 01 01 2C  level channel=1 level=300
      $ > serial ask channel=0
          0.000  < serial  5A 00 01 2C  level channel=0 level=300
      $ < serial level channel=0
          0.000  met: < serial level channel=0
      $ < serial level level=301  after 1.5s
          1.500  < serial  5A 01 01 2D  level channel=1 level=301
          1.500  met: < serial level level=301  after 1.5s
      $ < serial level level=302
          1.500  < serial  5A 00 01 2D  level channel=0 level=301
          6.500  not met: < serial level level=302; level is 301, not 302
      $ silence 1s
          7.500  met: silence 1s
      $ > serial ask channel=1
          7.500  < serial  5A 01 01 2C  level channel=1 level=300
      $ silence 1s
          8.500  not met: silence 1s; no line expects this: < serial  5A 01 01 2C  level channel=1 level=300
      $ = 01
      no read comes before this line; '=' follows 'read'
      $ read serial
          8.500  = 5A 01 01 2C
      $ = 5A ...
          8.500  met: = 5A ...
      $ = 5B ...
          8.500  not met: = 5B ...; byte 0 is 0x5A, not 0x5B
      $ > serial 41
          8.500  ! value-not-allowed
      $ ! value-not-allowed
          8.500  met: ! value-not-allowed
      $ ! write-not-permitted
          8.500  not met: ! write-not-permitted; refused with value-not-allowed, not with write-not-permitted
      $ ! not-connectable
      no 'connect' comes before this line; this reason follows 'connect'
      $ finds FFE0/FFE1
          8.500  met: finds FFE0/FFE1
      """),
    Scenario(
      "a new setting starts the device anew, or changes it in a conversation",
      """
      $ set local-name=Demo
      the device has been reset
      advertises local-name="Demo" services=FFE0 discoverable=true connectable=true
      $ read serial
      no central is connected; type 'connect'
      $ connect
      $ set local-name=Desk
      $ read serial
          0.000  = 01 02
      $ +1s
      $ advertises
      advertises local-name="Desk" services=FFE0 discoverable=true connectable=true
      """),
    Scenario(
      "controls are operated, with a central or without",
      """
      $ set volume=7
      the variable 'volume' gets its initial value when the device starts; put this line after the first action, such as 'connect'
      $ press button
          0.000  ! serial  C3 05  not sent: no central has subscribed
      $ set volume=7
      $ * volume == 7
          0.000  met: * volume == 7; volume is 7
      $ connect
      $ subscribe serial
      $ press button
          0.000  < serial  C3 07  pressed volume=7
      $ press knob=9
      $ press button
          0.000  < serial  C3 09  pressed volume=9
      $ press knob
      press knob
            ^~~~ 'knob' needs a value; as in press knob=VALUE
      $ press bell
      press bell
            ^~~~ the definition has no control 'bell'; known: button, knob
      """),
  ]

  @Test(arguments: scenarios) func `a scenario goes as written`(scenario: Scenario) async throws {
    let player = try await Self.player()
    var shown: [String] = []
    for line in scenario.transcript.split(separator: "\n") where line.hasPrefix("$ ") {
      shown += [String(line)] + (await player.take(String(line.dropFirst(2))))
    }
    await player.stop()
    #expect(shown.joined(separator: "\n") == scenario.transcript, sourceLocation: scenario.place)
  }

  @Test func `a central pairs`() async throws {
    let definition = try define(
      """
      blemu: 1
      name: Lock
      security: { io-capability: display-only }
      services:
        - uuid: FFE0
          characteristics:
            - { id: code, uuid: FFE1, properties: [read], permissions: [encrypt-read], value: "01" }
      """)
    let player = Player(definition, settings: [])
    _ = try await player.start()
    var shown: [String] = []
    for line in ["pair", "connect", "read code", "pair passkey=000000", "connect", "bond", "read code"] {
      shown += ["$ " + line] + (await player.take(line))
    }
    await player.stop()
    #expect(
      shown.joined(separator: "\n").replacing(/\d{6}(?!\d)/, with: "******") == """
        $ pair
        no central is connected; type 'connect'
        $ connect
        $ read code
            0.000  ! insufficient-authentication
        $ pair passkey=******
            0.000  * the passkey is ******
            0.000  ! confirm-value-failed; the central disconnects
        $ connect
        $ bond
            0.000  * the passkey is ******
            0.000  (paired; both sides keep the keys)
        $ read code
            0.000  = 01
        """)
    #expect(try await failure(of: player.recording.text, with: definition) == nil)
  }

  @Test func `what is set before the first section holds for all, and what is set in one for that`()
    async throws
  {
    let player = try await Self.player()
    for line in ["set local-name=Head", "== One", "set local-name=One", "advertises local-name=One"] {
      _ = await player.take(line)
    }
    #expect(player.outcome == .done)
    _ = await player.take("== Two")
    _ = await player.take("advertises local-name=One")
    #expect(player.outcome == .unmet)
    _ = await player.take("advertises local-name=Head")
    #expect(player.outcome == .done && player.expectations == (3, 2))
    await player.stop()
  }

  @Test func `the recording has what a person does at the device`() async throws {
    let player = try await Self.player()
    for line in ["press knob=3", "connect", "subscribe serial", "press button", "set local-name=Desk", "+1s"]
    {
      _ = await player.take(line)
    }
    #expect(
      player.recording.text == """
        == A conversation
        press knob=3
        connect
        subscribe serial
        press button
        < serial  C3 03  # pressed volume=3
        set local-name=Desk
        silence 1s

        """)
  }

  @Test func `the recording of a conversation is a transcript`() async throws {
    let player = try await Self.player()
    for line in ["connect", "subscribe serial", "> serial ask channel=1", "+2s", "> serial 41", "disconnect"]
    {
      _ = await player.take(line)
    }
    #expect(
      player.recording.text == """
        == A conversation
        connect
        subscribe serial
        > serial ask channel=1
        < serial  5A 01 01 2C  # level channel=1 level=300
        < serial  5A 01 01 2D  after 1.5s  # level channel=1 level=301
        silence 500ms
        > serial 41
        ! value-not-allowed
        disconnect

        """)
  }

  @Test func `a recording has the PDUs with their names`() async throws {
    let player = try await Self.player()
    for line in ["connect raw", "read serial", ">> 12 0D 00 01 00", ">> 12 0C 00 A5 01", "+", "disconnect"] {
      _ = await player.take(line)
    }
    #expect(
      player.recording.text == """
        == A conversation
        connect raw
        >> 12 0D 00 01 00
        << 13  # Write Response (0x13)
        >> 12 0C 00 A5 01
        << 13  # Write Response (0x13)
        << 1B 0C 00 5A 01 01 2C  # Handle Value Notification (0x1B)
        << 1B 0C 00 5A 01 01 2D  after 1.5s  # Handle Value Notification (0x1B)
        disconnect

        """)
  }

  @Test func `a central that cannot connect is told why, and recorded`() async throws {
    let definition = try define(
      """
      blemu: 1
      name: Beacon
      advertisement: { local-name: Beacon, connectable: false, timeout: 5s }
      services: [{ uuid: FFE0, characteristics: [{ uuid: FFE1, properties: [read] }] }]
      """)
    let player = Player(definition, settings: [])
    _ = try await player.start()
    #expect(
      await player.take("connect")
        == ["    0.000  ! not-connectable; the device only advertises: no central can connect"])
    _ = await player.take("wait 5s")
    #expect(
      await player.take("connect")
        == ["    5.000  ! not-advertising; the device is not advertising: no central can connect"])
    #expect(player.recording.text.contains("connect\n! not-connectable\n"))
    await player.stop()
  }
}
