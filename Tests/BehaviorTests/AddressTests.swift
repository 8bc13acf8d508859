import Bluetooth
import DeviceModel
import Framing
import TestSupport
import Testing

@testable import Behavior

/// The addresses with which a device advertises.
@Suite struct AddressTests {
  /// A device, and its advertisements.
  private struct Run {
    var engine: Engine
    private var now = Instant()
    private var timers: [TimerIdentifier: Instant] = [:]
    private(set) var advertised: [Advertisement] = []

    init(_ advertisement: String, rest: String = "", seed: UInt64 = 1, basis: AddressBasis? = AddressBasis())
      throws
    {
      let definition = try device(
        """
        advertisement: \(advertisement)
        services: [{ uuid: FFE0, characteristics: [{ id: in, uuid: FFE1, properties: [write] }] }]
        \(rest)
        """)
      engine = try Engine(
        definition, settings: definition.settings.map(\.initial),
        address: DeviceAddress("50:8C:B1:6A:7C:AB")!,
        basis: basis, options: EngineOptions(seed: seed))
      advertised = [try #require(engine.currentAdvertisement)]
      handle(.started)
    }

    mutating func handle(_ event: Event) {
      for action in engine.handle(event, at: now).actions {
        if case .advertise(let advertisement?) = action { advertised.append(advertisement) }
        if case .startTimer(let timer, let due) = action { timers[timer] = due }
      }
    }

    /// - Parameters:
    ///   - late: how long after its time a timer fires.
    ///   - held: does not fire.
    mutating func pass(
      _ duration: Duration, late: Duration = .zero, holding held: TimerIdentifier? = nil
    ) {
      let end = now.advanced(by: duration)
      while let (timer, due) = timers.filter({ $0.key != held }).min(by: { $0.value < $1.value }), due <= end
      {
        timers[timer] = nil
        now = max(now, due).advanced(by: late)
        handle(.timerFired(timer))
      }
      now = end
    }

    /// Of the main sets that were advertised, in order.
    var addresses: [SetAddress?] { advertised.map(\.address) }

    var texts: [String] { addresses.map { $0?.address.description ?? "the adapter's" } }
  }

  private static func isResolved(_ address: SetAddress?) throws -> Bool {
    let (address, key) = (try #require(address).address, try #require(address?.identity?.resolvingKey))
    return DeviceAddresses.resolvable(by: key, Array(address.bytes[..<3])) == address
  }

  /// Core Specification, Vol 3 Part H, Appendix D.7: ah(ec0234a3…, 708194) = 0dfbaa
  @Test func `a resolvable address has the hash of its random part`() {
    let key: [UInt8] = hex("EC 02 34 A3 57 C8 AD 05 34 10 10 A6 0A 39 7D 9B").reversed()
    let address = DeviceAddresses.resolvable(by: key, [0x70, 0x81, 0x94])
    #expect(address.description == "70:81:94:0D:FB:AA")
  }

  @Test func `a resolvable address changes every 15 minutes, and its key resolves each`() throws {
    var run = try Run("{ address: resolvable }")
    run.pass(.seconds(44 * 60))
    #expect(Set(run.texts).count == 3 && run.texts.count == 3)
    #expect(try run.addresses.allSatisfy(Self.isResolved))
    #expect(Set(run.addresses.map { $0?.identity }).count == 1)
    #expect(run.engine.address == OwnAddress.derived.address(of: "Device", on: run.engine.adapter))
    #expect(run.addresses[0]?.identity?.address == run.engine.address)
  }

  @Test func `the key and the identity depend on the device and the adapter, the addresses on the seed`()
    throws
  {
    let address = "{ address: resolvable }"
    let (first, same, other) = (try Run(address), try Run(address), try Run(address, seed: 2))
    #expect(first.addresses == same.addresses)
    #expect(first.addresses[0]?.identity == other.addresses[0]?.identity)
    #expect(first.texts != other.texts)
  }

  @Test func `a definition chooses the key, the identity and the period`() throws {
    var run = try Run(
      """
      { address: { kind: resolvable, every: 10s, identity: public, key: "{key}" } }
      settings: { key: { type: bytes, max: 16, default: "EC 02 34 A3 57 C8 AD 05 34 10 10 A6 0A 39 7D 9B" } }
      """)
    run.pass(.seconds(29))
    #expect(Set(run.texts).count == 3)
    #expect(try run.addresses.allSatisfy(Self.isResolved))
    #expect(run.addresses[2]?.identity?.resolvingKey.last == 0xEC)
    #expect(run.addresses[2]?.identity?.address == nil)
    #expect(run.engine.address == run.engine.adapter)
  }

  @Test func `a non-resolvable address changes`() throws {
    var run = try Run("{ address: { kind: non-resolvable, every: 1s } }")
    run.pass(.seconds(3))
    #expect(Set(run.texts).count == 4)
    #expect(run.addresses.allSatisfy { $0?.address.randomKind == .nonResolvable && $0?.identity == nil })
  }

  @Test func `a set whose address changes is computed anew, and no other one`() throws {
    var run = try Run(
      """
      { address: { kind: resolvable, every: 10s }, local-name: "{uptime}", sets: {
          same: { local-name: "{uptime}" }, other: { address: random, local-name: "{uptime}" } } }
      """)
    run.pass(.seconds(10))
    #expect(run.advertised.map(\.localName) == ["0", "10000"])
    #expect(run.advertised.map { $0.furtherSets[0].localName } == ["0", "10000"])
    #expect(run.advertised.map { $0.furtherSets[1].localName } == ["0", "0"])
  }

  @Test(arguments: [Duration.zero, .microseconds(300)])
  func `the address and the data of a set change as one, also if timers are late`(late: Duration) throws {
    var run = try Run(
      #"{ address: { kind: non-resolvable, every: 2s }, local-name: "{uptime // 2000}", every: 2s }"#)
    run.pass(.seconds(9), late: late)
    #expect(run.advertised.map(\.localName) == ["0", "1", "2", "3", "4"])
    #expect(Set(run.texts).count == 5)
  }

  /// As while a central pairs.
  @Test func `data that change with an address wait for it`() throws {
    var run = try Run(
      #"{ address: { kind: non-resolvable, every: 2s }, local-name: "{uptime // 1000}", every: 1s }"#)
    run.pass(.milliseconds(3500), holding: .address(set: nil))
    #expect(run.advertised.map(\.localName) == ["0", "1"])
    run.pass(.milliseconds(100))
    #expect(run.advertised.map(\.localName) == ["0", "1", "3"])
    #expect(Set(run.texts).count == 2)
  }

  @Test func `a rule sets what the data use before they are advertised with the new address`() throws {
    var run = try Run(
      """
      { address: { kind: resolvable, every: 10s }, local-name: "{epoch}" }
      """,
      rest: """
        variables: { epoch: { type: integer, default: 0 } }
        rules: [{ on: address, do: [{ set: { epoch: epoch + 1 } }, { advertise: true }] }]
        """)
    run.pass(.seconds(25))
    #expect(run.advertised.map(\.localName) == ["0", "1", "2"])
    #expect(Set(run.texts).count == 3)
  }

  @Test func `the end of advertising stays where it is`() throws {
    var run = try Run("{ address: { kind: resolvable, every: 10s }, timeout: 15s }")
    run.pass(.seconds(60))
    #expect(run.advertised.map(\.timeout) == [.seconds(15), .seconds(5)])
  }

  @Test func `the address changes while a central is connected, and is advertised later`() throws {
    var run = try Run("{ address: resolvable }", rest: "link: { centrals: 1 }")
    run.handle(.connected(Conversation.centrals[0]))
    run.pass(.seconds(1000))
    #expect(run.texts.count == 1)
    run.handle(.disconnected(Conversation.centrals[0]))
    #expect(Set(run.texts).count == 2)
  }

  @Test func `a reset device has another private address, for the whole period`() throws {
    var run = try Run("{ address: { kind: resolvable, every: 10s } }")
    run.pass(.seconds(9))
    run.handle(.controlled(.reset))
    #expect(Set(run.texts).count == 2)
    run.pass(.seconds(9))
    #expect(run.texts.count == 2)
    run.pass(.seconds(1))
    #expect(Set(run.texts).count == 3)
  }

  @Test func `each set has its own address and period`() throws {
    var run = try Run(
      """
      { address: resolvable, sets: {
          same: { }, fixed: { address: random }, fast: { address: { kind: resolvable, every: 10s } } , plain: { address: public } } }
      """)
    run.pass(.seconds(25))
    #expect(Set(run.texts).count == 1)
    let sets = run.advertised.map { $0.furtherSets.map(\.address) }
    #expect(sets.allSatisfy { $0[0] == run.addresses[0] && $0[1] == sets[0][1] && $0[3] == nil })
    #expect(sets[0][1]?.address == OwnAddress.derived.address(of: "Device/fixed", on: run.engine.adapter))
    #expect(Set(sets.map { $0[2]?.address }).count == 3)
    // It is one device, which a bonded phone recognizes by all its sets.
    #expect(sets[2][2]?.identity == run.addresses[0]?.identity)
  }

  @Test func `the key and the identity of a definition are those of all its sets`() throws {
    let key = "EC 02 34 A3 57 C8 AD 05 34 10 10 A6 0A 39 7D 9B"
    let run = try Run(
      """
      { address: { kind: resolvable, identity: public, key: "\(key)" }, sets: {
          second: { address: resolvable }, own: { address: { kind: resolvable, key: "\(key.reversed().map(String.init).joined())" } } } }
      """)
    let sets = run.advertised[0].furtherSets.map(\.address)
    #expect(sets[0]?.identity == DeviceIdentity(address: nil, resolvingKey: hex(key).reversed()))
    #expect(sets[0] != run.addresses[0])
    #expect(try Self.isResolved(sets[0]))
    #expect(sets[1]?.identity?.resolvingKey != sets[0]?.identity?.resolvingKey)
  }

  @Test func `a bootloader advertises with the next address`() throws {
    var run = try Run(
      #"{ address: "{u48be(adapter, 0) + if(is-bootloader, 1, 0): u48be}", local-name: "{hex(address)}" }"#,
      rest: "settings: { is-bootloader: { type: boolean, default: false } }")
    run.handle(.controlled(.set([.init(.setting(0), .boolean(true))])))
    #expect(run.texts == ["D0:8C:B1:6A:7C:AB", "D0:8C:B1:6A:7C:AC"])
    #expect(run.advertised.map(\.localName) == ["D08CB16A7CAB", "D08CB16A7CAC"])
    #expect(run.engine.address.description == "D0:8C:B1:6A:7C:AC")
  }

  @Test(arguments: [#""C0:00:5E:00:53:01""#, #"{ kind: resolvable, identity: "C0:00:5E:00:53:01" }"#])
  func `a value has the address from the start`(address: String) throws {
    let device = try device(
      """
      advertisement: { address: \(address) }
      services: [{ uuid: FFE0, characteristics: [{ uuid: FFE1, properties: [read], value: "{address}" }] }]
      """)
    let engine = try Engine(device, settings: [], address: DeviceAddress("50:8C:B1:6A:7C:AB")!)
    #expect(engine.value(of: .characteristic(0)) == hex("C0 00 5E 00 53 01"))
  }

  @Test func `a transport without addresses of its own leaves the adapter's`() throws {
    var run = try Run(
      #"{ address: { kind: resolvable, every: 10s }, local-name: "{hex(address)}" }"#, basis: nil
    )
    run.pass(.seconds(60))
    #expect(run.texts == ["the adapter's"] && run.advertised[0].localName == "508CB16A7CAB")
  }

  @Test func `a second device at an adapter has other derived addresses`() throws {
    let second = AddressBasis(number: 2, hasAdapter: false)
    let addresses = try ["{}", "{ address: random }", "{ address: resolvable }"].map {
      try Run($0, basis: second).engine.address
    }
    #expect(Set(addresses) == [OwnAddress.derived.address(of: "Device 2", on: try Run("{}").engine.adapter)])
    #expect(try Run("{}", basis: second).addresses[0]?.address == addresses[0])
    #expect(try Run("{}").addresses == [nil])
  }

  @Test(arguments: ["resolvable", "{ kind: non-resolvable, every: 10s }", "random"])
  func `each advertiser of a crowd has its own address and values`(address: String) throws {
    let definition = try device(
      """
      advertisement:
        type: broadcast
        crowd: 400
        address: \(address)
        local-name: "Badge {advertiser}"
        manufacturer-data: { FFFF: { bytes: "01", if: advertiser % 2 == 0 } }
      services: [{ uuid: FFE0, characteristics: [{ uuid: FFE1, properties: [read] }] }]
      """)
    var engine = try Engine(definition, settings: [], address: DeviceAddress("50:8C:B1:6A:7C:AB")!)
    let crowd = try #require(engine.currentAdvertisement).allSets
    #expect(crowd.map(\.localName) == (1...400).map { "Badge \($0)" })
    #expect(Set(crowd.map(\.address)).count == 400 && !crowd.contains { $0.address == nil })
    #expect(crowd[0].manufacturerData.isEmpty && crowd[1].manufacturerData.count == 1)
    let keys = crowd.compactMap { $0.address?.identity }
    #expect(Set(keys).count == keys.count && keys.count == (address == "resolvable" ? 400 : 0))
    guard address.contains("every") else { return }
    _ = engine.handle(.started, at: Instant())
    _ = engine.handle(.timerFired(.address(set: nil)), at: .milliseconds(10_000))
    let later = try #require(engine.currentAdvertisement).allSets
    #expect(Set((crowd + later).map(\.address)).count == 800)
  }
}
