import Bluetooth
import HCIPackets

/// What a controller has of an advertising set.
struct PresentSet: Hashable, Sendable {
  enum Running: Hashable { case off, on, unknown }

  /// The handle of the set that it was for. A controller without extended advertising has one set for all.
  var owner: UInt8
  /// The last parameters that it has got.
  var parameters: HCICommand?
  var properties: AdvertisingSetParameters.Properties = []
  /// Whether only devices on the accept list may connect.
  var isFiltered = false
  /// Its random address; not used with legacy advertising.
  var address: DeviceAddress?
  var data = PresentData.whole([])
  var scanResponse = PresentData.whole([])
  private(set) var running = Running.off
  /// How often the controller has ended it.
  private(set) var endings = 0
  /// Whether the controller may still report a link from before the last command to disable it (Vol 4 Part E 7.8.9).
  private var mayEndLate = false

  init(owner: UInt8) { self.owner = owner }
}

extension PresentSet {
  /// The command to enable it has been carried out.
  ///
  /// - Parameter endings: as many as when the command was sent. A later one may be of the time before or after.
  mutating func enabled(_ endings: Int) {
    if running == .unknown { mayEndLate = true }
    running = endings == self.endings ? .on : .unknown
  }

  mutating func disabled() {
    running = .off
    if properties.contains(.connectable) { mayEndLate = true }
  }

  /// The controller has ended it. To enable it again does no harm if it runs.
  mutating func ended() {
    running = mayEndLate || running == .unknown ? .unknown : .off
    mayEndLate = false
    endings += 1
  }

  /// The controller does not allow what it allows while the set is disabled.
  mutating func doubt() { running = .unknown }
}

/// What a controller has of the data or the scan response of a set.
enum PresentData: Hashable, Sendable {
  case whole([UInt8])
  /// So many fragments; the controller does not advertise with them.
  case fragments(Int, of: [UInt8])

  /// Whether a set with so much room may have it.
  func fits(_ room: Int) -> Bool {
    switch self {
    case .whole(let bytes): bytes.count <= room
    case .fragments(_, let bytes): bytes.count <= room && room > 0
    }
  }

  /// The number of the next fragment that leads to these bytes; nil: they are there.
  func nextFragment(of bytes: [UInt8]) -> Int? {
    switch self {
    case .whole(bytes): nil
    case .fragments(let count, bytes): count
    default: 0
    }
  }

  mutating func took(_ fragment: Int, of bytes: [UInt8]) {
    let isLast = fragment + 1 == AdvertisingFragment.fragments(of: bytes).count
    self = isLast ? .whole(bytes) : .fragments(fragment + 1, of: bytes)
  }

  /// A controller that refuses a fragment may have discarded those before it, or wait for the next one.
  mutating func refused(_ bytes: [UInt8]) {
    if AdvertisingFragment.fragments(of: bytes).count > 1 { self = .fragments(0, of: bytes) }
  }
}
