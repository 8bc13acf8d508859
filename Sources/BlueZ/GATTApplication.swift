import BlueZLimits
import Behavior
import Bluetooth
import DBus
import DeviceModel
import EventLoop
import Peripheral

/// The attributes of a device as objects on the bus (bluez: doc/gatt-api.txt), and the sockets of its
/// subscriptions.
///
/// Writes come as `WriteValue`: a characteristic does not offer `AcquireWrite`, because bluetoothd (5.66 to
/// 5.87) overwrites the first of several quick writes on that path. Notifications leave through the socket of
/// `AcquireNotify`, indications as changes of the property `Value`.
@EventLoop
final class GATTApplication {
  /// Answers for the device.
  let receive: @EventLoop (Event, Responder?) -> Void
  let congestionChanged: @EventLoop (Bool, Int) -> Void
  /// Called with the central of each request before the request is answered.
  let sawCentral: @EventLoop (Central) -> Void
  private let warn: @EventLoop (String) -> Void
  private let client: BlueZClient
  let definition: PeripheralDefinition
  /// The attributes of the definition that it serves.
  let table: AttributeTable
  private var sockets: [Int: [SocketKey: NotifySocket]] = [:]
  /// Characteristics whose values bluetoothd wants as property changes.
  private var signalled: Set<Int> = []
  private var mtus: [Central: Int] = [:]
  private(set) lazy var heldResponses = HeldResponses { [weak self] in
    self?.hasAnswered($0, cameAfter: $1)
  }
  private var centrals: [String: Central] = [:]
  /// Called after the last subscription has ended.
  var onLastUnsubscription: (() -> Void)?
  /// Waits until bluetoothd has read its messages; values are held until then.
  private var passing: Task<Void, Never>?
  private var hasSentMessage = false
  /// How many more values may follow a message before bluetoothd must have read it.
  private var valuesUntilPassing: Int?

  /// One socket for all centrals up to BlueZ 5.66, one for each device from 5.82 on.
  private struct SocketKey: Hashable {
    var device: Central?
  }

  init(
    _ definition: PeripheralDefinition, _ table: AttributeTable, on client: BlueZClient,
    receive: @escaping @EventLoop (Event, Responder?) -> Void,
    sawCentral: @escaping @EventLoop (Central) -> Void,
    congestionChanged: @escaping @EventLoop (Bool, Int) -> Void,
    warn: @escaping @EventLoop (String) -> Void
  ) {
    self.definition = definition
    self.table = table
    self.client = client
    self.receive = receive
    self.sawCentral = sawCentral
    self.congestionChanged = congestionChanged
    self.warn = warn
  }

  /// Whether any central has subscribed to any characteristic.
  var hasSubscriptions: Bool { !signalled.isEmpty || sockets.values.contains { !$0.isEmpty } }

  /// Forgets a central that has left.
  func forget(_ central: Central) { mtus[central] = nil }

  /// Forgets all centrals, because bluetoothd has.
  func reset() {
    for characteristic in sockets.keys.sorted() {
      for key in (sockets[characteristic] ?? [:]).keys { end(key, of: characteristic) }
    }
    for characteristic in signalled.sorted() { stopSignalling(characteristic) }
    mtus = [:]
    centrals = [:]
    heldResponses.isHolding = false
  }
}

// MARK: Values out

extension GATTApplication {
  func mtu(of central: Central) -> Int? { mtus[central] }

  /// bluetoothd silently cuts values to the link's MTU. It does not always identify the subscribed central, so the
  /// smallest MTU of all connected centrals counts.
  func maximumValue(of characteristic: Int, to recipients: Recipients) -> Int? {
    let acquired = sockets[characteristic]?.values.lazy.map(\.mtu).min()
    guard acquired != nil || signalled.contains(characteristic) else { return nil }
    let addressed: Int? =
      switch recipients {
      case .subscribers: nil
      case .subscriber(let central), .central(let central): mtus[central]
      }
    let mtu = addressed ?? mtus.values.min() ?? acquired ?? 23
    return max(23, mtu) - 3
  }

  /// A value can go to a single central if that central has its own socket (bluez from 5.82 on) or is the only one
  /// connected. A central that has not subscribed gets nothing: bluetoothd sends only as the CCCD asks.
  func send(_ value: ArraySlice<UInt8>, from characteristic: Int, to recipients: Recipients) -> SendOutcome {
    switch recipients {
    case .subscribers: return send(value, from: characteristic)
    case .central(let central):
      let outcome = send(value, from: characteristic, to: .subscriber(central))
      return outcome == .nobodySubscribed ? .notAddressable : outcome
    case .subscriber(let central):
      if let socket = sockets[characteristic]?[SocketKey(device: central)] {
        countValueBehindMessage()
        socket.send(value)
        return .notified
      }
      if mtus.count == 1, mtus[central] != nil { return send(value, from: characteristic) }
      return .notAddressable
    }
  }

  private func send(_ value: ArraySlice<UInt8>, from characteristic: Int) -> SendOutcome {
    if let sockets = sockets[characteristic], !sockets.isEmpty {
      countValueBehindMessage()
      for socket in sockets.values { socket.send(value) }
      return .notified
    }
    guard signalled.contains(characteristic) else { return .nobodySubscribed }
    let path = Self.path(ofCharacteristic: characteristic, in: definition)
    try? client.connection.emitPropertiesChanged(
      path: path, interface: BlueZ.characteristic, [("Value", .bytes(Array(value)))])
    return delivery(of: characteristic) == .notification ? .notified : .indicated
  }
}

// MARK: Messages before values

extension GATTApplication {
  /// bluetoothd soon reads this many values; only a longer stream delays messages.
  private static let valuesBehindMessage = 8

  /// Makes bluetoothd read the messages sent so far before it reads many more values.
  ///
  /// bluetoothd reads messages only when it is idle, and reads values as long as there are any (bluez 5.66 to 5.87:
  /// gdbus/mainloop.c dispatches messages from an idle source). While a device streams as fast as the machine can,
  /// bluetoothd would see no answer before the end of the stream, and it gives up on each after 5 s. So values are
  /// held back until it has answered. If no value is unread now, bluetoothd may still be reading as fast as the
  /// device sends, so the next values count, too.
  func letMessagesPass() {
    if passing != nil {
      hasSentMessage = true
    } else if sockets.values.contains(where: { $0.values.contains(where: \.hasUnread) }) {
      holdUntilMessagesHavePassed()
    } else {
      valuesUntilPassing = Self.valuesBehindMessage
    }
  }

  private func countValueBehindMessage() {
    guard let left = valuesUntilPassing else { return }
    valuesUntilPassing = left - 1
    if left == 1 { holdUntilMessagesHavePassed() }
  }

  private func holdUntilMessagesHavePassed() {
    valuesUntilPassing = nil
    hold(true)
    passing = EventLoop.start { [weak self, client] in
      // Once more for messages sent in the meantime; then values go on even if more messages follow.
      for _ in 0..<2 {
        self?.hasSentMessage = false
        await client.catchUp()
        guard self?.hasSentMessage == true else { break }
      }
      self?.haveMessagesPassed()
    }
  }

  private func haveMessagesPassed() {
    passing = nil
    hold(false)
    guard hasSentMessage else { return }
    hasSentMessage = false
    letMessagesPass()
  }

  private func hold(_ isHeld: Bool) {
    for sockets in sockets.values { for socket in sockets.values { socket.isHeld = isHeld } }
  }
}

// MARK: Requests

extension GATTApplication {
  private func central(_ options: RequestOptions) -> Central? {
    guard let device = options.device else { return nil }
    guard let central = centrals[device] ?? addCentral(at: device) else { return nil }
    if let mtu = options.mtu, mtus[central] != mtu { mtus[central] = mtu }
    sawCentral(central)
    return central
  }

  private func addCentral(at path: String) -> Central? {
    let central = DeviceAddress(devicePath: path)
    centrals[path] = central
    return central
  }

  func read(_ attribute: AttributeReference, _ call: consuming MethodCall) {
    do throws(DBusError) {
      var reader = call.reader()
      let options = try RequestOptions(&reader)
      // bluetoothd (5.66) asks even where an attribute can be neither read nor written, as one that only notifies.
      guard definition.canRead(attribute) else { return call.fail(.readNotPermitted) }
      let call = DeferredCall(call)
      receive(.readRequested(central(options), attribute, offset: options.offset)) { [weak self] response in
        self?.answer(call, with: response, about: attribute)
      }
    } catch {
      call.fail(error)
    }
  }

  func write(_ attribute: AttributeReference, _ call: consuming MethodCall) {
    do throws(DBusError) {
      var reader = call.reader()
      let value = try reader.bytes()
      let options = try RequestOptions(&reader)
      let central = central(options)
      guard definition.canWrite(attribute) else { return call.fail(.writeNotPermitted) }
      guard !options.isAuthorization else { return call.reply() }
      let event = Event.writeRequested(central, attribute, value: value, offset: options.offset, options.kind)
      let call = DeferredCall(call)
      receive(event) { [weak self] response in self?.answer(write: call, with: response, about: attribute) }
    } catch {
      call.fail(error)
    }
  }

  /// No central waits for the answer to a write that can be a command: bluetoothd has already answered it.
  private func answer(write call: DeferredCall, with response: Response, about attribute: AttributeReference)
  {
    if !definition.answersWait(attribute) {
      call.take()?.answer(response)
    } else if response == .accepted {
      heldResponses.answer(call, for: attribute)
    } else {
      answer(call, with: response, about: attribute)
    }
  }

  private func answer(_ call: DeferredCall, with response: Response, about attribute: AttributeReference) {
    guard let call = call.take() else { return }
    let cameAfter = call.cameAfter
    call.answer(response)
    hasAnswered(attribute, cameAfter: cameAfter)
  }
}

extension GATTApplication {
  /// Called after an answer that a central waited for.
  private func hasAnswered(_ attribute: AttributeReference, cameAfter: Int64) {
    letMessagesPass()
    guard let delay = RequestPatience.delay(since: cameAfter) else { return }
    warn(RequestPatience.problem(with: definition.name(of: attribute), after: delay))
  }
}

extension PeripheralDefinition {
  /// Whether a central waits for this program's answer: bluetoothd answers itself if the characteristic can also be
  /// written without response.
  fileprivate func answersWait(_ attribute: AttributeReference) -> Bool {
    guard case .characteristic(let index) = attribute else { return true }
    return !characteristics[index].properties.contains(.writeWithoutResponse)
  }
}

extension MethodCall {
  fileprivate consuming func answer(_ response: Response) {
    switch response {
    case .accepted: reply()
    case .value(let value): reply(value)
    case .refused(let error): fail(error)
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
      let options = try RequestOptions(&reader)
      let central = central(options)
      guard let (socket, theirs) = NotifySocket.pair(mtu: options.mtu ?? 23) else {
        return call.fail(name: BlueZErrorName.failed, message: "no file descriptor is free")
      }
      let key = SocketKey(device: central)
      end(key, of: characteristic)
      adopt(socket, key, characteristic)
      call.reply(theirs, UInt16(clamping: options.mtu ?? 23))
      letMessagesPass()
      receive(.subscribed(central, characteristic: characteristic), nil)
    } catch {
      call.fail(error)
    }
  }

  private func adopt(_ socket: NotifySocket, _ key: SocketKey, _ characteristic: Int) {
    socket.onHangUp = { [weak self] in self?.end(key, of: characteristic) }
    socket.isHeld = passing != nil
    socket.onCongestion = { [weak self] in self?.congestionChanged($0, characteristic) }
    sockets[characteristic, default: [:]][key] = socket
  }

  private func end(_ key: SocketKey, of characteristic: Int) {
    guard sockets[characteristic]?.removeValue(forKey: key) != nil else { return }
    // In this order: when the congestion ends, the wire side would send once more, and no central is subscribed.
    receive(.unsubscribed(key.device, characteristic: characteristic), nil)
    congestionChanged(false, characteristic)
    if !hasSubscriptions { onLastUnsubscription?() }
  }

  func startNotify(_ characteristic: Int, _ call: consuming MethodCall) {
    call.reply()
    if signalled.insert(characteristic).inserted {
      receive(.subscribed(nil, characteristic: characteristic, delivery(of: characteristic)), nil)
    }
  }

  /// bluetoothd does not report whether the central asked for notifications or indications.
  private func delivery(of characteristic: Int) -> Delivery {
    definition.characteristics[characteristic].properties.delivery ?? .notification
  }

  /// bluetoothd calls this for each confirmation, and does not report the central.
  func confirm(_ characteristic: Int, _ call: consuming MethodCall) {
    call.reply()
    receive(.confirmed(nil, characteristic: characteristic), nil)
  }

  func stopNotify(_ characteristic: Int, _ call: consuming MethodCall) {
    call.reply()
    stopSignalling(characteristic)
  }

  private func stopSignalling(_ characteristic: Int) {
    if signalled.remove(characteristic) != nil {
      receive(.unsubscribed(nil, characteristic: characteristic), nil)
      if !hasSubscriptions { onLastUnsubscription?() }
    }
  }
}
