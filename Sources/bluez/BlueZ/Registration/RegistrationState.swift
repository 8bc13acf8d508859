import Bluetooth
import DeviceModel
import Peripheral

/// The state of a device's registration with bluetoothd. Each state owns all its data.
enum RegistrationState: Hashable {
  /// No adapter is known.
  case closed
  /// The adapter is known, and bluetoothd has no object of the device.
  case opened(bluetoothd: BusOwner, Adapter)
  /// The attributes and the advertisement are being registered.
  case registering(Session, Registering)
  /// bluetoothd serves the attributes; the advertisement may be about to change.
  case onAir(Session, OnAir)
  /// Everything is registered, and the adapter is switched off.
  case switchedOff(Session, SwitchedOff)
  /// The attributes are being unregistered, because others follow or because bluetoothd refused the advertisement.
  case takingBack(Session, TakingBack)
  /// Nothing is registered until something changes or a second has passed.
  case waiting(Registrant, Waiting)
  /// Everything is being unregistered for good.
  case leaving(Session, Leaving)
}

struct Registering: Hashable {
  enum Step: Hashable {
    case poweringOn
    case settingAlias(String)
    case registeringApplication(AttributeTable)
    /// The adapter is on again, and this advertisement is being registered again.
    case unregisteringAdvertisement(Advertisement, AttributeTable)
    case registeringAdvertisement(AdvertisingTry, AttributeTable)
    /// The attributes are registered. After the pause, bluetoothd is asked again to advertise.
    case pausing(AdvertisingTry, AttributeTable)
  }

  let standing: Standing
  let step: Step
  let ticket: Ticket
}

struct OnAir: Hashable {
  enum Activity: Hashable {
    /// Everything is as the device wants it, or new attributes wait until the last central has disconnected.
    case resting(Advertisement?)
    case looking(Ticket, Advertisement?)
    case settingAlias(String, Ticket, Advertisement?)
    case unregisteringAdvertisement(Ticket)
    case registeringAdvertisement(AdvertisingTry, Ticket)
    case pausing(AdvertisingTry, Ticket)
    /// BlueZ refused a change. It is asked again after a second.
    case retrying(Ticket, Advertisement?)
  }

  /// The attributes that bluetoothd serves.
  let table: AttributeTable
  var activity: Activity
  /// How many times in a row BlueZ refused a change.
  var failures = 0
}

struct SwitchedOff: Hashable {
  let table: AttributeTable
  let advertisement: Advertisement?
  /// The ticket of a call for the state of the adapter; nil: no call is pending.
  var look: Ticket?
}

struct TakingBack: Hashable {
  enum Step: Hashable {
    /// Even if the advertisement was refused: bluetoothd may still have kept it. The application is next.
    case unregisteringAdvertisement
    case unregisteringApplication
  }

  let standing: Standing
  /// The reason; nil: other attributes follow.
  let error: TransportError?
  let step: Step
  let ticket: Ticket
}

enum Waiting: Hashable {
  case noBluetoothd
  case noAdapter(bluetoothd: BusOwner)
  /// A pause of a second after a failure.
  case failure(bluetoothd: BusOwner, Ticket)
  /// A call for the state of the adapter; `again`: something has changed since that call.
  case looking(bluetoothd: BusOwner, Ticket, again: Bool)
}

struct Leaving: Hashable {
  /// The call that must end first: bluetoothd (5.66) crashes if a client unregisters an advertisement that it has
  /// not yet registered.
  enum Step: Hashable {
    case poweringOn
    case registeringApplication
    case registeringAdvertisement
    case unregisteringAdvertisement
    case unregisteringApplication
  }

  let step: Step
  let ticket: Ticket
}
