import Bluetooth
import DeviceModel

/// The unique name of a bluetoothd on the bus, for example `:1.42`. The bus never reuses one.
typealias BusOwner = String

/// Identifies a call to bluetoothd or a pause. An outcome counts only for the state that holds its ticket.
struct Ticket: Hashable {
  var number: Int
}

/// What BlueZ is to serve and advertise for a device.
struct RegistrationRequest: Hashable {
  var table: AttributeTable
  /// nil: nothing.
  var advertisement: Advertisement?
  /// The GAP device name (2A00), which is the adapter's alias.
  var deviceName: String
}

/// A device and the adapter for it.
struct Registrant: Hashable {
  /// Its last known state.
  var adapter: Adapter
  var request: RegistrationRequest
  /// Whether a central is connected. The attributes stay until it has disconnected: a registration cannot change.
  var isInUse = false
  /// Whether the attributes change although a central is connected: bluetoothd tells it.
  var servesConnected = false
}

/// A registrant and the bluetoothd that it uses.
struct Session: Hashable {
  let bluetoothd: BusOwner
  var registrant: Registrant
  /// Something has changed during a call: ask for the adapter again after it.
  var mustLook = false
  /// The controller has stopped advertising: register the advertisement again.
  var mustRenew = false

  var adapter: Adapter {
    get { registrant.adapter }
    set { registrant.adapter = newValue }
  }

  var request: RegistrationRequest { registrant.request }
}

/// What the host knows about the device.
enum Standing: Hashable {
  /// The device is going on the air for the first time: a failure ends the attempt.
  case starting
  case offAir
  /// The device has been on the air until now, and changes its attributes.
  case onAir
}

/// An attempt to make BlueZ advertise.
///
/// bluetoothd answers UnregisterAdvertisement before the kernel has done it. The kernel may then remove the next
/// advertisement instead, and bluetoothd reports only `Failed`. So the same call is repeated.
struct AdvertisingTry: Hashable {
  let advertisement: Advertisement
  /// From 0.
  var number = 0

  /// The next try and the pause before it; nil: this was the last.
  var next: (pause: Duration, AdvertisingTry)? {
    guard number < Self.pauses.count else { return nil }
    return (Self.pauses[number], AdvertisingTry(advertisement: advertisement, number: number + 1))
  }

  private static let pauses: [Duration] = [.milliseconds(100), .milliseconds(300), .milliseconds(900)]
}
