import Bluetooth
import EventLoop
import HCI
import HCIPackets

/// Keeps advertising sets of ours in a controller, beside those of the kernel.
///
/// The kernel does not know them. It removes all sets with its own when the adapter is switched off or another program
/// removes all advertisements, and disables all at other times; a connection ends the set that it came through. Each time
/// ``onLoss`` is called, and the next update restores what is missing.
@EventLoop
final class AdvertisingSetKeeper {
  private struct Present {
    var set: AdvertisingSet
    var isEnabled: Bool
  }

  /// By handle. It changes before the command that makes it so: what others do after that command is seen before this program
  /// goes on.
  private var present: [UInt8: Present] = [:]
  private var socket: HCISocket?
  private var capacity: Int?
  /// Whether a connection has ended a set. A controller may refuse to enable it before the connection ends.
  private var isInterrupted = false
  /// The kernel removes the sets before it reports that it switches the adapter off. The answers to its commands then have no
  /// receiver.
  private static let pause = Duration.milliseconds(100)
  private var restoring: EventLoop.Timer?
  /// How often an update begins again because another program removed sets meanwhile.
  private static let attempts = 3

  /// Called when a set no longer advertises.
  var onLoss: (@EventLoop () -> Void)?

  var isEmpty: Bool { present.isEmpty }

  /// The controller is off, or has gone, and has no sets.
  func forget() {
    restoring = nil
    socket?.close()
    socket = nil
    present = [:]
    isInterrupted = false
  }
}

// MARK: Sets

extension AdvertisingSetKeeper {
  /// Makes these the sets of the controller, which is on.
  ///
  /// - Returns: whether the last parameters that the controller got are those of a set with a random address and another
  ///   than the device's. The kernel believes them to be its own (`hci_cc_set_ext_adv_param` of its
  ///   net/bluetooth/hci_event.c), and would pair with the wrong address.
  func update(
    _ wanted: [AdvertisingSet], of device: AdvertisingPlan.Device, on controller: UInt16
  ) async throws(HCICommandError) -> Bool {
    guard !wanted.isEmpty || !present.isEmpty else { return false }
    for _ in 1..<Self.attempts {
      do throws(HCICommandError) { return try await change(to: wanted, of: device, on: controller) } catch {
        present = [:]
        guard case .refused(_, .unknownAdvertisingIdentifier) = error else { throw error }
      }
    }
    return try await change(to: wanted, of: device, on: controller)
  }

  /// Removes sets that an earlier run has left. The controller may have lost them.
  func remove(_ handles: [UInt8], on controller: UInt16) async {
    guard let socket = try? open(on: controller) else { return }
    for handle in handles { try? await remove(handle, socket) }
  }

  func removeAll(on controller: UInt16) async {
    onLoss = nil
    await remove(Array(present.keys), on: controller)
    forget()
  }

  /// The most bytes of advertising data in a set.
  func capacity(on controller: UInt16) async throws(HCICommandError) -> Int {
    if let capacity { return capacity }
    let capacity = try await open(on: controller).maximumAdvertisingDataLength()
    self.capacity = capacity
    return capacity
  }

  private func open(on controller: UInt16) throws(HCICommandError) -> HCISocket {
    if let socket { return socket }
    let socket = try HCISocket.open(on: controller)
    socket.onEvent = { [weak self] in self?.take($0) }
    self.socket = socket
    return socket
  }

  private func change(
    to wanted: [AdvertisingSet], of device: AdvertisingPlan.Device, on controller: UInt16
  ) async throws(HCICommandError) -> Bool {
    let socket = try open(on: controller)
    for handle in present.keys where !wanted.contains(where: { $0.handle == handle }) {
      try await remove(handle, socket)
    }
    var isForeign = false
    for set in wanted {
      let hasOwnAddress = set.address != device.ownAddress
      if isForeign && !hasOwnAddress || !isReady(for: set) {
        try await configure(set, socket)
        isForeign = hasOwnAddress
      }
      try await send(set, socket)
      try await enable(set, socket)
    }
    return isForeign
  }

  private func remove(_ handle: UInt8, _ socket: HCISocket) async throws(HCICommandError) {
    present[handle] = nil
    _ = try? await socket.perform(.disable(handle: handle))
    try await socket.perform(.remove(handle: handle))
  }

  /// Whether the controller has the set's parameters.
  private func isReady(for set: AdvertisingSet) -> Bool {
    guard let old = present[set.handle]?.set else { return false }
    return old.parameters == set.parameters && old.address == set.address
  }

  /// Sets the parameters and the address, which a controller takes only while the set is disabled.
  private func configure(_ set: AdvertisingSet, _ socket: HCISocket) async throws(HCICommandError) {
    // A set that has been used keeps data that other parameters may not allow.
    if present[set.handle] != nil { try await remove(set.handle, socket) }
    var empty = set
    (empty.data, empty.scanResponse) = ([], [])
    present[set.handle] = Present(set: empty, isEnabled: false)
    try await socket.perform(.setParameters(set))
    if let address = set.address {
      try await socket.perform(.setRandomAddress(address, handle: set.handle))
    }
  }

  private func send(_ set: AdvertisingSet, _ socket: HCISocket) async throws(HCICommandError) {
    guard let old = present[set.handle]?.set, old != set else { return }
    let handle = set.handle
    let (data, response) = (
      AdvertisingFragment.fragments(of: set.data),
      AdvertisingFragment.fragments(of: set.scanResponse)
    )
    // A controller takes data in several parts only while the set is disabled (Vol 4 Part E 7.8.54).
    if max(data.count, response.count) > 1, present[handle]?.isEnabled == true {
      try await socket.perform(.disable(handle: handle))
      present[handle]?.isEnabled = false
    }
    if old.data != set.data {
      for fragment in data { try await socket.perform(.setData(fragment, handle: handle)) }
    }
    if old.scanResponse != set.scanResponse {
      for fragment in response { try await socket.perform(.setScanResponse(fragment, handle: handle)) }
    }
    present[handle]?.set = set
  }

  private func enable(_ set: AdvertisingSet, _ socket: HCISocket) async throws(HCICommandError) {
    guard let old = present[set.handle], !old.isEnabled else { return }
    present[set.handle]?.isEnabled = true
    do throws(HCICommandError) { try await socket.perform(.enable(handle: set.handle)) } catch {
      present[set.handle]?.isEnabled = false
      guard isInterrupted, case .refused = error else { throw error }
    }
  }
}

// MARK: What others do

extension AdvertisingSetKeeper {
  private func take(_ event: HCIEvent) {
    let before = present.count { $0.value.isEnabled }
    defer {
      if present.count(where: { $0.value.isEnabled }) < before { lost(event) }
    }
    switch event {
    case .given(let command): follow(command)
    case .advertisingSetEnded(let handle, let ending) where present[handle] != nil:
      present[handle]?.isEnabled = false
      if case .link = ending { isInterrupted = true }
    case .disconnected where isInterrupted:
      isInterrupted = false
      onLoss?()
    default: break
    }
  }

  private func follow(_ command: HCICommand) {
    switch command.opcode {
    case .setExtendedAdvertisingEnable where command.parameters.first == 0:
      disable(command.parameters.dropFirst())
    case .clearAdvertisingSets, .reset: present = [:]
    case .removeAdvertisingSet: command.parameters.first.map { present[$0] = nil }
    default: break
    }
  }

  private func lost(_ cause: HCIEvent) {
    guard case .given = cause else { return onLoss?() ?? () }
    restoring = EventLoop.after(Self.pause) { [weak self] in self?.onLoss?() }
  }

  /// - Parameter list: the number of the sets, and 4 bytes for each; no sets stand for all.
  private func disable(_ list: ArraySlice<UInt8>) {
    let handles = list.dropFirst().enumerated().filter { $0.offset % 4 == 0 }.map(\.element)
    for handle in list.first == 0 ? Array(present.keys) : handles { present[handle]?.isEnabled = false }
  }
}
