import Bluetooth
import EventLoop
import Kernel
import Peripheral

/// The adapters that BlueZ knows.
package enum BlueZAdapters {
  /// The kernel's number and the address of an adapter, for a central that does not use BlueZ.
  ///
  /// - Throws: ``TransportError``.
  @EventLoop
  package static func controller(of choice: AdapterChoice) async throws(TransportError) -> LocalController {
    let client = try await BlueZClient.connect()
    defer { client.close() }
    let bluetoothd = try await choice.bluetoothd(
      of: client, kernel: { KernelAdapters.all }, in: AdapterRecord.folder, EventLoopScheduler())
    let asked = try choice.candidates(of: bluetoothd.adapters)
    guard let controller = asked.lazy.compactMap(\.controller).first else { throw TransportError(.noAdapter) }
    return controller
  }
}
