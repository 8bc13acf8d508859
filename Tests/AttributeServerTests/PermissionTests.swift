import Bluetooth
import TestSupport
import Testing

@testable import AttributeServer

@Suite struct PermissionTests {
  static let levels: [LinkSecurity.Level] = [.none, .encrypted, .authenticated, .secureConnections]
  static let names = ["none", "encrypted", "authenticated", "secure"]

  /// The value's handle and the level that it needs.
  @Test(arguments: [("1C", 0), ("2A", 1), ("2C", 2), ("2E", 3)], 0...3)
  func `a value is read on a link that is protected enough`(value: (handle: String, level: Int), link: Int) {
    var server = AttributeServer(of: SpecificationCase.large)
    let handle = UInt8(value.handle, radix: 16)!
    let refuses = [ServerAction.send([0x01, 0x0A, handle, 0, 0x05])]
    let actions = server.actions(after: [0x0A, handle, 0], security: LinkSecurity(Self.levels[link]))
    #expect((actions == refuses) == (link < value.level))
  }

  @Test(arguments: [("2A", 1), ("2C", 2), ("2E", 3)], 0...3)
  func `a value is written on a link that is protected enough`(value: (handle: String, level: Int), link: Int)
    throws
  {
    let isAllowed = link >= value.level
    try expect(
      SpecificationCase.large,
      """
      link \(Self.names[link])
      > 12 \(value.handle) 00 AA
      < \(isAllowed ? "13" : "01 12 \(value.handle) 00 05")
      > 16 \(value.handle) 00 00 00 BB
      < \(isAllowed ? "17 \(value.handle) 00 00 00 BB" : "01 16 \(value.handle) 00 05")
      """)
  }

  private static let scenarios: [Scenario] = [
    Scenario(
      "a configuration is always read, and written on a link that is protected enough",
      SpecificationCase.large,
      """
      > 0A 31 00
      < 0B 00 00
      > 12 31 00 01 00
      < 01 12 31 00 05
      > 52 31 00 01 00
      > 0A 31 00
      < 0B 00 00
      link encrypted
      > 12 31 00 01 00
      < 13
      ] 50 41
      < 1B 30 00 41
      """),
    Scenario(
      "a value is sent on a link that is protected enough, also one that has waited",
      definition(
        """
        services:
          - uuid: FFE0
            characteristics:
              - { uuid: FFE1, properties: [notify, indicate], permissions: [encrypt-authenticated-notify], key-size: 16 }
              - { uuid: FFE2, properties: [notify], permissions: [encrypt-notify], cccd: none }
        rules:
          - { on: { receive: any, from: wire }, do: [{ send: { bytes: "{frame}" }, to: FFE1 }, { send: { bytes: "{frame}" }, to: FFE2 }] }
        """),
      """
      ] 41
      link authenticated
      > 12 0D 00 02 00
      < 13
      ] 42
      < 1D 0C 00 42
      < 1B 0F 00 42
      2< 1B 0F 00 42
      ] 43                    # waits for the confirmation
      < 1B 0F 00 43
      2< 1B 0F 00 43
      link encrypted
      > 1E
      ] 44
      < 1B 0F 00 44
      2< 1B 0F 00 44
      link authenticated
      ] 45
      < 1D 0C 00 45
      < 1B 0F 00 45
      2< 1B 0F 00 45
      > 1E
      link authenticated 15
      ] 46
      < 1B 0F 00 46
      2< 1B 0F 00 46
      link none
      ] 47
      """),
    // The values of FFE1 to FFE4 are 000C, 000E, 0010 and 0012; each declaration comes before.
    Scenario(
      "a value may permit something else than its properties say",
      definition(
        """
        services:
          - uuid: FFE0
            characteristics:
              - { uuid: FFE1, properties: [read, write], permissions: [no-read], value: "AA" }
              - { uuid: FFE2, properties: [read, write], permissions: [no-write], value: "AA" }
              - { uuid: FFE3, properties: [indicate], permissions: [read], cccd: none, value: "AA" }
              - { uuid: FFE4, properties: [read], permissions: [write], value: "AA" }
        """),
      """
      > 08 0B 00 0D 00 03 28  # what is declared does not change
      < 09 07 0B 00 0A 0C 00 E1 FF 0D 00 0A 0E 00 E2 FF
      > 0A 0C 00
      < 01 0A 0C 00 02
      > 12 0C 00 BB
      < 13
      > 0A 0E 00
      < 0B AA
      > 12 0E 00 BB
      < 01 12 0E 00 03
      > 0A 10 00
      < 0B AA
      > 12 10 00 BB
      < 01 12 10 00 03
      > 12 12 00 BB
      < 13
      > 0A 12 00
      < 0B BB
      """),
    Scenario(
      "a descriptor has permissions of its own",
      definition(
        """
        services:
          - uuid: FFE0
            characteristics:
              - uuid: FFE1
                properties: [read]
                value: "41"
                descriptors:
                  - { uuid: 2901, properties: [read], permissions: [encrypt-read], text: A }
                  - { uuid: FFEE, properties: [read, write], permissions: [secure-write], value: "42" }
                  - { uuid: FFEF, properties: [write], value: "43" }
        """),
      """
      > 0A 0C 00
      < 0B 41
      > 0A 0D 00
      < 01 0A 0D 00 05
      > 0A 0E 00
      < 0B 42
      > 12 0E 00 44
      < 01 12 0E 00 05
      > 0A 0F 00
      < 01 0A 0F 00 02
      > 12 0D 00 44
      < 01 12 0D 00 03
      link secure
      > 0A 0D 00
      < 0B 41
      > 12 0E 00 44
      < 13
      """),
    Scenario(
      "a link with a short key is not enough where a longer one is asked for",
      definition(
        """
        services:
          - uuid: FFE0
            characteristics:
              - uuid: FFE1
                properties: [read, write]
                permissions: [encrypt-read, secure-write]
                key-size: 16
                value: "41"
                descriptors:
                  - { uuid: 2901, permissions: [encrypt-read], key-size: 8, text: A }
              - { uuid: FFE2, properties: [read, notify], permissions: [encrypt-notify], key-size: 9, value: "42" }
        """),
      """
      > 0A 0C 00
      < 01 0A 0C 00 05
      link encrypted 7
      > 0A 0C 00
      < 01 0A 0C 00 0C
      > 0A 0D 00
      < 01 0A 0D 00 0C
      > 12 0C 00 44
      < 01 12 0C 00 0C
      > 12 10 00 01 00
      < 01 12 10 00 0C
      > 0A 0F 00
      < 0B 42
      link encrypted 8
      > 0A 0D 00
      < 0B 41
      > 0A 0C 00
      < 01 0A 0C 00 0C
      link encrypted 16
      > 0A 0C 00
      < 0B 41
      > 12 0C 00 44
      < 01 12 0C 00 05
      > 12 10 00 01 00
      < 13
      """),
  ]

  @Test(arguments: scenarios) func `a scenario goes as written`(scenario: Scenario) throws {
    try expect(scenario.device, scenario.transcript, sourceLocation: scenario.place)
  }

  @Test(
    arguments: [
      ("encrypt-notify", 1), ("encrypt-authenticated-notify", 2), ("secure-notify", 3),
      ("encrypt-indicate", 1),
      ("encrypt-authenticated-indicate", 2), ("secure-indicate", 3), ("encrypt-read", 0), ("secure-write", 0),
      ("encrypt-notify, secure-indicate", 3),
    ])
  func `the permissions to notify and indicate are those of the configuration`(
    permissions: String, level: Int
  ) {
    let device = definition(
      """
      services:
        - uuid: FFE0
          characteristics:
            - uuid: FFE1
              properties: [read, write, notify, indicate]
              permissions: [\(permissions)]
      """)
    let configuration = AttributeServer(of: device).database[0x0D]!
    #expect(configuration.type == 0x2902)
    #expect(configuration.read == .open)
    #expect(configuration.write == (level == 0 ? .open : .secured(Self.levels[level], keySize: 7)))
  }

  /// Without a key, and with one, Vol 3 Part C 10.3.1.
  @Test(arguments: [(false, "05"), (true, "0F")])
  func `on a link that is not encrypted, the error says whether there is a key`(hasKey: Bool, error: String)
    throws
  {
    var conversation = try ServerConversation(SpecificationCase.large)
    conversation.centralsHaveKeys = hasKey
    expect(
      &conversation,
      """
      > 0A 2A 00
      < 01 0A 2A 00 \(error)
      > 0C 2A 00 00 00
      < 01 0C 2A 00 \(error)
      > 12 2E 00 AA
      < 01 12 2E 00 \(error)
      > 16 2E 00 00 00 AA
      < 01 16 2E 00 \(error)
      > 12 31 00 01 00
      < 01 12 31 00 \(error)
      link encrypted
      > 12 2E 00 AA  # the key is there, but was made in the wrong way
      < 01 12 2E 00 05
      """)
  }

  @Test func `the levels of security have an order`() {
    #expect(Self.levels.sorted() == Self.levels)
  }
}
