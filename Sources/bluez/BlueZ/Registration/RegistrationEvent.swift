import Bluetooth
import DeviceModel
import Peripheral

/// An event of a registration.
enum RegistrationEvent: Hashable {
  /// The device will use this adapter of this bluetoothd.
  case opened(bluetoothd: BusOwner, Adapter)
  /// The device is to go on the air.
  case goOnAir(RegistrationRequest)
  /// The device is to advertise something else; nil: nothing.
  case advertise(Advertisement?)
  /// The device is to have other attributes.
  ///
  /// - Parameter toConnected: whether they need not wait until the last central has disconnected.
  case serve(AttributeTable, toConnected: Bool = false)
  /// Another bluetoothd owns the name `org.bluez`; nil: none.
  case ownerChanged(BusOwner?)
  /// An adapter was added, removed, or switched on or off; or BlueZ has ended the advertisement.
  case adaptersChanged
  /// The first central has connected, or the last one has disconnected.
  case useChanged(isInUse: Bool)
  /// A central has connected.
  case centralArrived
  /// A call or a pause has ended.
  case ended(Ticket, RegistrationOutcome)
  /// bluetoothd has not answered a call for a while.
  case unanswered(Ticket)
  /// The device is to leave the air for good.
  case leave
}

/// The outcome of a call.
enum RegistrationOutcome: Hashable {
  case done
  /// The adapter as BlueZ now shows it; nil: it is missing or cannot be a peripheral.
  case saw(Adapter?)
  /// - Parameter mayPass: whether the same call may succeed a little later.
  case failed(TransportError, mayPass: Bool)
}

/// A call to bluetoothd.
enum RegistrationCall: Hashable {
  /// GetManagedObjects, for the state of the adapter.
  case look
  case powerOn
  case setAlias(String)
  case registerApplication(AttributeTable)
  case registerAdvertisement(Advertisement)
  case unregisterAdvertisement
  case unregisterApplication
}

/// What to do next. The ``Registrar`` performs it and decides nothing.
enum RegistrationEffect: Hashable {
  /// Call this bluetoothd, then send `ended` with the ticket and the outcome.
  case call(RegistrationCall, Adapter, of: BusOwner, Ticket)
  /// Send `ended` with the ticket and `done` after this time.
  case pause(Duration, Ticket)
  case tell(RegistrationNotice)
}

/// A notice for the device and its host.
enum RegistrationNotice: Hashable {
  case wentOnAir
  case cannotGoOnAir(TransportError)
  case fellOffAir(String)
  case cameBackOnAir
  case warning(String)
  /// bluetoothd no longer has any object of the device.
  case left
}
