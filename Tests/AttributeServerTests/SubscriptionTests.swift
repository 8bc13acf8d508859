import TestSupport
import Testing

@testable import AttributeServer
@testable import Behavior

@Suite struct SubscriptionTests {
  private static let scenarios: [Scenario] = [
    Scenario(
      "each central has a configuration of its own",
      SpecificationCase.small,
      """
      > 12 13 00 01 00
      < 13
      2> 0A 13 00
      2< 0B 00 00
      ] 4E 41
      < 1B 12 00 41
      2> 12 13 00 01 00
      2< 13
      ] 4E 42
      < 1B 12 00 42
      2< 1B 12 00 42
      > 12 13 00 00 00
      < 13
      ] 4E 43
      2< 1B 12 00 43
      """),
    Scenario(
      "a central that asks for both gets notifications",
      SpecificationCase.large,
      """
      > 12 18 00 03 00
      < 13
      > 0A 18 00
      < 0B 03 00
      ] 4E 41
      < 1B 17 00 41
      """),
    Scenario(
      "a command configures, too",
      SpecificationCase.small,
      "> 52 13 00 01 00\n> 0A 13 00\n< 0B 01 00\n] 4E 41\n< 1B 12 00 41"),
    Scenario(
      "a rule may refuse a subscription",
      Self.guarded,
      """
      > 12 0D 00 01 00
      < 01 12 0D 00 80
      > 0A 0D 00
      < 0B 00 00
      ] 41
      > 52 0D 00 01 00        # also a command, which has no response
      > 0A 0D 00
      < 0B 00 00
      > 12 0D 00 04 00        # the server refuses it before the device is asked
      < 01 12 0D 00 FD
      > 12 0C 00 01
      < 13
      > 12 0D 00 01 00
      < 13
      < 1B 0C 00 01
      > 12 0D 00 02 00        # another delivery needs no permission
      < 13
      < 1D 0C 00 01
      > 1E
      > 12 0D 00 00 00
      < 13
      ] 41
      """),
    Scenario(
      "a rule sees every write to the client characteristic configuration",
      Self.watched,
      """
      > 12 0D 00 02 00
      < 01 12 0D 00 FD
      > 0A 0D 00
      < 0B 00 00
      > 12 0D 00 00 00        # changes nothing, but the rule has seen it
      < 13
      > 0A 0C 00
      < 0B C0 00 00
      > 12 0D 00 01 00
      < 13
      < 1B 0C 00 C0 01 00
      < 1B 0C 00 51
      > 12 0D 00 01 00
      < 13
      < 1B 0C 00 C0 01 00
      > 16 0D 00 00 00 02
      < 17 0D 00 00 00 02
      > 18 01
      < 01 18 0D 00 FD
      > 0A 0D 00
      < 0B 01 00
      > 12 0D 00 00 00
      < 13
      > 0A 0C 00
      < 0B 05
      """),
    Scenario(
      "a command subscribes unless a rule refuses",
      Self.guarded,
      """
      > 52 0D 00 01 00
      > 0A 0D 00
      < 0B 00 00
      > 12 0C 00 01
      < 13
      > 52 0D 00 01 00
      < 1B 0C 00 01
      > 0A 0D 00
      < 0B 01 00
      > 52 0D 00 00 00
      > 0A 0D 00
      < 0B 00 00
      """),
    Scenario(
      "requests wait for the decision over a subscription",
      Self.guarded,
      """
      > 12 0C 00 01
      < 13
      device waits
      > 12 0D 00 01 00
      > 02 F7 00
      device answers
      < 13
      < 03 05 02
      < 1B 0C 00 01
      """),
    Scenario(
      "a value comes before the response to its subscription, where a rule says so",
      Self.early,
      """
      > 12 0D 00 01 00
      < 1B 0C 00 01
      < 13
      < 1B 0C 00 02
      > 12 0D 00 02 00        # another delivery
      < 1D 0C 00 01
      < 13
      > 1E                    # the second indication waits for this
      < 1D 0C 00 02
      > 1E
      > 12 0D 00 00 00
      < 13
      2> 52 0D 00 01 00       # a command has no response
      2< 1B 0C 00 01
      2< 1B 0C 00 02
      """),
    Scenario(
      "an indication waits for the confirmation of the one before",
      SpecificationCase.small,
      """
      > 12 16 00 02 00
      < 13
      2> 12 16 00 02 00
      2< 13
      ] 49 41
      < 1D 15 00 41
      2< 1D 15 00 41
      ] 49 42
      ] 49 43
      > 1E
      < 1D 15 00 42
      2> 1E
      2< 1D 15 00 42
      > 1E
      < 1D 15 00 43
      > 1E
      > 1E
      """),
    Scenario(
      "notifications do not wait for confirmations",
      SpecificationCase.small,
      """
      > 12 13 00 01 00
      < 13
      > 12 16 00 02 00
      < 13
      ] 49 41
      < 1D 15 00 41
      ] 49 42
      ] 4E 43
      < 1B 12 00 43
      > 1E
      < 1D 15 00 42
      """),
    Scenario(
      "each indication has 30 s",
      SpecificationCase.small,
      """
      > 12 16 00 02 00
      < 13
      ] 49 41
      < 1D 15 00 41
      ] 49 42
      20 s
      > 1E
      < 1D 15 00 42
      29 s
      > 1E
      60 s
      ] 49 43
      < 1D 15 00 43
      30 s
      ! indicationNotConfirmed
      """),
    Scenario(
      "indications that wait are not sent to a central that no longer wants them",
      SpecificationCase.large,
      """
      > 12 18 00 02 00
      < 13
      ] 4E 41
      < 1D 17 00 41
      ] 4E 42
      ] 4E 43
      > 12 18 00 00 00
      < 13
      > 1E
      > 12 18 00 02 00
      < 13
      ] 4E 44
      < 1D 17 00 44
      ] 4E 45
      > 12 18 00 01 00
      < 13
      ] 4E 46
      < 1B 17 00 46
      > 1E
      """),
    Scenario(
      "indications of another characteristic still go out after the end of a subscription",
      definition(
        """
        services:
          - uuid: FFE0
            characteristics:
              - { id: first, uuid: FFE1, properties: [indicate] }
              - { id: second, uuid: FFE2, properties: [indicate] }
        rules:
          - on: { receive: { bytes: "{part: bytes}" }, from: wire }
            do: [{ send: { bytes: "{part}" }, to: first }, { send: { bytes: "{part}" }, to: second }]
        """),
      """
      > 12 0D 00 02 00
      < 13
      > 12 10 00 02 00
      < 13
      ] 41
      < 1D 0C 00 41
      ] 42
      > 12 0D 00 00 00
      < 13
      > 1E
      < 1D 0F 00 41
      > 1E
      < 1D 0F 00 42
      > 1E
      """),
    Scenario(
      "the response to a subscription comes before the values that it causes",
      definition(
        """
        services:
          - uuid: FFE0
            characteristics:
              - { id: out, uuid: FFE1, properties: [notify] }
        rules:
          - { on: { subscribe: out }, do: { send: { bytes: "41" }, to: out } }
        """),
      "> 12 0D 00 01 00\n< 13\n< 1B 0C 00 41\n> 12 0D 00 01 00\n< 13"),
  ]

  @Test(arguments: scenarios) func `a scenario goes as written`(scenario: Scenario) throws {
    try expect(scenario.device, scenario.transcript, sourceLocation: scenario.place)
  }

  @Test(arguments: ["", "01", "01 00 00"])
  func `a configuration has two bytes`(value: String) throws {
    try expect(
      SpecificationCase.small,
      "> 12 13 00 \(value)\n< 01 12 13 00 0D\n> 52 13 00 \(value)\n> 0A 13 00\n< 0B 00 00")
  }

  /// 0013 notifies, 0016 indicates.
  @Test(arguments: ["13 00 02 00", "13 00 03 00", "13 00 04 00", "13 00 01 01", "16 00 01 00", "16 00 03 00"])
  func `a bit that the characteristic does not have is CCCD Improperly Configured`(write: String) throws {
    let handle = write.prefix(5)
    try expect(
      SpecificationCase.small,
      "> 12 \(write)\n< 01 12 \(handle) FD\n> 52 \(write)\n> 0A \(handle)\n< 0B 00 00")
  }

  /// FFE1 (value 000C, no 2902) notifies, FFE2 (value 000E, 2902 at 000F) indicates, both without a subscription.
  @Test func `some devices send to every central`() {
    var server = AttributeServer(
      of: definition(
        """
        services:
          - uuid: FFE0
            characteristics:
              - { uuid: FFE1, properties: [notify], cccd: none }
              - { uuid: FFE2, properties: [indicate], cccd: ignored }
        """))
    let central = server.central
    #expect(
      server.initialSubscriptions == [
        .subscribed(central, characteristic: 0, .notification),
        .subscribed(central, characteristic: 1, .indication),
      ])
    #expect(server.subscriptions == [0, 1])
    #expect(server.notification(of: [0x41], from: 0) == [0x1B, 0x0C, 0, 0x41])
    #expect(server.delivery(of: 1) == .indication)
    // The CCCD can be written and read, and decides nothing.
    for bits: UInt8 in [2, 0] {
      #expect(server.actions(after: [0x12, 0x0F, 0, bits, 0]) == [.send([0x13])])
      #expect(server.actions(after: [0x0A, 0x0F, 0]) == [.send([0x0B, bits, 0])])
      #expect(server.delivery(of: 1) == .indication)
      #expect(server.subscriptions == [0, 1])
    }
  }

  /// FFE1's value is 000C, its CCCD 000D. The device lets a central subscribe when it has written 01.
  private static let guarded = definition(
    """
    services:
      - { uuid: FFE0, characteristics: [{ id: serial, uuid: FFE1, properties: [read, write, notify, indicate], value: "00" }] }
    variables: { is-open: { type: boolean, default: false } }
    messages: { open: "01" }
    rules:
      - { on: { receive: open }, do: { set: { is-open: true } } }
      - { on: { subscribe: serial }, if: not is-open, do: { refuse: application-error-80 } }
      - { on: { subscribe: serial }, do: { send: open } }
      - { on: { receive: any, from: wire }, do: { send: open, to: serial } }
    """)

  /// FFE1's value is 000C, its CCCD 000D.
  private static let early = definition(
    """
    services:
      - { uuid: FFE0, characteristics: [{ id: serial, uuid: FFE1, properties: [read, write, notify, indicate], value: "00" }] }
    rules:
      - { on: { subscribe: serial }, do: [{ send: { bytes: "01" } }, respond, { send: { bytes: "02" } }] }
    """)

  /// FFE1's value is 000C, its CCCD 000D. Each write to the CCCD is stored in the value; the bit for indications is refused.
  private static let watched = definition(
    """
    services:
      - { uuid: FFE0, characteristics: [{ id: serial, uuid: FFE1, properties: [read, notify, indicate], value: "00" }] }
    rules:
      - on: { write: serial/2902 }
        if: value[0] == 2
        do: { refuse: cccd-improperly-configured }
      - { on: { write: serial/2902 }, do: { send: { bytes: "C0 {value}" } } }
      - { on: { subscribe: serial }, do: { send: { bytes: "51" } } }
      - { on: { unsubscribe: serial }, do: { send: { bytes: "05" } } }
    """)

  /// The CCCD of FFE1 is 000D.
  @Test func `a rule sees a configuration that decides nothing, too`() {
    var server = AttributeServer(
      of: definition(
        """
        services:
          - uuid: FFE0
            characteristics: [{ id: serial, uuid: FFE1, properties: [notify], cccd: ignored }]
        rules:
          - { on: { write: serial/2902 }, do: { log: "{value}" } }
        """))
    for value: [UInt8] in [[1, 0], [0, 0]] {
      #expect(
        server.actions(after: [0x12, 0x0D, 0] + value) == [
          .ask(.configuring(server.central, characteristic: 0, value: value, from: nil, to: nil))
        ])
      #expect(server.answer(.accepted) == [.send([0x13])])
    }
  }

  @Test func `without an indication there is nothing to confirm`() {
    var server = AttributeServer(of: SpecificationCase.small)
    #expect(server.confirmationTimedOut().isEmpty)
    #expect(server.actions(after: [0x1E]).isEmpty)
  }

  @Test func `the device knows of a subscription when its delivery changes`() {
    var server = AttributeServer(of: SpecificationCase.large)
    let central = server.central
    func writes(_ value: UInt8) -> [ServerAction] { server.actions(after: [0x12, 0x18, 0, value, 0]) }
    let response = ServerAction.send([0x13])
    let ended = ServerAction.tell(.unsubscribed(central, characteristic: 4))
    #expect(writes(0) == [response])
    #expect(server.subscriptions == [])
    #expect(writes(1) == [response, .tell(.subscribed(central, characteristic: 4, .notification))])
    #expect(writes(1) == [response])
    #expect(writes(3) == [response])
    #expect(server.delivery(of: 4) == .notification)
    #expect(writes(2) == [response, ended, .tell(.subscribed(central, characteristic: 4, .indication))])
    #expect(server.delivery(of: 4) == .indication)
    #expect(server.subscriptions == [4])
    #expect(writes(0) == [response, ended])
    #expect(server.delivery(of: 4) == nil)
    #expect(server.subscriptions == [])
  }

  @Test func `the device knows of a confirmation`() {
    var server = AttributeServer(of: SpecificationCase.large)
    _ = server.actions(after: [0x12, 0x18, 0, 2, 0])
    #expect(
      server.indicate([0x41], from: 4) == [
        .awaitConfirmation(true), .send([0x1D, 0x17, 0, 0x41]),
      ])
    #expect(server.indicate([0x42], from: 4).isEmpty)
    #expect(server.unconfirmed == 2)
    #expect(
      server.actions(after: [0x1E]) == [
        .awaitConfirmation(false), .tell(.confirmed(server.central, characteristic: 4)),
        .awaitConfirmation(true), .send([0x1D, 0x17, 0, 0x42]),
      ])
    #expect(
      server.actions(after: [0x1E]) == [
        .awaitConfirmation(false), .tell(.confirmed(server.central, characteristic: 4)),
      ])
    #expect(server.unconfirmed == 0)
  }

  @Test func `a central can subscribe to Service Changed, of which the device knows nothing`() {
    var server = AttributeServer(of: SpecificationCase.large)
    #expect(server.actions(after: [0x12, 9, 0, 1, 0]) == [.send([0x01, 0x12, 9, 0, 0xFD])])
    #expect(server.actions(after: [0x12, 9, 0, 2, 0]) == [.send([0x13])])
    #expect(server.actions(after: [0x0A, 9, 0]) == [.send([0x0B, 2, 0])])
    #expect(server.actions(after: [0x0A, 8, 0]) == [.send([0x01, 0x0A, 8, 0, 0x02])])
    #expect(server.subscriptions == [])
  }

  @Test func `a characteristic that the device does not have sends nothing`() {
    var server = AttributeServer(of: SpecificationCase.large)
    #expect(server.notification(of: [0x41], from: 99) == nil)
    #expect(server.indicate([0x41], from: 99).isEmpty)
  }
}
