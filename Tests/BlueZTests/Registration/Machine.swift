import Bluetooth
import Peripheral

@testable import BlueZ
@testable import DeviceModel

/// What the tests of the state machine are about: one adapter, two attribute tables, two advertisements.
enum Example {
  static let off = adapter(isPowered: false, alias: "host")
  static let ready = adapter(isPowered: true, alias: "First")
  static let first = advertisement("First")
  static let second = advertisement("Second")
  static let table = table(0xFFE0)
  static let otherTable = table(0xFFF0)
  static let request = RegistrationRequest(table: table, advertisement: first, deviceName: "First")
  static let refusal = TransportError(.unavailable, "refused", hint: "")
  static let invalid = TransportError(.invalid, "too long", hint: "")

  private static func adapter(isPowered: Bool, alias: String) -> Adapter {
    Adapter(
      path: "/org/bluez/hci0", address: DeviceAddress("02:00:00:00:00:01")!, isPowered: isPowered,
      alias: alias,
      systemName: "host", hasGATTManager: true, hasAdvertisingManager: true, freeAdvertisements: 5,
      hasExtendedAdvertising: true)
  }

  private static func advertisement(_ name: String) -> Advertisement {
    var advertisement = Advertisement()
    advertisement.localName = name
    return advertisement
  }

  private static func table(_ uuid: BluetoothUUID) -> AttributeTable {
    AttributeTable(services: [AttributeTable.Service(index: 0, uuid: uuid, characteristics: [])])
  }
}

/// An event as the rows of a table name it. The end of a call is that of the call under way.
enum Step: Hashable, CaseIterable {
  case opened, openedOff, goOnAir, done, sawReady, sawOff, sawNothing, mayPass, refused, invalid, unanswered,
    late
  case advertiseSecond, advertiseNothing, serveOthers, adaptersChanged, comesIntoUse, fallsOutOfUse, connects
  case bluetoothdStops, anotherBluetoothd, leave

  func event(in state: RegistrationState) -> RegistrationEvent {
    let ticket = state.ticket ?? Ticket(number: 0)
    switch self {
    case .opened: return .opened(bluetoothd: ":1", Example.ready)
    case .openedOff: return .opened(bluetoothd: ":1", Example.off)
    case .goOnAir: return .goOnAir(Example.request)
    case .done: return .ended(ticket, .done)
    case .sawReady: return .ended(ticket, .saw(Example.ready))
    case .sawOff: return .ended(ticket, .saw(Example.off))
    case .sawNothing: return .ended(ticket, .saw(nil))
    case .mayPass: return .ended(ticket, .failed(Example.refusal, mayPass: true))
    case .refused: return .ended(ticket, .failed(Example.refusal, mayPass: false))
    case .invalid: return .ended(ticket, .failed(Example.invalid, mayPass: false))
    case .unanswered: return .unanswered(ticket)
    case .late: return .ended(Ticket(number: ticket.number - 1), .done)
    case .advertiseSecond: return .advertise(Example.second)
    case .advertiseNothing: return .advertise(nil)
    case .serveOthers: return .serve(Example.otherTable)
    case .adaptersChanged: return .adaptersChanged
    case .comesIntoUse: return .useChanged(isInUse: true)
    case .fallsOutOfUse: return .useChanged(isInUse: false)
    case .connects: return .centralArrived
    case .bluetoothdStops: return .ownerChanged(nil)
    case .anotherBluetoothd: return .ownerChanged(":2")
    case .leave: return .leave
    }
  }
}

extension RegistrationStateMachine {
  /// A machine after these steps.
  init(after steps: [Step]) {
    self.init()
    for step in steps { _ = take(step) }
  }

  mutating func take(_ step: Step) -> [RegistrationEffect] { handle(step.event(in: state)) }
}
