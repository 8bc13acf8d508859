import Bluetooth
import EventLoop
import Kernel
import Peripheral

/// bluetoothd is on the bus before it serves an adapter, and serves an adapter before it has its managers. D-Bus starts bluetoothd
/// when it gets the first call, so that call comes too early.
extension AdapterChoice {
  /// How long bluetoothd may take to serve an adapter that the kernel has.
  static let patience = Duration.seconds(5)
  private static let interval = Duration.milliseconds(200)

  /// The present bluetoothd with its adapters. If they lack those that the kernel has for this choice, and that no device of blemu uses,
  /// bluetoothd gets ``patience`` to serve them.
  ///
  /// - Parameters:
  ///   - kernel: the adapters of the kernel.
  ///   - records: the folder of each ``AdapterRecord``.
  ///   - tell: receives a sentence if this takes time.
  @EventLoop
  func bluetoothd(
    of client: BlueZClient, kernel: @EventLoop () -> [LocalController], in records: String,
    _ scheduler: any Scheduler,
    tell: (String) -> Void = { _ in }
  ) async throws(TransportError) -> (name: BusOwner, adapters: [Adapter]) {
    let bluetoothd = try await client.bluetoothd()
    let missing = unserved(by: bluetoothd, client, kernel(), records)
    guard !missing.isEmpty else { return bluetoothd }
    tell(
      "bluetoothd does not serve \(missing.joined(separator: ", ")) yet; blemu waits up to \(Self.patience.components.seconds) s"
    )
    let limit = scheduler.now.advanced(by: Self.patience)
    while scheduler.now < limit {
      await scheduler.pause(Self.interval)
      if unserved(by: try await client.bluetoothd(), client, kernel(), records).isEmpty { break }
    }
    // bluetoothd then switches the adapter on (AutoEnable). What blemu finds switched off, it switches off again in the end.
    await scheduler.pause(Self.interval)
    return try await client.bluetoothd()
  }

  /// The names of the kernel's adapters of this choice that bluetoothd does not serve yet. One of them is enough, unless bluetoothd has
  /// just started: then the others follow, and the first of all is to be chosen.
  @EventLoop
  private func unserved(
    by bluetoothd: (name: BusOwner, adapters: [Adapter]), _ client: BlueZClient, _ kernel: [LocalController],
    _ records: String
  ) -> [String] {
    let free = kernel.filter { chooses($0) && !AdapterRecord.isInUse($0.address.address, in: records) }.map(
      \.name)
    let served = bluetoothd.adapters.filter(\.canBePeripheral).map(\.name)
    let missing = free.filter { !served.contains($0) }
    return missing.count == free.count || client.isOnBusBefore(bluetoothd.name) ? missing : []
  }
}

extension Scheduler {
  fileprivate func pause(_ duration: Duration) async {
    var timer: AnyObject?
    await withCheckedContinuation { continuation in
      timer = schedule(at: now.advanced(by: duration)) { continuation.resume() }
    }
    withExtendedLifetime(timer) {}
  }
}
