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

  @Test func `a set is shown while its condition is true`() throws {
    let definition = definition(
      """
      settings: { shown: { type: boolean, default: false } }
      advertisement: { local-name: A, sets: { spare: { if: shown, local-name: B }, other: { local-name: C } } }
      """)
    var engine = try Engine(
      definition, settings: definition.settings.map(\.initial), address: DeviceAddress("00:1A:7D:DA:71:13")!,
      limits: NoLimits())
    _ = engine.handle(.started, at: Instant())
    #expect(engine.currentAdvertisement?.shownSets.map(\.localName) == ["A", "C"])
    _ = engine.handle(
      .controlled(.set([ControlEvent.Assignment(.setting(0), .boolean(true))])), at: Instant())
    #expect(engine.currentAdvertisement?.shownSets.map(\.localName) == ["A", "B", "C"])
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

  @Test func `an advertisement that follows its values changes after the event that changes them`() throws {
    let definition = definition(
      """
      variables: { n: { type: integer, default: 1 }, other: { type: integer, default: 1 } }
      advertisement: { local-name: "{n}", every: change }
      services: [{ uuid: FFE0, characteristics: [{ id: in, uuid: FFE1, properties: [write] }] }]
      rules:
        - { on: { receive: { bytes: "00 {m: u8}" } }, do: { set: { n: m } } }
        - { on: { receive: { bytes: "01 {m: u8}" } }, do: { set: { other: m } } }
        - { on: { receive: { bytes: "02" } }, do: [{ set: { n: 8 } }, { set: { n: 9 } }] }
        - { on: { receive: { bytes: "03" } }, do: [{ advertise: false }, { set: { n: 7 } }] }
        - { on: { receive: { bytes: "04" } }, do: { advertise: true } }
      """)
    var conversation = try Conversation(definition)
    let expected = """
      start
      > in 00 01
      > in 00 05
      advertises 5
      > in 01 05
      > in 00 05
      > in 02
      advertises 9
      > in 03
      does not advertise
      > in 00 06
      > in 04
      advertises 6
      set n=3
      advertises 3
      """
    #expect(conversation.play(expected) == expected)
  }

  /// `in` sets, of two settings and a variable, those whose byte is not FF.
  private static func changing(_ advertisement: String, link: String = "{}") -> PeripheralDefinition {
    definition(
      """
      settings: { shown: { type: integer, min: 0, max: 9, default: 0 }, other: { type: integer, min: 0, max: 9, default: 0 } }
      variables: { count: { type: integer, default: 0 } }
      link: \(link)
      advertisement: \(advertisement)
      services: [{ uuid: FFE0, characteristics: [{ id: in, uuid: FFE1, properties: [write] }] }]
      messages: { shown: "01 {n: u8}", other: "02 {n: u8}", count: "03 {n: u8}" }
      rules:
        - { on: { receive: shown }, do: { set: { shown: n } } }
        - { on: { receive: other }, do: { set: { other: n } } }
        - { on: { receive: count }, do: { set: { count: n } } }
      """)
  }

  @Test func `a set is computed anew when a setting that it uses changes, and at no other time`() throws {
    var conversation = try Conversation(
      Self.changing(
        """
        { local-name: "{shown} {count}", sets: { second: { local-name: "{count} {uptime}" } } }
        """))
    let expected = """
      start
      100 ms
      > in 03 05
      > in 02 01
      keeps 0, 1
      > in 01 00
      keeps 0, 1
      > in 01 07
      keeps 7, 1
      advertises 7 5
      > in 01 07
      keeps 7, 1
      """
    #expect(conversation.play(expected) == expected)
    #expect(conversation.engine.currentAdvertisement?.furtherSets[0].localName == "0 0")
  }

  @Test func `a set follows its settings only when it begins, if it says so`() throws {
    var conversation = try Conversation(Self.changing(#"{ local-name: "{shown}", changes: at-begin }"#))
    let expected = """
      start
      > in 01 07
      keeps 7, 0
      advertise true
      advertises 7
      """
    #expect(conversation.play(expected) == expected)
  }

  @Test func `an advertisement that uses the number of centrals follows it`() throws {
    func advertised(_ link: String) throws -> [Bool?] {
      var engine = try Engine(
        Self.changing("{ connectable: centrals == 0, local-name: N }", link: link),
        settings: [.integer(0), .integer(0)], address: DeviceAddress("00:1A:7D:DA:71:13")!)
      let phone = DeviceAddress("4C:32:75:0A:11:9E")!
      let events: [Event] = [.started, .connected(phone), .disconnected(phone)]
      return events.map { event in
        _ = engine.handle(event, at: Instant())
        return engine.currentAdvertisement?.isConnectable
      }
    }
    #expect(try advertised("{ centrals: 2 }") == [true, false, true])
    // A device that is full advertises only what no central can connect to.
    #expect(try advertised("{ centrals: 1 }") == [true, false, true])
  }

  @Test func `a change does not postpone the end of advertising, and does not begin it again`() throws {
    var engine = try Engine(
      Self.changing("{ local-name: \"{shown}\", timeout: 10s }"),
      settings: [.integer(0), .integer(0)], address: DeviceAddress("00:1A:7D:DA:71:13")!)
    func timeouts(_ number: UInt8, at seconds: Int64) -> [Duration?] {
      let write = Event.writeRequested(nil, .characteristic(0), value: [1, number], offset: 0, .request)
      return engine.handle(write, at: .milliseconds(seconds * 1000)).actions.compactMap {
        if case .advertise(let advertisement?) = $0 { advertisement.timeout } else { nil }
      }
    }
    _ = engine.handle(.started, at: Instant())
    #expect(timeouts(1, at: 4) == [.seconds(6)])
    #expect(timeouts(2, at: 11) == [])
  }
}
