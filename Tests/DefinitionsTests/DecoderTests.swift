import Bluetooth
import Framing
import Testing

@testable import Definitions
@testable import DeviceModel

/// Every key of the language, read into what it means.
@Suite struct DecoderTests {
  static func definition(_ yaml: String, files: [String: String] = [:]) throws -> PeripheralDefinition {
    let loaded = load(yaml, files: files)
    return try #require(loaded.definition, "\(loaded.report)")
  }

  @Test func `what is not said has its standard`() throws {
    let device = try Self.definition("")
    #expect(device.name == "Device")
    #expect(device.summary == "")
    #expect(device.link.mtu == nil)
    #expect(device.link.maximumValue == nil)
    let advertisement = try device.advertised(in: device.initialContext)
    #expect(advertisement.isDiscoverable && advertisement.isConnectable)
    #expect(advertisement.interval == nil && advertisement.timeout == nil)
    #expect(device.services.map(\.isPrimary) == [true])
    #expect(device.characteristics.map(\.id) == ["serial"])
    #expect(device.characteristics[0].framing == nil)
    #expect(device.characteristics[0].permissions == [])
    #expect(!device.hasWireSide)
  }

  @Test func `settings have a kind, limits and a default`() throws {
    let device = try Self.definition(
      """
      settings:
        a: { type: text, default: x }
        b: { type: text, max: 3, default: "" }
        c: { type: integer, min: -5, max: 0x10, default: -1 }
        d: { type: integer, default: 0xFF }
        e: { type: boolean, default: true }
        f: { type: bytes, max: 2, default: A5 06 }
      """)
    #expect(device.settings.map(\.name) == ["a", "b", "c", "d", "e", "f"])
    #expect(
      device.settings.map(\.initial) == [
        .text("x"), .text(""), .integer(-1), .integer(255), .boolean(true), .bytes([0xA5, 0x06]),
      ])
    #expect(throws: SettingError.self) { try device.settings[2].kind.parse("17") }
    #expect(throws: SettingError.self) { try device.settings[1].kind.parse("four") }
  }

  @Test func `an advertisement has a kind and further sets`() throws {
    let device = try Self.definition(
      """
      settings:
        phone: { type: bytes, max: 6, default: 4C 32 75 0A 11 9E }
        is-known: { type: boolean, default: true }
      advertisement:
        directed: { to: "{phone}", kind: random, if: is-known }
        channels: [37, 39]
        phy: 2M
        sets:
          beacon: { type: broadcast, address: random, phy: coded, every: 2s }
          answering: { type: scannable }
      """)
    let advertisement = try device.advertised(in: device.initialContext)
    #expect(advertisement.target == LinkAddress(DeviceAddress("4C:32:75:0A:11:9E")!, .random))
    #expect(advertisement.isConnectable && advertisement.channels == [.channel(37), .channel(39)])
    #expect(advertisement.phy == .le2M && advertisement.name == "")
    #expect(advertisement.furtherSets.map(\.name) == ["beacon", "answering"])
    #expect(advertisement.furtherSets.map(\.isScannable) == [false, true])
    #expect(advertisement.furtherSets.map(\.isConnectable) == [false, false])
    #expect(advertisement.furtherSets.map(\.phy) == [.coded, nil])
    #expect(advertisement.furtherSets.map(\.addressScheme) == [.fixed(.derived), nil])
    #expect(device.advertisement.furtherSets.map(\.period) == [.seconds(2), nil])
    var context = device.initialContext
    context.settings[1] = .boolean(false)
    #expect(try device.advertised(in: context).target == nil)
  }

  @Test(
    arguments: [
      ("public", .fixed(.adapter)), ("random", .fixed(.derived)),
      ("resolvable", .resolvable(identity: .derived, key: nil, period: .seconds(900))),
      ("non-resolvable", .nonResolvable(period: .seconds(900))),
      ("{ kind: non-resolvable, every: 90s }", .nonResolvable(period: .seconds(90))),
      (
        #"{ kind: resolvable, identity: public, key: "{fill(0, 15)} 01" }"#,
        .resolvable(identity: .adapter, key: [1] + Array(repeating: 0, count: 15), period: .seconds(900))
      ),
      (#""{u8(5)} 01 02 03 04 05""#, .fixed(.given(DeviceAddress("C5:01:02:03:04:05")!))),
    ] as [(String, AddressScheme)])
  func `an advertisement has an address`(text: String, scheme: AddressScheme) throws {
    let device = try Self.definition("advertisement: { address: \(text) }")
    #expect(try device.advertised(in: device.initialContext).addressScheme == scheme)
  }

  @Test func `an advertisement has all its fields`() throws {
    let device = try Self.definition(
      """
      advertisement:
        local-name: Belt
        services: [180D, FFE0]
        manufacturer-data: { 004C: 02 15, "0xFFFF": "00" }
        service-data: { 180F: 50 }
        tx-power: -6
        appearance: 0x0340
        discoverable: false
        connectable: false
        interval: { min: 100ms, max: 1.5s }
        timeout: 2min
      """)
    let advertisement = try device.advertised(in: device.initialContext)
    #expect(advertisement.localName == "Belt")
    #expect(advertisement.serviceUUIDs == [0x180D, 0xFFE0])
    #expect(advertisement.manufacturerData.map(\.company) == [0x004C, 0xFFFF])
    #expect(advertisement.manufacturerData.map(\.bytes) == [[0x02, 0x15], [0x00]])
    #expect(advertisement.serviceData == [ServiceData(uuid: 0x180F, bytes: [0x50])])
    #expect(advertisement.txPower == -6)
    #expect(advertisement.appearance == 0x0340)
    #expect(!advertisement.isDiscoverable && !advertisement.isConnectable)
    #expect(advertisement.interval == AdvertisingInterval(units: 160)...AdvertisingInterval(units: 2400))
    #expect(advertisement.timeout == .seconds(120))
  }

  @Test func `services, characteristics and descriptors stand in the order of the file`() throws {
    let device = try Self.definition(
      """
      services:
        - uuid: 6E400001-B5A3-F393-E0A9-E50E24DCCA9E
          primary: false
          characteristics:
            - uuid: 2A29
              properties: [read, reliable-write, indicate]
              permissions: [encrypt-read, authorize]
              text: AC{{1}}
              descriptors:
                - { uuid: 2901, text: Name }
                - { uuid: 2904, properties: [write], permissions: [secure-write], value: "04 00" }
        - uuid: FFE0
          characteristics:
            - { id: one, uuid: FFE1, properties: [write] }
            - { id: two, uuid: FFE1, properties: [notify] }
      """)
    #expect(device.services.map(\.uuid.source) == ["6E400001-B5A3-F393-E0A9-E50E24DCCA9E", "FFE0"])
    #expect(device.services.map(\.isPrimary) == [false, true])
    #expect(device.services.map(\.characteristics) == [0..<1, 1..<3])
    #expect(device.characteristics.map(\.id) == ["2A29", "one", "two"])
    #expect(device.characteristics.map(\.canNotify) == [true, false, true])
    #expect(device.characteristics.map(\.canBeWritten) == [true, true, false])
    let name = device.characteristics[0]
    #expect(name.properties == [.read, .reliableWrite, .indicate])
    #expect(name.permissions == [.encryptRead, .authorize])
    #expect(try name.value.render(in: device.initialContext) == Array("AC{1}".utf8))
    #expect(name.descriptors.map(\.uuid) == [0x2901, 0x2904])
    #expect(name.descriptors.map(\.canRead) == [true, false])
    #expect(name.descriptors.map(\.canWrite) == [false, true])
    #expect(name.descriptors[1].permissions == .secureWrite)
  }

  @Test(arguments: [(23, 20), (100, 97), (515, 512), (517, 512)])
  func `a link limits a value`(mtu: Int, value: Int) throws {
    #expect(try Self.definition("link: { mtu: \(mtu) }").link.maximumValue == value)
  }

  static let xor8 = Checksum.named("xor8")!

  @Test(
    arguments: [
      ("{ delimiter: 0D 0A }", FramingRule(.delimited(Delimiter([0x0D, 0x0A])))),
      (
        "{ delimiter: 0A, gap: 1s, max: 80 }",
        FramingRule(.delimited(Delimiter([0x0A])), gap: .seconds(1), maxLength: 80)
      ),
      ("{ idle: 20ms, max: 4096 }", FramingRule(.idle(.milliseconds(20)), maxLength: 4096)),
      ("{ size: 4 }", FramingRule(.packet(PacketFormat(extent: .fixed(4))))),
      (
        "{ start: A5, size: 9, check: xor8, check-from: 1, tail: 00 }",
        FramingRule(
          .packet(
            PacketFormat(start: [0xA5], extent: .fixed(9), check: CheckField(xor8, from: 1), tail: [0])))
      ),
      (
        "{ start: DD, length: { at: 3, counts: payload }, check: xor8, tail: 77 }",
        FramingRule(
          .packet(
            PacketFormat(
              start: [0xDD], extent: .lengthField(LengthField(at: 3, counts: .payload)),
              check: CheckField(xor8),
              tail: [0x77])))
      ),
      (
        "{ start: CD, length: { at: 1, width: 2, order: little-endian, counts: rest, adjust: -1 } }",
        FramingRule(
          .packet(
            PacketFormat(
              start: [0xCD],
              extent: .lengthField(
                LengthField(at: 1, width: 2, byteOrder: .littleEndian, counts: .rest, adjust: -1)))))
      ),
      (
        "{ start: 9* 80/C0, size: 4 }",
        FramingRule(
          .packet(
            PacketFormat(start: [0x90, 0x80], startMask: [0xF0, 0xC0], extent: .fixed(4))))
      ),
      (
        "{ size: 4, check: 'frame[1] == 7' }",
        FramingRule(
          .packet(
            PacketFormat(
              extent: .fixed(4), condition: FrameCondition(source: "frame[1] == 7") { _ in true })))
      ),
      (
        "{ start: 3C, tail: 3E }",
        FramingRule(.packet(PacketFormat(start: [0x3C], extent: .untilTail, tail: [0x3E])))
      ),
    ] as [(String, FramingRule)])
  func `a framing has its shape`(yaml: String, rule: FramingRule) throws {
    #expect(try Self.definition("framing: { serial: \(yaml) }").characteristics[0].framing == rule)
  }

  @Test func `each direction may have a framing`() throws {
    let serial = try Self.definition("framing: { serial: { in: { size: 1 }, out: { size: 30 } } }")
      .characteristics[0]
    #expect(serial.framing == FramingRule(.packet(PacketFormat(extent: .fixed(1)))))
    #expect(serial.sentFraming == FramingRule(.packet(PacketFormat(extent: .fixed(30)))))
  }

  @Test func `a table has its columns, keys and rows`() throws {
    let device = try Self.definition(
      """
      data:
        history:
          file: history.csv
          columns: { day: integer, worn: boolean, note: text, samples: bytes }
          key: [day, worn]
      """,
      files: [
        "history.csv": "# days\r\nday, worn ,note,samples\r\n\r\n 1,true, new year ,A5 06\r\n0x02,false,,"
      ])
    let table = device.tables[0]
    #expect(table.name == "history")
    #expect(table.keyNames == ["day", "worn"])
    #expect(table.count == 2)
    #expect(table.cell(key: [.integer(1), .boolean(true)], column: 2) == .text("new year"))
    #expect(table.cell(key: [.integer(1), .boolean(true)], column: 3) == .bytes([0xA5, 0x06]))
    #expect(table.cell(key: [.integer(2), .boolean(false)], column: 2) == .text(""))
    #expect(table.cell(key: [.integer(2), .boolean(true)], column: 0) == .integer(0))
  }

  @Test func `a table has its rows in the order of the file, also without a key`() throws {
    let device = try Self.definition(
      """
      data:
        trace: { file: trace.csv, columns: { volts: decimal } }
        days: { columns: { day: integer, name: text }, key: [day], rows: [[7, seven], [0x02, ""], [5, 5]] }
        none: { columns: { day: integer }, rows: [] }
      """, files: ["trace.csv": "volts\n1.5\n-0.25\n1.5\n3\n"])
    #expect(
      device.tables[0].rows == [[.decimal(1.5)], [.decimal(-0.25)], [.decimal(1.5)], [.decimal(3)]])
    #expect(device.tables[0].keyNames == [])
    let days = device.tables[1]
    #expect(days.rows.map { $0[0] } == [.integer(7), .integer(2), .integer(5)])
    #expect(days.cell(key: [.integer(5)], column: 1) == .text("5"))
    #expect(device.tables[2].count == 0)
  }

  @Test(arguments: [("{}", nil), ("{ centrals: 1 }", 1), ("{ centrals: 8 }", 8)])
  func `a link takes so many centrals`(link: String, centrals: Int?) throws {
    #expect(try Self.definition("link: \(link)").link.centrals == centrals)
  }

  @Test(arguments: [
    ("", false), ("link: { multiple-notifications: true }", true), ("link: { mtu: 23 }", false),
  ])
  func `values go together if the definition says so`(link: String, isSo: Bool) throws {
    let features = "{ uuid: 1801, characteristics: [{ uuid: 2B29, properties: [read, write] }] }"
    let definition = try Self.definition("\(link)\nservices: [\(features)]")
    #expect(definition.link.multipleNotifications == isSo)
  }

  @Test func `a link has the connection parameters that the device prefers`() throws {
    let link = try Self.definition(
      """
      link:
        parameters: { interval: { min: 7.5ms, max: 48.75ms }, latency: 4, timeout: 2.5s, ask-after: 1.5s }
      """
    ).link
    // in units of 1.25 ms and 10 ms
    #expect(
      link.preferred
        == PreferredConnectionParameters(interval: 6...39, latency: 4, supervisionTimeout: 250))
    #expect(link.askAfter == .milliseconds(1500))
    let silent = try Self.definition("link: { parameters: { interval: { min: 4s, max: 4s }, timeout: 32s } }")
      .link
    #expect(
      silent.preferred
        == PreferredConnectionParameters(interval: 3200...3200, latency: 0, supervisionTimeout: 3200))
    #expect(silent.askAfter == nil)
  }

  @Test func `a device pairs as its security says`() throws {
    #expect(try Self.definition("").pairing == nil)
    #expect(try Self.definition("security: {}").pairing == PairingPolicy())
    var policy = PairingPolicy()
    policy.capability = .keyboardDisplay
    policy.passkey = 1234
    policy.secureConnections = .required
    policy.bonds = false
    policy.requestsSecurity = true
    let text =
      "security: { io-capability: keyboard-display, passkey: '001234', secure-connections: required, bonding: false, "
      + "request: true }"
    #expect(try Self.definition(text).pairing == policy)
    #expect(try Self.definition("security: { pairing: false }").pairing?.isAllowed == false)
  }

  @Test(
    arguments: [
      ("paired", Rule.Trigger.paired), ("bonded", .bonded), ("pairing-failed", .pairingFailed),
      ("encrypted", .encrypted), ("encryption-failed", .encryptionFailed), ("link-lost", .linkLost),
      ("parameters", .parametersChanged), ("parameters-refused", .parametersRefused), ("phy", .phyChanged),
    ])
  func `a rule waits for what happens to a link`(word: String, trigger: Rule.Trigger) throws {
    let device = try Self.definition("rules: [{ on: \(word), do: end }]")
    #expect(device.rules[0].triggers == [trigger])
  }

  @Test func `a rule disconnects for a reason`() throws {
    let device = try Self.definition(
      "rules: [{ on: connect, do: [disconnect, { disconnect: remote-power-off }] }]")
    let reasons = device.rules[0].steps.compactMap { step -> HCIError? in
      if case .disconnect(.all, let reason) = step.action { reason } else { nil }
    }
    #expect(reasons == [.remoteUserTerminated, .remotePowerOff])
    #expect(device.rules[0].specialReasons == [.remotePowerOff])
  }

  @Test(arguments: [
    ("central", Rule.CentralChoice.central, HCIError.remoteUserTerminated),
    ("central, reason: remote-power-off", .central, .remotePowerOff),
    ("all, reason: remote-low-resources", .all, .remoteLowResources),
  ])
  func `a rule disconnects its central, or all`(
    text: String, choice: Rule.CentralChoice, reason: HCIError
  ) throws {
    let device = try Self.definition("rules: [{ on: connect, do: { disconnect: \(text) } }]")
    guard case .disconnect(choice, reason) = device.rules[0].steps[0].action else {
      Issue.record("\(device.rules[0].steps[0])")
      return
    }
  }

  @Test func `a rule for a message waits wherever messages come in`() throws {
    let services = """
      services:
        - uuid: FFE0
          characteristics:
            - { id: one, uuid: FFE1, properties: [write, notify] }
            - { id: two, uuid: FFE2, properties: [write-without-response, notify] }
            - { id: three, uuid: FFE3, properties: [read, notify] }
      messages: { ping: "01" }
      rules:
        - { on: { receive: ping }, do: { send: ping } }

      """
    #expect(
      try Self.definition(services).rules.map(\.triggers) == [
        [
          .received(message: 0, from: .characteristic(0)), .received(message: 0, from: .characteristic(1)),
        ]
      ])
    #expect(
      try Self.definition(services + "framing: { two: { size: 1 } }").rules.map(\.triggers) == [
        [.received(message: 0, from: .characteristic(1))]
      ])
  }

  @Test func `the other events, and the line that a rule begins in`() throws {
    let device = try Self.definition(
      """
      messages: { ping: "01" }
      rules:
        - { on: connect, do: { log: hello } }
        - { on: disconnect, do: [{ log: bye }] }

        - on: { subscribe: serial }
          do: { send: ping }
        - { on: { unsubscribe: serial }, do: { send: ping, to: wire } }
      """)
    #expect(
      device.rules.map(\.triggers) == [[.connected], [.disconnected], [.subscribed(0)], [.unsubscribed(0)]])
    #expect(device.rules.map(\.line) == [3, 4, 6, 8])
    #expect(device.hasWireSide)
  }

  @Test(arguments: [
    ("psm: 0x80", 245, 247, 10, LinkSecurity.Level.none, 7), ("psm: 37, mtu: 23", 23, 25, 10, .none, 7),
    ("psm: 0xFF, mtu: 65535, mps: 65533, credits: 65535", 65_535, 65_533, 65_535, .none, 7),
    ("psm: 0x80, security: encrypt", 245, 247, 10, .encrypted, 7),
    ("psm: 0x80, security: encrypt-authenticated, key-size: 16", 245, 247, 10, .authenticated, 16),
    ("psm: 0x80, security: secure", 245, 247, 10, .secureConnections, 7),
  ])
  func `a channel has terms`(
    channel: String, mtu: Int, mps: Int, credits: Int, level: LinkSecurity.Level, keySize: Int
  ) throws {
    let offer = try #require(Self.definition("channels: { stream: { \(channel) } }").channels.first).offer
    #expect(
      offer.terms == ChannelTerms(mtu: UInt16(mtu), mps: UInt16(mps), credits: UInt16(credits)))
    #expect(offer.level == level && offer.keySize == keySize)
  }

  @Test func `rules know what the device seeks`() throws {
    let device = try Self.definition(
      """
      client: { time: { service: 1805, uuid: 2A2B }, news: { service: FFF0, uuid: FFF1 } }
      framing: { news: { delimiter: "0A" } }
      rules:
        - { on: connect, do: discover }
        - { on: { found: news }, do: [{ subscribe: news }, { read: time }, { send: { bytes: "01" } }] }
        - { on: { missing: time }, do: { log: a } }
        - { on: { refused: time }, if: "reason == 'insufficient-encryption'", do: { log: b } }
        - { on: { receive: any, from: time }, do: { send: { bytes: "01" }, to: news } }
      """)
    #expect(
      device.sought.map(\.service) == [0x1805, 0xFFF0] && device.sought.map(\.uuid) == [0x2A2B, 0xFFF1])
    #expect(device.sought[1].framing != nil && device.sought[0].framing == nil)
    #expect(
      device.rules.map(\.triggers) == [
        [.connected], [.found(1)], [.missing(0)], [.refused(0)], [.received(message: nil, from: .sought(0))],
      ])
  }

  @Test func `rules and the wire side know channels`() throws {
    let device = try Self.definition(
      """
      channels: { stream: { psm: 0x80 }, other: { psm: 0x81 } }
      framing: { other: { delimiter: "0A" } }
      rules:
        - { on: { open: other }, do: { send: { bytes: "01" } } }
        - { on: { close: stream }, do: { close: other } }
        - { on: { receive: any, from: [stream, other] }, do: { send: { bytes: "01" }, to: stream } }
      wire: { bridge: { from: other, to: stream } }
      """)
    #expect(device.rules[0].triggers == [.opened(1)])
    #expect(device.rules[1].triggers == [.closed(0)])
    #expect(
      device.rules[2].triggers == [
        .received(message: nil, from: .channel(0)), .received(message: nil, from: .channel(1)),
      ])
    #expect(device.wire.bridge == WireDefinition.Bridge(inlet: .channel(1), outlet: .channel(0)))
    #expect(device.channels[1].framing != nil && device.channels[0].framing == nil)
  }

  @Test func `a bridge is a wire side`() throws {
    let device = try Self.definition("wire: { bridge: serial }")
    #expect(
      device.wire.bridge == WireDefinition.Bridge(inlet: .characteristic(0), outlet: .characteristic(0)))
    #expect(try device.wire.baud(in: device.initialContext) == nil)
    #expect(device.hasWireSide)
  }

  @Test(arguments: [50, 9600, 115_200, 4_000_000])
  func `a wire side has a speed`(baud: Int) throws {
    let device = try Self.definition("wire: { bridge: serial, baud: \(baud) }")
    #expect(try device.wire.baud(in: device.initialContext) == baud)
    let text =
      "wire: { baud: \(baud) }\nmessages: { a: \"41\" }\nrules: [{ on: connect, do: { send: a, to: wire } }]"
    let other = try Self.definition(text)
    #expect(try other.wire.baud(in: other.initialContext) == baud)
  }

  @Test(arguments: [("slow", 1200), ("fast", 57_600)])
  func `the speed of a wire side may come from settings`(name: String, baud: Int) throws {
    let device = try Self.definition(
      """
      settings: { speed: { type: text, one-of: [slow, fast], default: slow } }
      wire: { bridge: serial, baud: "if(speed == 'slow', 1200, 57600)" }
      """)
    var context = device.initialContext
    context.settings = [.text(name)]
    #expect(try device.wire.baud(in: context) == baud)
  }

  @Test(arguments: [-1, 0, 49, 4_000_001])
  func `a number that is no speed is none`(number: Int) throws {
    let device = try Self.definition(
      "settings: { speed: { type: integer, default: 9600 } }\nwire: { bridge: serial, baud: speed }")
    var context = device.initialContext
    context.settings = [.integer(Int64(number))]
    #expect(throws: BaudError(baud: Int64(number))) { try device.wire.baud(in: context) }
  }
}
