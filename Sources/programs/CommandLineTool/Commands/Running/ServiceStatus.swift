import Behavior
import Bluetooth
import Devices

/// What the devices of a service do, for its manager.
struct ServiceStatus: Hashable, Sendable {
  fileprivate enum State: Hashable {
    case starting
    case onAir(name: String, adapter: String)
    /// It goes on the air again by itself.
    case offAir(reason: String)
    /// It has failed for good.
    case ended(reason: String)
  }

  fileprivate struct Device: Hashable {
    let name: String
    var state = State.starting
    var centrals: Set<DeviceAddress> = []
  }

  private var devices: [Device]

  init(_ names: [String]) { devices = names.map { Device(name: $0) } }

  mutating func take(_ event: TrafficEvent.Kind, of device: Int) {
    switch event {
    case .onAir(let facts): devices[device].state = .onAir(name: facts.name, adapter: facts.adapter.name)
    case .offAir(.failed(let reason), _): leave(device, .offAir(reason: reason))
    case .connected(let central, _): devices[device].centrals.insert(central)
    case .disconnected(let central, _): devices[device].centrals.remove(central)
    default: break
    }
  }

  mutating func take(_ report: DeviceReport, of device: Int) {
    switch report {
    case .restarts(let failure): leave(device, .offAir(reason: failure.sentences.message))
    case .failed(let failure): leave(device, .ended(reason: failure.sentences.message))
    case .hasNoControl, .forgotBonds: break
    }
  }

  private mutating func leave(_ device: Int, _ state: State) {
    devices[device].state = state
    devices[device].centrals = []
  }

  /// Whether all devices are on the air, apart from those that have failed for good, but not all have.
  var isReady: Bool {
    devices.allSatisfy(\.isSettled) && devices.contains(where: \.isOnAir)
  }
}

extension ServiceStatus.Device {
  fileprivate var isOnAir: Bool { if case .onAir = state { true } else { false } }

  fileprivate var isSettled: Bool { if case .ended = state { true } else { isOnAir } }
}

// MARK: Words

extension ServiceStatus {
  /// On one line: `on the air as HMSoft on hci0; 1 central is connected`.
  var text: String {
    let centrals = devices.reduce(0) { $0 + $1.centrals.count }
    let parts =
      devices.count == 1
      ? [devices[0].words] : [countOnAir] + devices.filter { !$0.isOnAir }.map(\.namedWords)
    return (parts + Self.words(ofCentrals: centrals)).joined(separator: "; ")
  }

  private var countOnAir: String {
    "\(devices.count(where: \.isOnAir)) of \(devices.count) devices are on the air"
  }

  private static func words(ofCentrals count: Int) -> [String] {
    switch count {
    case 0: []
    case 1: ["1 central is connected"]
    default: ["\(count) centrals are connected"]
    }
  }
}

extension ServiceStatus.Device {
  fileprivate var namedWords: String { "\(name): \(words)" }

  fileprivate var words: String {
    switch state {
    case .starting: "starting"
    case .onAir(let name, let adapter): "on the air as \(name) on \(adapter)"
    case .offAir(let reason): "off the air: \(reason)"
    case .ended(let reason): "failed: \(reason)"
    }
  }
}
