import Bluetooth
import DeviceModel
import Peripheral

/// What has happened to a registration.
enum RegistrationEvent: Hashable {
  /// This bluetoothd shows the adapter that the device will use.
  case opened(bluetoothd: BusOwner, Adapter)
  /// The device wants to be on the air.
  case goOnAir(RegistrationRequest)
  /// The device wants to advertise something else; nil: nothing.
  case advertise(Advertisement?)
  /// The device wants to have other attributes.
  case serve(AttributeTable)
  /// Another bluetoothd has the name `org.bluez`; nil: none.
  case ownerChanged(BusOwner?)
  /// An adapter has come, gone, or been switched on or off; or BlueZ has ended the advertisement.
  case adaptersChanged
  /// A first central has come, or the last one has gone.
  case useChanged(isInUse: Bool)
  /// A call or a pause is over.
  case ended(Ticket, RegistrationOutcome)
  /// The device wants to be off the air for good.
  case leave
}

/// What became of a call.
enum RegistrationOutcome: Hashable {
  case done
  /// What a look at BlueZ showed of the adapter; nil: it is not there, or cannot be a peripheral.
  case saw(Adapter?)
  /// - Parameter mayPass: whether the same call may succeed in a moment.
  case failed(TransportError, mayPass: Bool)
}

/// A call to bluetoothd.
enum RegistrationCall: Hashable {
  /// GetManagedObjects: how is the adapter?
  case look
  case powerOn
  case setAlias(String)
  case registerApplication(AttributeTable)
  case registerAdvertisement(Advertisement)
  case unregisterAdvertisement
  case unregisterApplication
}

/// What is to be done next. Whoever performs it decides nothing.
enum RegistrationEffect: Hashable {
  /// Call this bluetoothd, and hand in the outcome with the ticket.
  case call(RegistrationCall, Adapter, of: BusOwner, Ticket)
  /// Hand in the ticket, done, after this time.
  case pause(Duration, Ticket)
  case tell(RegistrationNotice)
}

/// What the device and its host have to know.
enum RegistrationNotice: Hashable {
  case wentOnAir
  case cannotGoOnAir(TransportError)
  case fellOffAir(String)
  case cameBackOnAir
  case warning(String)
  /// bluetoothd has nothing of the device any more.
  case left
}
