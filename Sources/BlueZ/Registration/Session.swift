import Bluetooth
import DeviceModel

/// The unique name of a bluetoothd on the bus, as in `:1.42`. The bus gives none twice.
typealias BusOwner = String

/// One call to bluetoothd, or one pause. An outcome counts only for the state that holds its ticket.
struct Ticket: Hashable {
  var number: Int
}

/// What a device wants BlueZ to serve and to advertise.
struct RegistrationRequest: Hashable {
  var table: AttributeTable
  /// nil: nothing.
  var advertisement: Advertisement?
  /// The GAP device name (2A00), which is the adapter's alias.
  var deviceName: String
}

/// A device that wants to be on the air, and the adapter for it.
struct Registrant: Hashable {
  /// As BlueZ showed it last.
  var adapter: Adapter
  var request: RegistrationRequest
  /// Whether a central is connected. Its attributes stay until it has gone: a registration cannot change.
  var isInUse = false
}

/// A registrant and the bluetoothd that it deals with.
struct Session: Hashable {
  let bluetoothd: BusOwner
  var registrant: Registrant
  /// Something has changed during a call: look at the adapter again after it.
  var mustLook = false

  var adapter: Adapter {
    get { registrant.adapter }
    set { registrant.adapter = newValue }
  }

  var request: RegistrationRequest { registrant.request }
}

/// What the host has been told.
enum Standing: Hashable {
  /// The device goes on the air for the first time: a failure ends that.
  case starting
  case offAir
  /// The device has been on the air until now, and changes its attributes.
  case onAir
}

/// A try to have BlueZ advertise.
///
/// bluetoothd answers UnregisterAdvertisement before the kernel has done it. The kernel can then take away the next
/// advertisement in its place, for which bluetoothd has only `Failed`. So the same call is made again.
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
