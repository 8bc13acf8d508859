import Bluetooth
import DeviceModel
import Peripheral

/// Where the registration of a device with bluetoothd stands. Each state owns all that it needs.
enum RegistrationState: Hashable {
  /// No adapter is known.
  case closed
  /// The adapter is known, and bluetoothd has nothing of the device.
  case opened(bluetoothd: BusOwner, Adapter)
  /// bluetoothd is being given the attributes and the advertisement.
  case registering(Session, Registering)
  /// bluetoothd serves the attributes; the advertisement may be about to change.
  case onAir(Session, OnAir)
  /// bluetoothd has everything, and the adapter is switched off.
  case switchedOff(Session, SwitchedOff)
  /// The attributes are being taken back, because others follow or because bluetoothd refused the advertisement.
  case takingBack(Session, TakingBack)
  /// bluetoothd has nothing of the device until something changes or a second has passed.
  case waiting(Registrant, Waiting)
  /// Everything is being taken back for good.
  case leaving(Session, Leaving)
}

struct Registering: Hashable {
  enum Step: Hashable {
    case poweringOn
    case settingAlias(String)
    case registeringApplication(AttributeTable)
    case registeringAdvertisement(AdvertisingTry, AttributeTable)
    /// bluetoothd has the attributes. After a pause it is asked again to advertise.
    case pausing(AdvertisingTry, AttributeTable)
  }

  let standing: Standing
  let step: Step
  let ticket: Ticket
}

struct OnAir: Hashable {
  enum Activity: Hashable {
    /// All is as the device wants it; or other attributes wait until the last central has gone.
    case resting(Advertisement?)
    case looking(Ticket, Advertisement?)
    case settingAlias(String, Ticket, Advertisement?)
    case unregisteringAdvertisement(Ticket)
    case registeringAdvertisement(AdvertisingTry, Ticket)
    case pausing(AdvertisingTry, Ticket)
    /// BlueZ did not take a change; it is asked again after a second.
    case retrying(Ticket, Advertisement?)
  }

  /// What bluetoothd serves.
  let table: AttributeTable
  var activity: Activity
  /// How often in a row BlueZ did not take a change.
  var failures = 0
}

struct SwitchedOff: Hashable {
  let table: AttributeTable
  let advertisement: Advertisement?
  /// Of a look at the adapter; nil: nothing is under way.
  var look: Ticket?
}

struct TakingBack: Hashable {
  enum Step: Hashable {
    /// Also one that was refused: bluetoothd may have kept it nevertheless. The application follows.
    case unregisteringAdvertisement
    case unregisteringApplication
  }

  let standing: Standing
  /// Why; nil: other attributes follow.
  let error: TransportError?
  let step: Step
  let ticket: Ticket
}

enum Waiting: Hashable {
  case noBluetoothd
  case noAdapter(bluetoothd: BusOwner)
  /// A second, after a failure.
  case failure(bluetoothd: BusOwner, Ticket)
  /// Whether there is an adapter now; `again`: something has changed since the question.
  case looking(bluetoothd: BusOwner, Ticket, again: Bool)
}

struct Leaving: Hashable {
  /// What has to come to its end: bluetoothd (5.66) crashes when an advertisement is taken back that it has not yet
  /// registered.
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
