import EventLoop
import Kernel

extension Adapter {
  /// Whether the kernel gives the adapter's links a static address, which bluetoothd does not know: it listens on the
  /// public one, so no central reaches its attributes. False if the kernel does not report it.
  @EventLoop
  func hasUnknownAddress() async -> Bool {
    guard addressKind == .public, let controller,
      let management = try? ManagementSocket.open()
    else { return false }
    defer { management.close() }
    guard let information = try? await management.information(of: controller.index),
      information.address == address
    else { return false }
    return information.current.contains(.staticAddress)
  }
}
