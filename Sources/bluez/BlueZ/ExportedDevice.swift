import Bluetooth
import DBus
import DeviceModel
import EventLoop

/// The device's objects on our connection, which BlueZ reads and calls.
@EventLoop
final class ExportedDevice {
  /// The attributes; nil before they are exported.
  private(set) var application: GATTApplication?
  private let connection: DBusConnection
  private let makeApplication: @EventLoop (AttributeTable) -> GATTApplication?
  /// Called when BlueZ ends the advertisement by itself.
  private let onRelease: @EventLoop @Sendable () -> Void
  private var tree: Registration?
  private var advertisement: Registration?

  init(
    on connection: DBusConnection, makeApplication: @escaping @EventLoop (AttributeTable) -> GATTApplication?,
    onRelease: @escaping @EventLoop @Sendable () -> Void
  ) {
    self.connection = connection
    self.makeApplication = makeApplication
    self.onRelease = onRelease
  }

  /// Exports the objects that BlueZ reads during a call.
  func prepare(for call: RegistrationCall) {
    switch call {
    case .registerApplication(let table): export(table)
    case .registerAdvertisement(let advertisement): export(advertisement)
    case .look, .powerOn, .setAlias, .unregisterAdvertisement, .unregisterApplication: break
    }
  }

  /// Withdraws the objects from the bus.
  func withdraw() {
    tree = nil
    advertisement = nil
  }

  private func export(_ table: AttributeTable) {
    guard application?.table != table else { return }
    tree = nil
    application?.reset()
    application = makeApplication(table)
    if let application { tree = connection.export(application.tree) }
  }

  private func export(_ advertisement: Advertisement) {
    self.advertisement = nil
    self.advertisement = connection.export(
      ExportedObject(advertising: advertisement, onRelease: onRelease))
  }
}
