import Bluetooth
import HCIPackets

@testable import Host

// Wishes at random.
extension RadioWalk {
  mutating func sets() -> [AdvertisingSet] {
    var sets: [AdvertisingSet] = []
    for handle in 0..<UInt8(5) where number(2) == 0 { sets.append(set(handle)) }
    return sets
  }

  private mutating func set(_ handle: UInt8) -> AdvertisingSet {
    let kinds: [AdvertisingSetParameters.Properties] = [
      [.legacy, .connectable, .scannable], .legacy, [.legacy, .scannable],
      [.legacy, .connectable, .directed, .highDutyCycle], [], .scannable, .connectable,
    ]
    let kind = kinds[number(isExtendedWalk ? kinds.count : 4)]
    var set = AdvertisingSet.sample(handle, kind)
    set.address = address()
    set.parameters.target = kind.contains(.directed) ? device() : nil
    set.parameters.isFiltered = kind.contains(.connectable) && !kind.contains(.directed) && number(2) == 0
    set.parameters.channels = number(2) == 0 ? .all : .channel(37)
    if number(2) == 0 { set.parameters.afterHighDutyCycle = .highDutyCycle }
    let room = set.room(radio.abilities)
    set.data = bytes(atMost: room.advertisingData)
    set.scanResponse = bytes(atMost: room.scanResponse)
    if kind == .scannable, set.scanResponse.isEmpty { set.scanResponse = [2, 10, 0] }
    return set
  }

  private var isExtendedWalk: Bool { radio.abilities.hasExtendedAdvertising }

  private mutating func bytes(atMost room: Int) -> [UInt8] {
    let counts = [0, 3, min(room, 31), min(room, 600)].filter { $0 <= room }
    return [UInt8](repeating: UInt8(number(3)), count: counts[number(counts.count)])
  }

  private mutating func address() -> DeviceAddress? {
    let number = number(4)
    return number == 0 ? nil : .random(UInt8(number))
  }

  mutating func device() -> LinkAddress { LinkAddress(.random(UInt8(9 + number(6))), .random) }

  mutating func peers() -> [AcceptedPeer] {
    (0..<number(4)).map {
      AcceptedPeer(LinkAddress(.random(UInt8($0))), key: [UInt8](repeating: UInt8(number(2)), count: 16))
    }
  }

  mutating func scan() -> Scan? {
    guard number(3) > 0 else { return nil }
    var scan = Scan(isActive: number(2) == 0)
    scan.isAcceptListOnly = number(2) == 0
    scan.filtersDuplicates = number(2) == 0
    scan.address = address()
    if isExtendedWalk, number(2) == 0 { scan.phys = [.le1M, .leCoded] }
    return scan
  }

  mutating func request() -> ConnectionRequest? {
    guard number(3) > 0 else { return nil }
    var request = ConnectionRequest.sample(number(2) == 0 ? .acceptList : .device(device()))
    request.address = address()
    request.parameters.latency = UInt16(number(2))
    return request
  }
}
