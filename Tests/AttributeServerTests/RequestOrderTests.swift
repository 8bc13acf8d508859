import Testing

@testable import AttributeServer

@Suite struct RequestOrderTests {
  private static let scenarios: [Scenario] = [
    Scenario(
      "requests and commands wait for the response to a request, and keep their order",
      SpecificationCase.small,
      """
      device waits
      > 0A 0A 00
      > 52 0A 00 AA
      > 0A 0A 00
      > 52 0A 00 BB
      > 04 0B 00 0B 00
      > 0A 0A 00
      device answers
      < 0B 01 02 03
      device answers
      < 0B AA
      < 05 01 0B 00 01 29
      device answers
      < 0B BB
      """),
    Scenario(
      "a confirmation does not wait for the response to a request",
      SpecificationCase.small,
      """
      > 12 16 00 02 00
      < 13
      ] 49 41
      < 1D 15 00 41
      ] 49 42
      device waits
      > 0A 0A 00
      > 0A 10 00
      > 1E
      < 1D 15 00 42
      > 1E
      30 s
      device answers
      < 0B 01 02 03
      device answers
      < 0B 33
      """),
    Scenario(
      "values are sent while a request waits for its response",
      SpecificationCase.small,
      """
      > 12 13 00 01 00
      < 13
      device waits
      > 12 0A 00 AA
      ] 4E 41
      < 1B 12 00 41
      device answers
      < 13
      """),
    Scenario(
      "the requests of one central do not wait for those of another",
      SpecificationCase.small,
      """
      device waits
      > 0A 0A 00
      2> 0A 10 00
      2> 04 0B 00 0B 00
      device answers
      < 0B 01 02 03
      device answers
      2< 0B 33
      2< 05 01 0B 00 01 29
      """),
  ]

  @Test(arguments: scenarios) func `a scenario goes as written`(scenario: Scenario) throws {
    try expect(scenario.device, scenario.transcript, sourceLocation: scenario.place)
  }

  @Test func `a central that sends too much before the response to a request loses the connection`() {
    var server = AttributeServer(of: SpecificationCase.small)
    #expect(server.actions(after: [0x0A, 0x0A, 0]).count == 1)
    for _ in 0..<4096 { #expect(server.actions(after: [0x52, 0x0A, 0, 1]).isEmpty) }
    #expect(server.actions(after: [0x52, 0x0A, 0, 1]) == [.end(.tooManyWaiting)])
  }

  @Test func `an answer that nobody waits for is ignored`() {
    var server = AttributeServer(of: SpecificationCase.small)
    #expect(server.answer(.value([1])).isEmpty)
  }

  @Test(
    arguments: [
      ("0A 0A 00", "01 0A 00 00 0E"), ("0C 0A 00 01 00", "01 0C 00 00 0E"),
      ("0E 10 00 0A 00", "01 0E 00 00 0E"), ("08 01 00 FF FF E1 FF", "01 08 00 00 0E"),
    ])
  func `a device that answers a read without a value is an Unlikely Error`(request: String, response: String)
  {
    var server = AttributeServer(of: SpecificationCase.small)
    _ = server.actions(after: PacketText.bytes(request))
    #expect(server.answer(.accepted) == [.send(PacketText.bytes(response))])
  }
}
