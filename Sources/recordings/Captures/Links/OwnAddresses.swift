import Bluetooth
import Framing
import HCIPackets

/// A packet that a host advertises, and with which address; nil: it is not in the recording.
typealias OwnAdvertisement = (address: LinkAddress?, packet: CapturedAdvertisement)

/// The addresses of a host, and what it advertises, as its commands to the controller say (Core Specification, Vol 4 Part E 7.8).
struct OwnAddresses: Sendable {
  /// nil: not in the recording.
  var publicAddress: DeviceAddress?
  private var randomAddress: DeviceAddress?
  /// The address with which it connects to others, and that with which it advertised last; nil: not in the recording.
  private(set) var initiator: LinkAddress?
  private(set) var advertiser: LinkAddress?
  /// nil: legacy advertising, of which a controller has one.
  private var sets: [UInt8?: LocalSet] = [:]

  /// Status, address (7.4.6).
  mutating func readAddress(_ returnParameters: [UInt8]) {
    var fields = ByteReader(returnParameters)
    if fields.byte() == 0, let address = fields.address() { publicAddress = address }
  }

  /// Whether a central may connect, as the host has told the controller.
  var isConnectable: Bool { sets.values.contains { $0.isEnabled && $0.isConnectable } }

  /// What is left after a reset.
  var afterReset: Self {
    var left = Self()
    left.publicAddress = publicAddress
    return left
  }

  private func address(of set: LocalSet) -> LinkAddress? {
    if set.isRandom, let address = set.address { return LinkAddress(address, .random) }
    return address(isRandom: set.isRandom)
  }

  private func address(isRandom: Bool) -> LinkAddress? {
    isRandom ? randomAddress.map { LinkAddress($0, .random) } : publicAddress.map { LinkAddress($0) }
  }
}

// MARK: - Commands

extension OwnAddresses {
  /// Takes a command that the controller has carried out. Returns the packets that it advertises from then on and did not before.
  mutating func take(_ command: HCICommand, at time: Instant) -> [OwnAdvertisement] {
    var fields = ByteReader(command.parameters)
    switch command.opcode {
    case .setRandomAddress: randomAddress = fields.address()
    // intervals, filter, peer, kind of its own address (7.8.12)
    case .createConnection:
      if fields.skip(12) { setInitiator(fields.byte()) }
    // filter, kind of its own address (7.8.66)
    case .createConnectionExtended:
      if fields.skip(1) { setInitiator(fields.byte()) }
    case .setAdvertisingParameters: sets[nil, default: LocalSet()].takeLegacyParameters(&fields)
    case .setAdvertisingData: return changeData(of: nil, \.data, at: time) { $0.setLegacy(&fields) }
    case .setScanResponseData: return changeData(of: nil, \.scanResponse, at: time) { $0.setLegacy(&fields) }
    case .setAdvertisingEnable: return enable(nil, fields.byte() == 1, at: time)
    case .setExtendedAdvertisingEnable:
      let isEnabled = fields.byte() == 1
      return enable(setsToEnable(&fields, isEnabled), isEnabled, at: time)
    case .clearAdvertisingSets: sets = sets.filter { $0.key == nil }
    default:
      guard let handle = fields.byte() else { return [] }
      return take(command.opcode, &fields, set: handle, at: time)
    }
    return []
  }

  private mutating func take(
    _ opcode: HCIOpcode, _ fields: inout ByteReader, set handle: UInt8, at time: Instant
  ) -> [OwnAdvertisement] {
    switch opcode {
    case .setAdvertisingSetRandomAddress: sets[handle, default: LocalSet()].address = fields.address()
    case .setExtendedAdvertisingParameters: sets[handle, default: LocalSet()].takeParameters(&fields)
    case .setExtendedAdvertisingData:
      return changeData(of: handle, \.data, at: time) { $0.takeFragment(&fields) }
    case .setExtendedScanResponseData:
      return changeData(of: handle, \.scanResponse, at: time) { $0.takeFragment(&fields) }
    case .removeAdvertisingSet: sets[handle] = nil
    default: break
    }
    return []
  }

  private mutating func setInitiator(_ kind: UInt8?) {
    initiator = kind.flatMap { address(isRandom: $0 & 1 == 1) }
  }

  private mutating func changeData(
    of handle: UInt8?, _ part: WritableKeyPath<LocalSet, LocalSet.Packet>, at time: Instant,
    _ change: (inout LocalSet.Packet) -> Void
  ) -> [OwnAdvertisement] {
    let earlier = sets[handle]?[keyPath: part].bytes
    change(&sets[handle, default: LocalSet()][keyPath: part])
    guard let set = sets[handle], set.isEnabled, set[keyPath: part].bytes != earlier else { return [] }
    return packets(of: set, at: time)
  }

  private func packets(of set: LocalSet, at time: Instant) -> [OwnAdvertisement] {
    set.packets(at: time).map { (address(of: set), $0) }
  }
}

// MARK: - Enabling

extension OwnAddresses {
  /// How many sets; for each its handle, a time and a number of events. To disable none is to disable all (7.8.56).
  private func setsToEnable(_ fields: inout ByteReader, _ isEnabled: Bool) -> [UInt8?] {
    guard let count = fields.byte() else { return [] }
    if count == 0, !isEnabled { return sets.keys.filter { $0 != nil } }
    var handles: [UInt8?] = []
    while handles.count < Int(count), let handle = fields.byte(), fields.skip(3) { handles.append(handle) }
    return handles
  }

  private mutating func enable(_ handles: [UInt8?], _ isEnabled: Bool, at time: Instant)
    -> [OwnAdvertisement]
  {
    handles.flatMap { enable($0, isEnabled, at: time) }
  }

  private mutating func enable(_ handle: UInt8?, _ isEnabled: Bool, at time: Instant)
    -> [OwnAdvertisement]
  {
    sets[handle, default: LocalSet()].isEnabled = isEnabled
    guard isEnabled, let set = sets[handle] else { return [] }
    advertiser = address(of: set)
    return packets(of: set, at: time)
  }
}
