import Bluetooth
import ControllerModel
import Framing
import HCIPackets
import SecurityManager
import TestSupport

@testable import Host

/// Hosts, each with a controller on one air, in virtual time.
struct HostRoom {
  private(set) var air: Air
  var hosts: [Host] = []
  private(set) var controllers: [Air.ControllerID] = []
  /// The events of each host that have not been taken.
  private var events: [[HostEvent]] = []
  /// Called with each event as it happens, as a caller of a host may act on it at once.
  var onEvent: ((Int, HostEvent, inout Host) -> Void)?
  /// What happens to the packets of controllers on their way; nil: nothing.
  var faults: RandomFaults?

  init(seed: UInt64 = 1) { air = Air(seed: seed) }

  /// 00:00:00:00:00:01 and so on.
  static func address(_ number: Int) -> DeviceAddress { DeviceAddress([0, 0, 0, 0, 0, UInt8(number + 1)])! }

  /// - Returns: the index of the host.
  @discardableResult
  mutating func add(_ traits: ControllerTraits? = nil) -> Int {
    controllers.append(air.add(traits ?? ControllerTraits(Self.address(hosts.count))))
    hosts.append(Host())
    events.append([])
    settle()
    return hosts.count - 1
  }

  var now: Instant { air.now }

  /// Changes a host, and lets all that follows at once happen.
  mutating func change(_ index: Int, _ body: (inout Host) -> Void) {
    body(&hosts[index])
    settle()
  }

  mutating func changeAir(_ body: (inout Air) -> Void) {
    body(&air)
    settle()
  }

  func controller(_ index: Int) -> Air.ControllerID { controllers[index] }

  /// What hosts have done that no host may do.
  var mistakes: [HostMistake] { controllers.flatMap { air.mistakes(by: $0) } }

  mutating func takeEvents(of index: Int) -> [HostEvent] {
    defer { events[index] = [] }
    return events[index]
  }

  /// Lets time pass.
  mutating func run(for duration: Duration) {
    let end = now.advanced(by: duration)
    while let next = nextInstant, next <= end {
      air.advance(to: max(next, now))
      settle()
    }
    air.advance(to: end)
    settle()
  }

  private var nextInstant: Instant? {
    ([air.nextInstant, faults?.deadline] + hosts.map(\.deadline)).compactMap(\.self).min()
  }

  private mutating func settle() {
    var isQuiet = false
    while !isQuiet {
      isQuiet = true
      for index in hosts.indices where exchange(index) { isQuiet = false }
    }
  }

  /// - Returns: whether a packet went either way, or something happened.
  private mutating func exchange(_ index: Int) -> Bool {
    hosts[index].advance(to: now)
    var isBusy = tell(index)
    for packet in hosts[index].packets.all {
      air.send(packet, to: controllers[index])
      isBusy = true
    }
    hosts[index].sentPackets()
    var arriving = air.take(from: controllers[index])
    let now = now
    faults?.pass(&arriving, to: index, at: now)
    for packet in arriving {
      hosts[index].receive(packet[...], at: now)
      isBusy = true
      _ = tell(index)
    }
    return isBusy
  }

  private mutating func tell(_ index: Int) -> Bool {
    let new = hosts[index].takeEvents()
    for event in new { onEvent?(index, event, &hosts[index]) }
    events[index] += new
    return !new.isEmpty
  }
}

extension PacketBatch {
  /// The packets, each with its type: a command has a length of one byte after its opcode, data one of two after its handle.
  var all: [[UInt8]] {
    var (packets, rest): ([[UInt8]], ArraySlice<UInt8>) = ([], bytes[...])
    while rest.count >= 5 || rest.first == 0x01 && rest.count >= 4 {
      let start = rest.startIndex
      let count =
        rest[start] == 0x01 ? 4 + Int(rest[start + 3]) : 5 + Int(UInt16(rest[start + 3], rest[start + 4]))
      packets.append(Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    return packets
  }
}

// MARK: Two hosts

struct NoLink: Error {}

extension HostRoom {
  static let peripheral = 0
  static let central = 1
  static let parameters = PreferredConnectionParameters(interval: 24...24, latency: 0, supervisionTimeout: 72)

  /// A peripheral that advertises, and a central.
  static func pair(_ peripheral: ControllerTraits? = nil, _ central: ControllerTraits? = nil) -> HostRoom {
    var room = HostRoom()
    room.add(peripheral)
    room.add(central)
    room.advertise()
    return room
  }

  mutating func advertise(_ handle: UInt8 = 0, address: DeviceAddress? = nil) {
    let interval = AdvertisingInterval(units: 160)
    var parameters = AdvertisingSetParameters(
      properties: [.legacy, .connectable, .scannable], interval: interval...interval)
    parameters.identifier = handle & 0x0F
    let set = AdvertisingSet(
      handle: handle, parameters: parameters, address: address, data: [2, 1, 6], scanResponse: [])
    change(Self.peripheral) { host in
      host.changeRadio {
        $0.advertising.wanted = $0.advertising.wanted.filter { $0.handle != handle } + [set]
      }
    }
  }

  /// The central connects to an address of the peripheral. Returns the handles of both.
  @discardableResult
  mutating func connect(
    to address: LinkAddress = LinkAddress(address(0))
  ) throws -> (peripheral: LinkHandle, central: LinkHandle) {
    let request = ConnectionRequest(.device(address), parameters: Self.parameters)
    change(Self.central) { host in host.changeRadio { $0.initiating.wanted = request } }
    run(for: .milliseconds(500))
    guard let peripheral = hosts[Self.peripheral].allLinks.last,
      let central = hosts[Self.central].allLinks.last
    else { throw NoLink() }
    return (peripheral.handle, central.handle)
  }
}
