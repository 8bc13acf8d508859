import Behavior
import Bluetooth
import DBus
import EventLoop
import Peripheral
import System

/// The links to a device's centrals, which bluetoothd keeps when the device's program has ended. While a central is connected, a guard
/// knows which they are, and ends them if this program is killed.
@EventLoop
package final class GuardedLinks {
  /// Starts a guard; nil: this program runs none.
  typealias Start = @EventLoop (_ words: [String]) throws(Guard.Failure) -> Guard?

  private nonisolated static let command = "link-guard"

  private let start: Start
  private let warn: @EventLoop (String) -> Void
  private var guardian: Guard?
  /// Only one is started.
  private var hasBegun = false

  init(start: @escaping Start, warn: @escaping @EventLoop (String) -> Void) {
    (self.start, self.warn) = (start, warn)
  }

  /// The device's centrals are these now.
  func are(_ centrals: [Central], of adapter: Adapter) {
    if !hasBegun, !centrals.isEmpty { begin(adapter) }
    guardian?.tell(centrals.map(\.description).joined(separator: " "))
  }

  /// Without a guard, the device runs all the same.
  private func begin(_ adapter: Adapter) {
    hasBegun = true
    do throws(Guard.Failure) {
      guardian = try start([Self.command, adapter.address.description])
    } catch {
      warn(
        "cannot start the guard of the links: \(error.reason); if blemu is killed, its centrals stay connected to \(adapter.name)"
      )
    }
  }

  func dismissGuard() async {
    await guardian?.dismiss()
    guardian = nil
  }
}

// MARK: In the guard

extension GuardedLinks {
  /// Ends the links to the centrals in the note; nil: the words are those of another guard, or of none.
  package nonisolated static func duty(of words: [String]) -> Guard.Duty? {
    guard words.count == 2, words[0] == command, let adapter = DeviceAddress(words[1]) else { return nil }
    return { note in
      await end(note.split(separator: " ").compactMap { DeviceAddress(String($0)) }, of: adapter)
      return nil
    }
  }

  /// A bluetoothd that has ended meanwhile has ended the links.
  static func end(
    _ centrals: [Central], of adapter: DeviceAddress, on bus: String = DBusConnection.systemBusAddress
  ) async {
    guard !centrals.isEmpty, let client = try? await BlueZClient.connect(to: bus) else { return }
    if let found = try? await client.adapters().first(where: { $0.address == adapter }) {
      await client.disconnect(centrals, from: found)
    }
    client.close()
  }
}
