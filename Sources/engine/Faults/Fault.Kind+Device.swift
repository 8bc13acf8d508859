import Behavior
import Bluetooth
import DeviceModel
import EventLoop

// What a fault does to the device as a whole: at a moment, or while it lasts.
extension Fault.Kind {
  /// Begins to last, or strikes at a moment.
  ///
  /// - Parameter central: the central whose connection has lasted so long; nil: all.
  @EventLoop func begin(on stage: FaultStage, for central: Central?) {
    switch self {
    case .disconnect: stage.disconnect(central, .remoteUserTerminated)
    case .loseLink: stage.loseLink(of: central)
    case .reboot: stage.restart()
    default: break
    }
  }

  /// How long it lasts unless a duration is given; nil: until it is removed.
  var usualDuration: Duration? { self == .reboot ? .seconds(1) : nil }

  /// The advertisement while the fault lasts; nil: none.
  func change(_ advertisement: Advertisement, _ random: inout FaultRandom) -> Advertisement? {
    var changed = advertisement
    switch self {
    case .stopAdvertising, .vanish, .leaveRange, .reboot: return nil
    case .advertise(let name): changed.localName = name
    case .garbleAdvertisement: Self.garble(&changed, &random)
    case .refuseConnections:
      // A device that is not connectable is not discoverable (Core Specification, Vol 3 Part C 9.1.1). BlueZ insists on that.
      (changed.isConnectable, changed.isDiscoverable) = (false, false)
      changed.target = nil
    default: break
    }
    return changed
  }

  /// Changes where the device is while the fault lasts.
  func move(_ path: inout RadioPath) {
    switch self {
    case .fade(let rssi): path.rssi = rssi
    case .losePackets(let percent): path.loss = max(path.loss, percent)
    case .leaveRange: path.isInRange = false
    default: break
    }
  }

  /// Whether each new connection ends at once while the fault lasts.
  var refusesConnections: Bool {
    switch self {
    case .refuseConnections, .vanish, .leaveRange, .reboot: true
    default: false
    }
  }

  /// Whether the fault blocks everything while it lasts: the device does not advertise, send, receive or answer.
  var isSilent: Bool { self == .vanish }

  /// How long the connections last, once it has begun; nil: the fault does not end them.
  ///
  /// No transport can be silent on the link layer, where the radios keep acknowledging each other. So when a supervision timeout
  /// would have ended the links of a silent device, the device ends them.
  var linkLifetime: Duration? { isSilent ? .seconds(2) : nil }
}

// MARK: Wrong bits

extension Fault.Kind {
  /// Flips a bit in each part of the advertisement that has bytes: manufacturer data, service data and raw structures. If
  /// there are none, one letter of the local name changes.
  private static func garble(_ advertisement: inout Advertisement, _ random: inout FaultRandom) {
    let original = advertisement
    for index in original.manufacturerData.indices {
      flip(&advertisement.manufacturerData[index].bytes, &random)
    }
    for index in original.serviceData.indices { flip(&advertisement.serviceData[index].bytes, &random) }
    for index in original.rawStructures.indices { flip(&advertisement.rawStructures[index].value, &random) }
    if advertisement == original, let name = original.localName {
      advertisement.localName = garbled(name, &random)
    }
  }

  private static func flip(_ bytes: inout [UInt8], _ random: inout FaultRandom) {
    guard !bytes.isEmpty else { return }
    bytes[random.below(bytes.count)] ^= 1 << random.below(8)
  }

  /// The text with one letter replaced by another, so that it stays UTF-8 of the same size.
  private static func garbled(_ name: String, _ random: inout FaultRandom) -> String {
    var bytes = Array(name.utf8)
    let letters = bytes.indices.filter { bytes[$0] < 0x80 }
    guard !letters.isEmpty else { return name }
    bytes[letters[random.below(letters.count)]] ^= 1
    return String(decoding: bytes, as: UTF8.self)
  }
}
