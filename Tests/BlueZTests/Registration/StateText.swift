import Bluetooth
import DeviceModel
import Peripheral

@testable import BlueZ

/// States and effects as the tables of the tests show them.
extension RegistrationState {
  /// The name of the case.
  var name: String {
    switch self {
    case .closed: "closed"
    case .opened: "opened"
    case .registering: "registering"
    case .onAir: "onAir"
    case .switchedOff: "switchedOff"
    case .takingBack: "takingBack"
    case .waiting: "waiting"
    case .leaving: "leaving"
    }
  }

  var text: String {
    switch self {
    case .closed, .opened: name
    case .registering(_, let it): "\(name), \(it.standing): \(it.step.text)"
    case .onAir(_, let it): "\(name): \(it.activity.text)"
    case .switchedOff(_, let it): name + (it.look == nil ? "" : ": looking")
    case .takingBack(_, let it): "\(name), \(it.standing): \(it.step)"
    case .waiting(_, let it): "\(name): \(it.text)"
    case .leaving(_, let it): "\(name): \(it.step)"
    }
  }
}

extension Registering.Step {
  fileprivate var text: String {
    switch self {
    case .poweringOn: "poweringOn"
    case .settingAlias(let name): "settingAlias \(name)"
    case .registeringApplication(let table): "registeringApplication \(table.text)"
    case .unregisteringAdvertisement(let advertisement, _):
      "unregisteringAdvertisement, \((advertisement as Advertisement?).text)"
    case .registeringAdvertisement(let attempt, _): "registeringAdvertisement \(attempt.text)"
    case .pausing(let attempt, _): "pausing \(attempt.text)"
    }
  }
}

extension OnAir.Activity {
  fileprivate var text: String {
    switch self {
    case .resting(let current): "resting, \(current.text)"
    case .looking(_, let current): "looking, \(current.text)"
    case .settingAlias(let name, _, let current): "settingAlias \(name), \(current.text)"
    case .unregisteringAdvertisement: "unregisteringAdvertisement"
    case .registeringAdvertisement(let attempt, _): "registeringAdvertisement \(attempt.text)"
    case .pausing(let attempt, _): "pausing \(attempt.text)"
    case .retrying(_, let current): "retrying, \(current.text)"
    }
  }
}

extension Waiting {
  fileprivate var text: String {
    switch self {
    case .noBluetoothd: "noBluetoothd"
    case .noAdapter: "noAdapter"
    case .failure: "failure"
    case .looking(_, _, let again): "looking" + (again ? " again" : "")
    }
  }
}

extension AdvertisingTry {
  fileprivate var text: String { "\(Optional(advertisement).text) \(number)" }
}

extension Advertisement? {
  fileprivate var text: String { self?.localName ?? "nothing" }
}

extension AttributeTable {
  fileprivate var text: String { services.map { "\($0.uuid)" }.joined(separator: " ") }
}

extension RegistrationEffect {
  var text: String {
    switch self {
    case .call(let call, _, of: let bluetoothd, _): "\(call.text) \(bluetoothd)"
    case .pause(let duration, _): "\(duration)"
    case .tell(.cannotGoOnAir(let error)): "cannotGoOnAir: \(error.message)"
    case .tell(.fellOffAir(let reason)): "fellOffAir: \(reason)"
    case .tell(.warning(let message)): "warning: \(message)"
    case .tell(let notice): "\(notice)"
    }
  }
}

extension RegistrationCall {
  var text: String {
    switch self {
    case .look: "look"
    case .powerOn: "powerOn"
    case .setAlias(let name): "setAlias \(name)"
    case .registerApplication(let table): "registerApplication \(table.text)"
    case .registerAdvertisement(let advertisement): "registerAdvertisement \(Optional(advertisement).text)"
    case .unregisterAdvertisement: "unregisterAdvertisement"
    case .unregisterApplication: "unregisterApplication"
    }
  }
}
