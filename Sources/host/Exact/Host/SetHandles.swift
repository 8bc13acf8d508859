import HCIPackets

/// The handles of the advertising sets that devices share a controller with. Each device numbers its own from 0.
struct SetHandles: Hashable {
  /// A set of a device.
  struct Owned: Hashable {
    /// ``HostSeat/number``
    var seat: Int
    var number: UInt8
  }

  /// What the specification allows (Core Specification, Vol 4 Part E 7.8.53).
  private static let possible: ClosedRange<UInt8> = 0...0xEF

  private var handles: [Owned: UInt8] = [:]

  /// The handle of a set, which stays the same; nil: all are taken.
  mutating func handle(of set: Owned) -> UInt8? {
    if let handle = handles[set] { return handle }
    let taken = Set(handles.values)
    let free = Self.possible.first { !taken.contains($0) }
    handles[set] = free
    return free
  }

  /// The set with a handle.
  func set(of handle: UInt8) -> Owned? { handles.first { $0.value == handle }?.key }

  /// A device has left: others may have its handles.
  mutating func forget(seat: Int) { handles = handles.filter { $0.key.seat != seat } }
}
