import Bluetooth
import TestSupport
import Testing

@testable import AttributeServer

/// A central that has set Robust Caching, and comes back after the attributes have changed (Vol 3 Part G 2.5.2.1).
@Suite struct CachingTests {
  private static let caching = SpecificationCase.caching
  private static let isBehind = """
    central bonds
    > 12 09 00 01
    < 13
    ] 43
    central reconnects

    """

  @Test(arguments: [
    ("0A 10 00", "10 00"), ("0C 10 00 00 00", "10 00"), ("0E 10 00 12 00", "10 00"),
    ("20 12 00 10 00", "12 00"), ("12 10 00 42", "10 00"), ("16 10 00 00 00 42", "10 00"),
    ("0A FF 00", "FF 00"),
    ("08 01 00 FE FF 2A 2B", "01 00"), ("08 02 00 FF FF 00 2A", "02 00"),
  ])
  func `its first request with a handle is refused, and no other`(request: String, handle: String) throws {
    let refusal = "< 01 \(request.prefix(2)) \(handle) 12"
    try expect(
      Self.caching, Self.isBehind + "> \(request)\n\(refusal)\n> 0A 10 00\n< 0B 41\n> 0A 12 00\n< 0B 42")
  }

  @Test(arguments: [
    ("02 40 00", "03 05 02"), ("04 10 00 10 00", "05 01 10 00 E1 FF"),
    ("06 01 00 FF FF 00 28 E0 FF", "07 0E 00 16 00"), ("08 05 00 06 00 03 28", "09 07 05 00 20 06 00 05 2A"),
    ("08 05 00 06 00 02 28", "01 08 05 00 0A"), ("08 01 00 FF FF 00 2A", "09 09 03 00 43 61 63 68 69 6E 67"),
    ("10 0E 00 15 00 00 28", "11 06 0E 00 16 00 E0 FF"), ("18 01", "19"), ("18 00", "19"),
  ])
  func `it may look for attributes, which makes it know none`(request: String, response: String) throws {
    try expect(
      Self.caching, Self.isBehind + "> \(request)\n< \(response)\n> 0A 10 00\n< 01 0A 10 00 12")
  }

  private static let scenarios: [Scenario] = [
    Scenario(
      "its commands are ignored until it knows the attributes",
      Self.caching,
      """
      \(isBehind)> 52 10 00 5A
      > 0A 10 00
      < 01 0A 10 00 12
      > 52 10 00 5A
      > 0A 10 00
      < 0B 41
      > 52 10 00 5A
      > 0A 10 00
      < 0B 5A
      """),
    Scenario(
      "it gets no values until it knows the attributes",
      Self.caching,
      """
      central bonds
      > 12 09 00 01
      < 13
      > 12 13 00 01 00
      < 13
      > 12 16 00 02 00
      < 13
      ] 43
      central reconnects
      ] 4E 01
      ] 49 02
      > 08 01 00 FF FF 2A 2B
      < 09 12 0B 00 \(hash)
      ] 4E 03
      > 0A 13 00
      < 0B 01 00
      ] 4E 04
      < 1B 12 00 04
      ] 49 05
      < 1D 15 00 05
      """),
    Scenario(
      "Service Changed goes to it at once, and its confirmation lets it have values",
      Self.caching,
      """
      central bonds
      > 12 09 00 05
      < 13
      > 12 07 00 02 00
      < 13
      > 12 13 00 01 00
      < 13
      ] 43
      central reconnects
      < 1D 06 00 01 00 FF FF
      ] 4E 01
      > 52 10 00 5A
      > 1E
      ] 4E 02
      < 1B 12 00 02
      > 0A 10 00
      < 0B 41
      """),
    Scenario(
      "a request before the confirmation is refused",
      Self.caching,
      """
      central bonds
      > 12 09 00 01
      < 13
      > 12 07 00 02 00
      < 13
      ] 43
      central reconnects
      < 1D 06 00 01 00 FF FF
      > 0A 10 00
      < 01 0A 10 00 12
      > 0A 10 00
      < 0B 41
      > 1E
      central reconnects
      > 0A 10 00
      < 0B 41
      """),
    Scenario(
      "nothing is refused without Robust Caching, or without a bond",
      Self.caching,
      """
      > 12 09 00 01
      < 13
      ] 43
      central reconnects
      > 0A 10 00
      < 0B 41
      central bonds
      > 12 09 00 06
      < 13
      ] 43
      central reconnects
      > 52 10 00 5A
      > 0A 10 00
      < 0B 5A
      """),
    Scenario(
      "what it has heard of holds for the next link",
      Self.caching,
      """
      \(isBehind)> 08 01 00 FF FF 2A 2B
      < 09 12 0B 00 \(hash)
      central reconnects
      > 0A 10 00
      < 01 0A 10 00 12
      > 02 17 00
      < 03 05 02
      central reconnects
      > 0A 10 00
      < 0B 41
      """),
    // Between them, it may have seen the others.
    Scenario(
      "the attributes that it knew first are a change, too",
      Self.caching,
      Self.isBehind + "] 43\ncentral reconnects\n> 0A 10 00\n< 01 0A 10 00 12"),
  ]

  @Test(arguments: scenarios) func `a scenario goes as written`(scenario: Scenario) throws {
    try expect(scenario.device, scenario.transcript, sourceLocation: scenario.place)
  }

  @Test func `a command is ignored before a request of a central that is out of sync`() throws {
    var conversation = try ServerConversation(Self.caching)
    let command = bytes("52 10 00 5A")
    #expect(!conversation.servers[0].server.receive(command).isEmpty)
    expect(&conversation, Self.isBehind)
    #expect(conversation.servers[0].server.receive(command).isEmpty)
    expect(&conversation, "> 0A 10 00\n< 01 0A 10 00 12\n> 0A 10 00\n< 0B 41")
    #expect(!conversation.servers[0].server.receive(command).isEmpty)
  }

  @Test func `a hash of the definition serves as well, and without one there is no error`() throws {
    func device(_ others: String) throws -> ServerConversation {
      let yaml = """
        settings: { has-more: { type: boolean, default: false } }
        services:
          - uuid: 1801
            handle: 6
            characteristics: [{ uuid: 2B29, properties: [read, write] }\(others)]
          - { uuid: FFF0, if: has-more, characteristics: [{ uuid: FFF1, properties: [read] }] }
        rules:
          - { on: { receive: { bytes: "43" }, from: wire }, do: [{ set: { has-more: true } }, reset] }
        """
      return try ServerConversation(definition(yaml))
    }
    // 2B29 is at 0008.
    let conversation = "central bonds\n> 12 08 00 01\n< 13\n] 43\ncentral reconnects\n> 0A 08 00\n"
    var hashed = try device(", { uuid: 2B2A, properties: [read], value: \"01\" }")
    expect(&hashed, conversation + "< 01 0A 08 00 12")
    var unhashed = try device("")
    expect(&unhashed, conversation + "< 0B 01")
  }

  private static var hash: String {
    let cases = SpecificationCase.text(of: "GAS.pdu").split(separator: "\n").filter {
      $0.hasPrefix("< 09 12 0B 00 ")
    }
    return String(cases[1].dropFirst("< 09 12 0B 00 ".count))
  }
}

/// Client Supported Features (Vol 3 Part G 7.2).
@Suite struct ClientFeaturesTests {
  @Test(arguments: [
    ("00", "00"), ("01", "01"), ("07", "07"), ("F8", "00"), ("FF FF FF", "07"), ("", "00"), ("04 01", "04"),
    ("2E*512", "06"),
  ])
  func `a central may write any octets, of which the bits with a meaning stay`(
    value: String, features: String
  )
    throws
  {
    try expect(
      SpecificationCase.caching,
      "> 02 05 02\n< 03 05 02\n> 12 09 00 \(value)\n< 13\n> 0A 09 00\n< 0B \(features)")
  }

  private static let scenarios: [Scenario] = [
    Scenario(
      "a bit cannot be cleared",
      SpecificationCase.caching,
      """
      > 12 09 00 05
      < 13
      > 12 09 00 01
      < 01 12 09 00 13
      > 12 09 00
      < 01 12 09 00 13
      > 52 09 00 02
      > 0A 09 00
      < 0B 05
      > 52 09 00 07
      > 0A 09 00
      < 0B 07
      """),
    Scenario(
      "they can be written in parts",
      SpecificationCase.caching,
      """
      > 16 09 00 00 00 05
      < 17 09 00 00 00 05
      > 18 01
      < 19
      > 16 09 00 00 00 07
      < 17 09 00 00 00 07
      > 16 09 00 00 00 01
      < 17 09 00 00 00 01
      > 18 01
      < 01 18 09 00 13
      > 16 09 00 02 00 01
      < 17 09 00 02 00 01
      > 18 01
      < 01 18 09 00 07
      > 16 09 00 01 00 01
      < 17 09 00 01 00 01
      > 18 01
      < 19
      > 0A 09 00
      < 0B 05
      > 0C 09 00 01 00
      < 0D
      > 0C 09 00 02 00
      < 01 0C 09 00 07
      """),
    Scenario(
      "Server Supported Features has none",
      SpecificationCase.caching,
      "> 0A 0D 00\n< 0B 00\n> 12 0D 00 01\n< 01 12 0D 00 03"),
  ]

  @Test(arguments: scenarios) func `a scenario goes as written`(scenario: Scenario) throws {
    try expect(scenario.device, scenario.transcript, sourceLocation: scenario.place)
  }

  @Test func `a value of the definition is the device's own`() throws {
    let own = """
      services:
        - uuid: 1801
          handle: 6
          characteristics:
            - { uuid: 2B29, properties: [read, write], value: "00" }
            - { uuid: 2B3A, properties: [read], value: "01" }
      """
    try expect(
      definition(own),
      """
      > 12 08 00 F9
      < 13
      2> 0A 08 00
      2< 0B F9
      > 0A 0A 00
      < 0B 01
      """)
  }
}
