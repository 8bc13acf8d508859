import Bluetooth
import EventLoop
import Kernel
import System

/// Linux: its management interface and its HCI sockets.
///
/// It opens a management socket for each request, because an open one wakes this program for every event of every adapter.
final class LinuxKernel: AdapterKernel {
  nonisolated init() {}

  func offered() async throws(ManagementError) -> [OfferedAdapter] {
    let management = try ManagementSocket.open()
    defer { management.close() }
    var adapters: [OfferedAdapter] = []
    for index in try await management.controllers().sorted() {
      let information = try await management.information(of: index)
      adapters.append(
        OfferedAdapter(
          controller: LocalController(index: index, address: LinkAddress(information.address)),
          isPowered: information.current.contains(.powered),
          hasLowEnergy: information.supported.contains(.lowEnergy)))
    }
    return adapters
  }

  func all() -> [LocalController] { KernelAdapters.all }

  func use(of controller: UInt16) async throws(ManagementError) -> AdapterUse {
    let management = try ManagementSocket.open()
    defer { management.close() }
    var use = AdapterUse()
    use.advertisements = try await management.advertisingFeatures(of: controller).instances.count
    do throws(ManagementError) { use.connected = try await management.connections(of: controller) } catch {
      guard case .refused(_, .notPowered) = error else { throw error }
    }
    return use
  }

  func setPowered(_ isOn: Bool, on controller: UInt16) async throws(ManagementError) {
    let management = try ManagementSocket.open()
    defer { management.close() }
    try await management.setPowered(isOn, on: controller)
  }

  func take(_ controller: UInt16) throws(ControllerFinding) -> ControllerConnection {
    try .take(adapter: controller)
  }

  func startGuard(of adapter: GuardedAdapter) throws(Guard.Failure) -> Guard? {
    try Guard.start(adapter.words)
  }
}
