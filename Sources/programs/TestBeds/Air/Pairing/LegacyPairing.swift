import Bluetooth
import EventLoop
import Kernel
import Transcripts

/// A time in which an adapter pairs only by LE legacy pairing.
@EventLoop
struct LegacyPairing {
  private let management: ManagementSocket
  private let controller: LocalController

  /// nil: the adapter does so anyway, or it is not wanted.
  init?(of controller: LocalController, isWanted: Bool) async throws(TestBedError) {
    guard isWanted else { return nil }
    do throws(ManagementError) {
      let management = try ManagementSocket.open()
      let settings = try await management.information(of: controller.index).current
      guard settings.contains(.secureConnections) else { return nil }
      try await management.setSecureConnections(false, on: controller.index)
      (self.management, self.controller) = (management, controller)
    } catch {
      throw TestBedError("cannot pair without LE Secure Connections: \(error.message)")
    }
  }

  func end() async {
    _ = try? await management.setSecureConnections(true, on: controller.index)
    management.close()
  }
}
