import TestSupport
import Testing

@testable import Behavior

/// When a device advertises anew.
@Suite struct AdvertisingTests {
  @Test func `values that follow the time are advertised when they have changed`() throws {
    let definition = definition(
      """
      advertisement: { local-name: "{uptime // 200}", every: 100ms }
      services: [{ uuid: FFE0, characteristics: [{ id: in, uuid: FFE1, properties: [write] }] }]
      messages: { hide: "00", show: "01" }
      rules:
        - { on: { receive: hide }, do: { advertise: false } }
        - { on: { receive: show }, do: { advertise: true } }
      """)
    var conversation = try Conversation(definition)
    let expected = """
      start
      advertises anew at 100 ms
      250 ms
      advertises anew at 200 ms
      advertises anew at 300 ms
      advertises 1
      > in 00
      does not advertise
      200 ms
      advertises anew at 400 ms
      advertises anew at 500 ms
      > in 01
      advertises 2
      100 ms
      advertises anew at 600 ms
      100 ms
      advertises anew at 700 ms
      advertises 3
      """
    #expect(conversation.play(expected) == expected)
  }
}
