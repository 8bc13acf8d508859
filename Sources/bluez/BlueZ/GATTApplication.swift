import Behavior
import Bluetooth
import BlueZLimits
import DBus
import DeviceModel
import EventLoop
import Peripheral

/// The attributes of a device as objects on the bus, and their methods (bluez: doc/gatt-api.txt).
///
/// Writes come as `WriteValue`: a characteristic does not offer `AcquireWrite`, because bluetoothd (5.66 to
/// 5.87) overwrites the first of several quick writes on that path.
@EventLoop
final class GATTApplication {
  let definition: PeripheralDefinition
  /// The attributes of the definition that it serves.
  let table: AttributeTable
  let subscriptions: Subscriptions
  let centrals = KnownCentrals()
  /// Answers for the device.
  private let receive: @EventLoop (Event, Responder?) -> Void
  private let sawCentral: @EventLoop (Central) -> Void
  private let warn: @EventLoop (String) -> Void
  /// After 5 s bluetoothd refuses a request itself (``RequestPatience``), although no error has happened. The margin is for a
  /// busy machine.
  let heldResponses = HeldResponses(limit: .seconds(3))

  /// - Parameters:
  ///   - receive: receives the requests and the subscriptions, and answers for the device.
  ///   - sawCentral: receives the central of each request before the request is answered.
  ///   - congestionChanged: called when values of a characteristic begin to wait (true), and when none waits any more.
  init(
    _ definition: PeripheralDefinition, _ table: AttributeTable, on client: BlueZClient,
    receive: @escaping @EventLoop (Event, Responder?) -> Void,
    sawCentral: @escaping @EventLoop (Central) -> Void,
    congestionChanged: @escaping @EventLoop (Bool, Int) -> Void,
    warn: @escaping @EventLoop (String) -> Void
  ) {
    self.definition = definition
    self.table = table
    self.receive = receive
    self.sawCentral = sawCentral
    self.warn = warn
    subscriptions = Subscriptions(
      of: definition, by: centrals, receive: { receive($0, nil) }, congestionChanged: congestionChanged,
      signal: { value, characteristic in
        try? client.connection.emitPropertiesChanged(
          path: Self.path(ofCharacteristic: characteristic, in: definition), interface: BlueZ.characteristic,
          [("Value", .bytes(value))])
      },
      gate: client.gate)
  }

  /// Forgets all centrals, because bluetoothd has.
  func reset() {
    subscriptions.endAll()
    centrals.forgetAll()
    heldResponses.isHolding = false
  }

  private func central(_ options: RequestOptions) -> Central? {
    let central = centrals.central(options)
    if let central { sawCentral(central) }
    return central
  }
}

// MARK: Requests

extension GATTApplication {
  func read(_ attribute: ServedAttribute, _ call: consuming MethodCall) {
    do throws(DBusError) {
      var reader = call.reader()
      let options = try RequestOptions(&reader, from: centrals)
      // bluetoothd (5.66) asks even where an attribute can be neither read nor written, as one that only notifies.
      guard attribute.canBeRead else { return call.fail(.readNotPermitted) }
      let call = DeferredCall(call)
      receive(.readRequested(central(options), attribute.reference, offset: options.offset)) {
        [self] response in
        answer(call, with: response, about: attribute)
      }
    } catch {
      call.fail(error)
    }
  }

  func write(_ attribute: ServedAttribute, _ call: consuming MethodCall) {
    do throws(DBusError) {
      var reader = call.reader()
      let value = try reader.bytes()
      let options = try RequestOptions(&reader, from: centrals)
      let central = central(options)
      guard attribute.canBeWritten else { return call.fail(.writeNotPermitted) }
      guard !options.isAuthorization else { return call.reply() }
      let event = Event.writeRequested(
        central, attribute.reference, value: value, offset: options.offset, options.kind)
      let call = DeferredCall(call)
      receive(event) { [self] response in answer(write: call, with: response, about: attribute) }
    } catch {
      call.fail(error)
    }
  }

  /// No central waits for the answer to a write that can be a command: bluetoothd has already answered it.
  private func answer(write call: DeferredCall, with response: Response, about attribute: ServedAttribute) {
    if !attribute.letsWritersWait {
      call.take()?.answer(response)
    } else if response == .accepted {
      heldResponses.release { self.answer(call, with: .accepted, about: attribute) }
    } else {
      answer(call, with: response, about: attribute)
    }
  }

  private func answer(_ call: DeferredCall, with response: Response, about attribute: ServedAttribute) {
    guard let call = call.take() else { return }
    let cameAfter = call.cameAfter
    call.answer(response)
    hasAnswered(attribute.reference, cameAfter: cameAfter)
  }

  /// Called after an answer that a central waited for.
  private func hasAnswered(_ attribute: AttributeReference, cameAfter: Int64) {
    subscriptions.gate.letMessagesPass()
    guard let delay = RequestPatience.delay(since: cameAfter) else { return }
    warn(RequestPatience.problem(with: definition.name(of: attribute), after: delay))
  }
}

/// What a request needs to know of its attribute.
struct ServedAttribute {
  let reference: AttributeReference
  let canBeRead: Bool
  let canBeWritten: Bool
  /// Whether a central waits for this program's answer to a write: bluetoothd answers itself if the characteristic can also be
  /// written without response.
  let letsWritersWait: Bool

  init(_ reference: AttributeReference, of characteristics: [CharacteristicDefinition]) {
    self.reference = reference
    canBeRead = characteristics.canRead(reference)
    canBeWritten = characteristics.canWrite(reference)
    guard case .characteristic(let index) = reference else {
      letsWritersWait = true
      return
    }
    letsWritersWait = !characteristics[index].properties.contains(.writeWithoutResponse)
  }
}

@EventLoop
extension MethodCall {
  fileprivate consuming func answer(_ response: Response) {
    switch response {
    case .accepted: reply()
    case .value(let value): reply(value)
    case .refused(let error, _): fail(error)
    }
  }

  fileprivate consuming func fail(_ error: ATTError) {
    let (name, message) = error.dbusError
    fail(name: name, message: message)
  }
}

// MARK: Subscriptions

extension GATTApplication {
  /// bluetoothd calls this when the first central subscribes (each, from 5.82 on).
  func acquireNotify(_ characteristic: Int, _ call: consuming MethodCall) {
    do throws(DBusError) {
      var reader = call.reader()
      let options = try RequestOptions(&reader, from: centrals)
      let central = central(options)
      let mtu = options.mtu ?? 23
      guard let socket = subscriptions.makeSocket(for: central, characteristic, mtu: mtu) else {
        return call.fail(name: BlueZErrorName.failed, message: "no file descriptor is free")
      }
      call.reply(socket, UInt16(clamping: mtu))
      subscriptions.gate.letMessagesPass()
      subscriptions.begin(central, characteristic)
    } catch {
      call.fail(error)
    }
  }

  func startNotify(_ characteristic: Int, _ call: consuming MethodCall) {
    call.reply()
    subscriptions.start(characteristic)
  }

  func stopNotify(_ characteristic: Int, _ call: consuming MethodCall) {
    call.reply()
    subscriptions.stop(characteristic)
  }

  /// bluetoothd calls this for each confirmation, and does not report the central.
  func confirm(_ characteristic: Int, _ call: consuming MethodCall) {
    call.reply()
    receive(.confirmed(nil, characteristic: characteristic), nil)
  }
}
