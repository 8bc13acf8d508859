import Bluetooth
import DeviceModel
import Framing
import TestSupport
import Testing

@testable import Behavior

/// When a device advertises anew.
@Suite struct AdvertisingTests {
  @Test func `each set has its own period`() throws {
    let definition = definition(
      """
      advertisement:
        manufacturer-data: { FFFF: "{uptime: u16le}" }
        every: 300ms
        sets: { fast: { local-name: "{uptime}", every: 200ms }, fixed: { local-name: "{uptime}" } }
      """)
    var engine = try Engine(
      definition, settings: [], address: DeviceAddress("00:1A:7D:DA:71:13")!, limits: NoLimits())
    var advertised: [Advertisement] = []
    var timers: [(TimerIdentifier, Instant)] = []
    func take(_ outcome: Outcome) {
      for action in outcome.actions {
        if case .advertise(let advertisement?) = action { advertised.append(advertisement) }
        if case .startTimer(let timer, let due) = action { timers.append((timer, due)) }
      }
    }
    take(engine.handle(.started, at: Instant()))
    for _ in 0..<3 {
      timers.sort { $0.1 < $1.1 }
      let (timer, due) = timers.removeFirst()
      take(engine.handle(.timerFired(timer), at: due))
    }
    #expect(advertised.map { $0.manufacturerData[0].bytes[0] } == [0, 44, 44])
    #expect(advertised.map { $0.furtherSets[0].localName } == ["200", "200", "400"])
    #expect(advertised.map { $0.furtherSets[1].localName } == ["0", "0", "0"])
  }

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
