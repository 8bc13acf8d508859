import AttributeServer
import Behavior
import Bluetooth
import Definitions
import DeviceModel
import EventLoop
import Peripheral
import TestSupport
import Testing

/// What a bonded central has written holds on its next link, once that is encrypted.
@EventLoop @Suite struct BondingTests {
  private static let peer = LinkAddress(DeviceAddress([0, 0, 0, 0, 0, 2])!)
  private static let central = peer.address
  /// Handles: plain services from 1 on, with Service Changed at 8 and its CCCD at 9; FFE1's value 0x000C, its CCCD 0x000D;
  /// FFE2's value 0x000F, its CCCD 0x0010.
  private static let text = """
    blemu: 1
    name: Device
    settings: { has-more: { type: boolean, default: true } }
    services:
      - uuid: FFE0
        characteristics:
          - { uuid: FFE1, properties: [notify, indicate] }
          - { id: more, uuid: FFE2, properties: [notify], if: has-more }
    """

  private let server = GATTServer()
  private let host = RecordingHost()

  init() throws {
    server.host = host
    try start()
  }

  private func start(_ bonds: [Bond] = [], more: Bool = true, _ text: String = text) throws {
    let definition = try define(text)
    let table = try definition.attributes(
      in: definition.context(settings: [.boolean(more)], address: DeviceAddress([0, 0, 0, 0, 0, 1])!))
    var device = DeviceOnAir(
      definition: definition, table: table, advertisement: Advertisement(), deviceName: "Device")
    device.bonds = bonds
    device.pairing = try definition.pairing(in: definition.initialContext)
    server.start(device)
    host.events = []
  }

  /// A link on which the server has said nothing yet.
  private func connect(_ security: LinkSecurity = .none, as peer: LinkAddress = peer) -> TestChannel {
    let channel = TestChannel()
    channel.security = security
    server.connected(peer, on: channel)
    return channel
  }

  private func encrypt(_ channel: TestChannel) {
    channel.security = .encrypted
    server.securityChanged(of: Self.central, to: .encrypted)
  }

  private func end() { server.links.forEach { server.ended($0) } }

  private func write(_ text: String, on channel: TestChannel) {
    channel.onReceive?(bytes("12 \(text)"))
    #expect(channel.sent.popLast() == [0x13])
  }

  private func read(_ handle: String, on channel: TestChannel) -> String {
    channel.onReceive?(bytes("0A \(handle)"))
    return hexadecimal(channel.sent.popLast() ?? [])
  }

  private var subscriptions: [Event] {
    host.events.filter { if case .subscribed = $0 { true } else { false } }
  }

  /// Bonds, subscribes to both characteristics, and leaves.
  private func bond() {
    let channel = connect()
    encrypt(channel)
    server.paired(Self.central, bond: Bond(with: Self.peer))
    write("0D 00 02 00", on: channel)
    write("10 00 01 00", on: channel)
    end()
    host.events = []
  }

  @Test func `configurations are kept as they are written, by the ids of their characteristics`() {
    bond()
    #expect(host.kept.map { $0.map(\.configurations) } == [[[:]], [["FFE1": 2]], [["FFE1": 2, "more": 1]]])
    let channel = connect(.encrypted)
    write("10 00 00 00", on: channel)
    #expect(host.kept.last?.map(\.configurations) == [["FFE1": 2]])
    write("09 00 02 00", on: channel)
    #expect(host.kept.last?.map(\.configurations) == [["FFE1": 2, "2A05": 2]])
  }

  /// The permissions of an attribute on a link that is not encrypted yet.
  @Test func `a bonded central is told to encrypt, another one to pair`() throws {
    try start(
      [], more: false,
      Self.text.replacing(
        "properties: [notify, indicate] }", with: "properties: [read], permissions: [encrypt-read] }"))
    #expect(read("0C 00", on: connect()) == "01 0A 0C 00 05")
    end()
    let channel = connect()
    encrypt(channel)
    server.paired(Self.central, bond: Bond(with: Self.peer))
    end()
    let next = connect()
    #expect(read("0C 00", on: next) == "01 0A 0C 00 0F")
    encrypt(next)
    #expect(read("0C 00", on: next) == "01 0A 00 00 0E")  // the device here refuses every read
    end()
    server.hasKey = { !$0.longTermKeys.isEmpty }
    #expect(read("0C 00", on: connect()) == "01 0A 0C 00 05")
    #expect(
      read("0C 00", on: connect(as: LinkAddress(DeviceAddress([0, 0, 0, 0, 0, 3])!))) == "01 0A 0C 00 05")
  }

  @Test func `they hold again once the next link is encrypted`() {
    bond()
    let channel = connect()
    #expect(read("0D 00", on: channel) == "0B 00 00")
    #expect(server.send([0x41], from: 1, to: .subscribers) == .nobodySubscribed)
    encrypt(channel)
    #expect(
      host.events == [
        .connected(Self.central, nil), .encrypted(Self.central, .encrypted),
        .subscribed(Self.central, characteristic: 0, .indication),
        .subscribed(Self.central, characteristic: 1, .notification),
      ])
    #expect(read("0D 00", on: channel) == "0B 02 00")
    #expect(server.send([0x41], from: 1, to: .subscribers) == .notified)
    #expect(channel.sent == [bytes("1B 0F 00 41")])
    server.securityChanged(of: Self.central, to: .authenticated)
    #expect(subscriptions.count == 2)
    end()
    #expect(
      host.events.suffix(3) == [
        .unsubscribed(Self.central, characteristic: 0), .unsubscribed(Self.central, characteristic: 1),
        .disconnected(Self.central, nil),
      ])
  }

  @Test func `a link that is encrypted from the start has them at once`() {
    bond()
    _ = connect(.encrypted)
    #expect(subscriptions.count == 2)
  }

  @Test func `a key that the central has just made does not bring them back`() {
    bond()
    let channel = connect()
    channel.hasBondKey = false
    encrypt(channel)
    #expect(read("0D 00", on: channel) == "0B 00 00")
    #expect(subscriptions == [])
    channel.hasBondKey = true
    encrypt(channel)
    #expect(subscriptions.count == 2)
  }

  @Test func `nor does a key that protects too little for them, and its values say why they are lost`() throws
  {
    let text = Self.text.replacing(
      "properties: [notify, indicate] }",
      with: "properties: [notify, indicate], permissions: [encrypt-authenticated-notify] }")
    try start([Bond(with: Self.peer, configurations: ["FFE1": 1, "more": 1])], text)
    let channel = connect(.encrypted)
    #expect(subscriptions == [.subscribed(Self.central, characteristic: 1)])
    #expect(server.bonds[0].configurations == ["FFE1": 1, "more": 1])
    #expect(server.send([0x41], from: 0, to: .subscribers) == .nobodySubscribed)
    #expect(server.send([0x41], from: 0, to: .central(Self.central)) == .unprotected)
    #expect(server.maximumValue(of: 0, to: .central(Self.central)) == nil)
    channel.security = .authenticated
    #expect(server.send([0x41], from: 0, to: .central(Self.central)) == .notified)
  }

  /// The channel may know of the encryption before the transport tells of it.
  @Test func `a request on the encrypted link finds them`() {
    bond()
    let channel = connect()
    channel.security = .encrypted
    #expect(read("0D 00", on: channel) == "0B 02 00")
    server.securityChanged(of: Self.central, to: .encrypted)
    #expect(subscriptions.count == 2)
  }

  @Test func `what a central has written before its bond counts`() {
    let channel = connect()
    write("10 00 01 00", on: channel)
    #expect(host.kept == [])
    encrypt(channel)
    server.paired(Self.central, bond: Bond(with: Self.peer))
    #expect(host.kept.last?.map(\.configurations) == [["more": 1]])
    end()
    let next = connect()
    write("10 00 00 00", on: next)
    #expect(host.kept.last?.map(\.configurations) == [["more": 1]])
    encrypt(next)
    #expect(host.kept.last?.map(\.configurations) == [[:]])
    #expect(read("10 00", on: next) == "0B 00 00")
  }

  @Test(arguments: [true, false])
  func `a central without a bond begins with none`(isPaired: Bool) {
    let channel = connect()
    encrypt(channel)
    if isPaired { server.paired(Self.central, bond: nil) }
    write("10 00 01 00", on: channel)
    end()
    host.events = []
    #expect(read("10 00", on: connect(.encrypted)) == "0B 00 00")
    #expect(subscriptions == [])
    #expect(host.kept == [])
  }

  @Test func `its identity is known before it has paired, and only if it is another address`() {
    let identity = LinkAddress(DeviceAddress([0xC0, 0, 0, 0, 0, 3])!, .random)
    encrypt(connect())
    host.events = []
    server.paired(Self.central, bond: Bond(with: identity))
    #expect(
      host.events == [.identified(Self.central, identity), .paired(Self.central), .bonded(Self.central)])
    host.events = []
    server.paired(Self.central, bond: Bond(with: identity))
    #expect(host.events == [.paired(Self.central), .bonded(Self.central)])
  }

  @Test func `two centrals with the same six bytes are two`() {
    let (first, second) = (connect(), TestChannel())
    let twin = Self.central.distinct(from: [Self.central])
    #expect(twin != Self.central && twin.hasBytes(of: Self.central) && "\(twin)" == "\(Self.central)")
    server.connected(LinkAddress(Self.central, .random), as: twin, on: second)
    write("0D 00 01 00", on: first)
    #expect(read("0D 00", on: second) == "0B 00 00")
    #expect(read("0D 00", on: first) == "0B 01 00")
    #expect(server.send([0x41], from: 0, to: .central(twin)) == .notified)
    #expect(second.sent == [bytes("1B 0C 00 41")] && first.sent == [])
    server.ended(server[twin]!)
    #expect(host.events.last == .disconnected(twin, nil) && server.links.map(\.central) == [Self.central])
  }

  @Test func `another central does not have them`() {
    bond()
    let other = LinkAddress(DeviceAddress([0, 0, 0, 0, 0, 3])!)
    #expect(read("10 00", on: connect(.encrypted, as: other)) == "0B 00 00")
  }

  @Test func `a central is known by the address of its bond`() {
    let identity = LinkAddress(DeviceAddress([0xC0, 0, 0, 0, 0, 3])!, .random)
    let channel = connect()
    encrypt(channel)
    server.paired(Self.central, bond: Bond(with: identity))
    write("10 00 01 00", on: channel)
    end()
    host.events = []
    #expect(read("10 00", on: connect(.encrypted, as: identity)) == "0B 01 00")
    #expect(subscriptions == [.subscribed(identity.address, characteristic: 1)])
  }

  @Test func `a new key keeps them`() {
    bond()
    let channel = connect()
    server.paired(Self.central, bond: Bond(with: Self.peer, identityResolvingKey: [1]))
    encrypt(channel)
    #expect(subscriptions.count == 2)
    let table = server.bonds[0].table
    #expect(table != nil)
    server.change(Bond(with: Self.peer, identityResolvingKey: [2]))
    var bond = Bond(with: Self.peer, identityResolvingKey: [2], configurations: ["FFE1": 2, "more": 1])
    bond.table = table
    #expect(host.kept.last == [bond])
  }

  @Test func `a weaker key replaces no bond, nor does any while the central is here`() {
    func key(_ kind: UInt8) -> [LongTermKey] {
      [LongTermKey(kind: kind, isOfCentral: false, size: 16, ediv: 0, rand: [], value: [kind])]
    }
    let other = LinkAddress(DeviceAddress([0, 0, 0, 0, 0, 3])!)
    let channel = connect()
    encrypt(channel)
    server.paired(Self.central, bond: Bond(with: Self.peer, longTermKeys: key(1)))
    _ = connect(as: other)
    #expect(server.strengths(besides: Self.central) == [Self.peer: key(1)[0].strength])
    #expect(server.strengths(besides: other.address) == [Self.peer: .unrivalled])
    server.paired(other.address, bond: Bond(with: Self.peer, longTermKeys: key(3)))
    end()
    _ = connect(as: other)
    server.paired(other.address, bond: Bond(with: Self.peer, longTermKeys: key(2)))
    #expect(server.bonds.map(\.longTermKeys) == [key(1)])
    #expect(host.warnings.count == 2)
    #expect(
      host.warnings.last
        == "the device refused to bond with 00:00:00:00:00:03, because its bond with 00:00:00:00:00:02 has a stronger key "
        + "or is in use; to replace it, let the device forget it first ('forget', or 'blemu forget NAME 00:00:00:00:00:02')"
    )
    server.paired(other.address, bond: Bond(with: Self.peer, longTermKeys: key(3)))
    #expect(server.bonds.map(\.longTermKeys) == [key(3)])
  }

  @Test(arguments: ["refuse", "oldest"])
  func `a device has room for some bonds`(whenFull: String) throws {
    try start(
      [], Self.text.replacing("settings:", with: "security: { bonds: 2, when-full: \(whenFull) }\nsettings:"))
    let peers = (3...5).map { LinkAddress(DeviceAddress([0, 0, 0, 0, 0, $0])!) }
    func bond(_ number: Int) {
      _ = connect(.encrypted, as: peers[number])
      server.paired(peers[number].address, bond: Bond(with: peers[number]))
      end()
    }
    for number in [0, 1, 0] { bond(number) }  // the first one anew, so that it is the last
    #expect(!server.isFull(for: peers[0]) && server.isFull(for: peers[2]) == (whenFull == "refuse"))
    bond(2)
    #expect(
      server.bonds.map(\.peer) == (whenFull == "refuse" ? [peers[1], peers[0]] : [peers[0], peers[2]]))
    #expect(host.kept.last == server.bonds)
    #expect(
      host.warnings == [
        whenFull == "refuse"
          ? "the device refused to pair with 00:00:00:00:00:05, because its security says 'bonds: 2'"
          : "forgot the oldest bond, with 00:00:00:00:00:04: the device keeps 2 ('bonds: 2', 'when-full: oldest')"
      ])
  }

  @Test func `other attributes restore what they have, and the rest waits`() throws {
    bond()
    try start(server.bonds, more: false)
    let channel = connect(.encrypted)
    #expect(subscriptions == [.subscribed(Self.central, characteristic: 0, .indication)])
    write("0D 00 01 00", on: channel)
    #expect(host.kept.last?.map(\.configurations) == [["FFE1": 1, "more": 1]])
    end()
    try start(server.bonds)
    _ = connect(.encrypted)
    #expect(
      subscriptions == [
        .subscribed(Self.central, characteristic: 0), .subscribed(Self.central, characteristic: 1),
      ])
  }

  @Test func `Service Changed goes to a central that knows other attributes, until it confirms`() throws {
    let first = connect(.encrypted)
    server.paired(Self.central, bond: Bond(with: Self.peer))
    write("09 00 02 00", on: first)
    end()
    let known = server.bonds[0].table
    #expect(connect(.encrypted).sent == [])
    end()

    try start(server.bonds, more: false)
    for _ in 0..<2 {  // it leaves without confirming
      let channel = connect()
      #expect(channel.sent == [])
      encrypt(channel)
      #expect(channel.sent == [bytes("1D 08 00 01 00 FF FF")])
      let change = Event.serviceChanged(Self.central, characteristic: nil, value: [1, 0, 0xFF, 0xFF])
      #expect(host.events.contains(change))
      #expect(server.bonds[0].table == Bond.outdatedTable)
      end()
    }
    let channel = connect(.encrypted)
    channel.onReceive?(bytes("1E"))
    #expect(host.kept.last?[0].table != known)
    #expect(server.bonds[0].table != known)
    end()
    #expect(connect(.encrypted).sent == [])
  }

  @Test func `attributes that change on the link are those that it knows once it has confirmed that`() throws
  {
    let channel = connect(.encrypted)
    server.paired(Self.central, bond: Bond(with: Self.peer))
    write("09 00 02 00", on: channel)
    write("10 00 01 00", on: channel)
    let known = server.bonds[0].table
    var table = try #require(server.device?.table)
    table.services[0].characteristics.removeLast()
    server.serve(table)
    server.updateLinks()
    #expect(channel.sent == [bytes("1D 08 00 0A 00 10 00")])
    #expect(host.events.suffix(2).first == .unsubscribed(Self.central, characteristic: 1))
    #expect(host.kept.last?[0].table == Bond.outdatedTable)
    #expect(host.kept.last?[0].configurations == ["2A05": 2])
    channel.onReceive?(bytes("1E"))
    #expect(host.kept.last?[0].table == server.database.fingerprint)
    #expect(server.database.fingerprint != known)
    server.updateLinks()
    #expect(channel.sent.count == 1)
    end()
    #expect(connect(.encrypted).sent == [])
  }

  @Test func `a central that has not asked for Service Changed gets none`() throws {
    bond()
    let known = server.bonds[0].table
    try start(server.bonds, more: false)
    #expect(connect(.encrypted).sent == [])
    #expect(server.bonds[0].table != known)
  }

  @Test func `a Service Changed of the definition is used`() throws {
    let text =
      Self.text + """

          - uuid: 1801
            characteristics: [{ uuid: 2A05, properties: [indicate] }]
        """
    try start([Bond(with: Self.peer, configurations: ["2A05": 2])], text)
    #expect(connect(.encrypted).sent == [])  // it knows none yet
    end()
    try start(server.bonds, more: false, text)
    let channel = connect(.encrypted)
    #expect(channel.sent.map { $0.first } == [0x1D])
    #expect(channel.sent.map { $0.suffix(4) } == [[1, 0, 0xFF, 0xFF]])
    let change = Event.serviceChanged(Self.central, characteristic: 2, value: [1, 0, 0xFF, 0xFF])
    #expect(host.events.contains(change))
    channel.onReceive?(bytes("1E"))
    #expect(!host.events.contains { if case .confirmed = $0 { true } else { false } })
    #expect(server.bonds[0].table != nil)
  }

  /// Handles: Service Changed 8, Client Supported Features 000B, Database Hash 000D; FFE1 0010 and
  /// its CCCD 0011, FFE2 0013 and its CCCD 0014.
  private static let caching = text.replacing(
    "services:\n",
    with: """
      services:
        - uuid: 1801
          handle: 6
          characteristics:
            - { uuid: 2A05, properties: [indicate] }
            - { uuid: 2B29, properties: [read, write] }
            - { uuid: 2B2A, properties: [read] }

      """)

  /// Bonds, sets Robust Caching, subscribes to FFE1, and comes back to other attributes.
  private func returnToOtherAttributes() throws -> TestChannel {
    try start([], more: true, Self.caching)
    let first = connect(.encrypted)
    server.paired(Self.central, bond: Bond(with: Self.peer))
    write("0B 00 01", on: first)
    write("11 00 01 00", on: first)
    end()
    try start(server.bonds, more: false, Self.caching)
    return connect(.encrypted)
  }

  @Test func `the features of a central are kept`() throws {
    try start([], more: true, Self.caching)
    let first = connect(.encrypted)
    server.paired(Self.central, bond: Bond(with: Self.peer))
    write("0B 00 05", on: first)
    #expect(host.kept.last?.map(\.features) == [[.robustCaching, .multipleNotifications]])
    end()
    server.change(Bond(with: Self.peer, identityResolvingKey: [2]))
    let next = connect()
    #expect(read("0B 00", on: next) == "0B 00")
    write("0B 00 02", on: next)
    encrypt(next)
    #expect(read("0B 00", on: next) == "0B 07")
    #expect(host.kept.last?.map(\.features.rawValue) == [7])
    end()
    try start(server.bonds)  // attributes without them
    write("0D 00 01 00", on: connect(.encrypted))
    #expect(host.kept.last?.map(\.features.rawValue) == [7])
  }

  @Test func `a central that is out of sync hears of it once, and its next request is kept`() throws {
    let channel = try returnToOtherAttributes()
    #expect(host.kept.last?[0].table == Bond.outdatedTable)
    #expect(read("11 00", on: channel) == "01 0A 11 00 12")
    #expect(server.bonds[0].table == Bond.outdatedTable)
    #expect(read("11 00", on: channel) == "0B 01 00")
    #expect(host.kept.last?[0].table == server.database.fingerprint)
  }

  @Test func `a central that is out of sync gets no values and writes none`() throws {
    let channel = try returnToOtherAttributes()
    #expect(subscriptions == [.subscribed(Self.central, characteristic: 3)])
    #expect(server.send([0x41], from: 3, to: .subscribers) == .outOfSync)
    #expect(server.send([0x41], from: 3, to: .central(Self.central)) == .outOfSync)
    #expect(server.send([0x41], from: 2, to: .subscribers) == .nobodySubscribed)
    #expect(server.maximumValue(of: 3, to: .subscribers) == nil)
    #expect(channel.sent == [])
    _ = read("11 00", on: channel)
    _ = read("11 00", on: channel)
    #expect(server.send([0x41], from: 3, to: .subscribers) == .notified)
    #expect(channel.sent == [bytes("1B 10 00 41")])
  }

  @Test func `what a characteristic no longer can is not restored`() throws {
    try start([Bond(with: Self.peer, configurations: ["FFE1": 4, "more": 2])])
    #expect(read("0D 00", on: connect(.encrypted)) == "0B 00 00")
    #expect(subscriptions == [])
  }

  @Test(arguments: [true, false])
  func `a bond that is forgotten is gone, and the link goes on as it is`(isNamed: Bool) {
    bond()
    let channel = connect(.encrypted)
    #expect(read("0D 00", on: channel) == "0B 02 00")
    #expect(server.forget(isNamed ? Self.central : nil).map { $0.central } == [Self.central])
    #expect(server.bonds.isEmpty && host.kept.last == [])
    write("0D 00 02 00", on: channel)
    #expect(server.bonds.isEmpty)
    end()
    #expect(read("0D 00", on: connect(.encrypted)) == "0B 00 00")
  }

  @Test func `another bond than that which is forgotten stays`() {
    bond()
    #expect(server.forget(DeviceAddress([0, 0, 0, 0, 0, 3])!).isEmpty)
    #expect(server.bonds.map(\.peer) == [Self.peer])
  }
}
