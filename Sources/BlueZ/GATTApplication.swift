import BlueZLimits
import Behavior
import Bluetooth
import DBus
import DeviceModel
import EventLoop
import Peripheral

/// The attributes of a device as objects on the bus (bluez: doc/gatt-api.txt), and the sockets of those who
/// subscribed.
///
/// Writes come as `WriteValue`: a characteristic does not offer `AcquireWrite`, because bluetoothd (5.66 to
/// 5.87) overwrites the first of several quick writes on that path. Notifications leave through the socket of
/// `AcquireNotify`, indications as changes of the property `Value`.
@EventLoop
final class GATTApplication {
  /// Answers for the device.
  let receive: @EventLoop (Event, Responder?) -> Void
  let congestionChanged: @EventLoop (Bool, Int) -> Void
  /// Is told of each central that asks for something, before its request is answered.
  let sawCentral: @EventLoop (Central) -> Void
  private let warn: @EventLoop (String) -> Void
  private let client: BlueZClient
  let definition: PeripheralDefinition
  /// Those of the definition's attributes that it serves.
  let table: AttributeTable
  private var sockets: [Int: [SocketKey: NotifySocket]] = [:]
  /// Characteristics whose values bluetoothd wants as property changes.
  private var signalled: Set<Int> = []
  private var mtus: [Central: Int] = [:]
  private(set) lazy var heldResponses = HeldResponses { [weak self] in
    self?.hasAnswered($0, cameAfter: $1)
  }
  private var centrals: [String: Central] = [:]
  /// Is called after the last subscription has ended.
  var onLastUnsubscription: (() -> Void)?
  /// Waits until bluetoothd has read its messages; values are held meanwhile.
  private var passing: Task<Void, Never>?
  private var hasSentMessage = false
  /// How many values more may follow a message before bluetoothd has to have read it.
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

  /// Whether a central has subscribed to something.
  var hasSubscriptions: Bool { !signalled.isEmpty || sockets.values.contains { !$0.isEmpty } }

  /// Forgets a central that has left.
  func forget(_ central: Central) { mtus[central] = nil }

  /// Forgets everybody, because bluetoothd has.
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

  /// bluetoothd cuts what is longer than the link's MTU without a word. It does not always tell who has subscribed, so the
  /// least of those connected counts.
  func maximumValue(of characteristic: Int, to recipients: Recipients) -> Int? {
    let acquired = sockets[characteristic]?.values.map(\.mtu) ?? []
    guard !acquired.isEmpty || signalled.contains(characteristic) else { return nil }
    let addressed: Int? =
      switch recipients {
      case .subscribers: nil
      case .subscriber(let central), .central(let central): mtus[central]
      }
    let mtu = addressed ?? mtus.values.min() ?? acquired.min() ?? 23
    return max(23, mtu) - 3
  }

  /// A value reaches one central alone where it has a socket of its own (bluez from 5.82 on), or where it is the only one
  /// connected. A central that has not subscribed gets nothing: bluetoothd sends by the CCCD only.
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
  /// So many values are read before long; only those that go on and on keep messages waiting.
  private static let valuesBehindMessage = 8

  /// Sees to it that bluetoothd reads what it has been sent over the bus so far, before it reads many values more.
  ///
  /// bluetoothd looks at messages when it has nothing else to do, and reads values for as long as there are any (bluez
  /// 5.66 to 5.87: gdbus/mainloop.c dispatches messages from an idle source). Of a device that streams as
  /// fast as the machine can, it would see no answer before the end of the stream; after 5 s it gives up on each.
  /// So values are held back until it has answered. It may read as fast as they are sent: that none is unread now
  /// does not say that there will be a moment without one.
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
    passing = Task { @EventLoop [weak self, client] in
      // Once more for what was sent meanwhile; then values go on, however much is asked.
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
    let central = centrals[device] ?? DeviceAddress(devicePath: device)
    guard let central else { return nil }
    centrals[device] = central
    if let mtu = options.mtu, mtus[central] != mtu { mtus[central] = mtu }
    sawCentral(central)
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

  /// Nobody waits for the answer to a write that can be a command: bluetoothd has given it to the central already.
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
  /// A central waits for the answer that has just been given.
  private func hasAnswered(_ attribute: AttributeReference, cameAfter: Int64) {
    letMessagesPass()
    guard let delay = RequestPatience.delay(since: cameAfter) else { return }
    warn(RequestPatience.problem(with: definition.name(of: attribute), after: delay))
  }
}

extension PeripheralDefinition {
  /// Whether a central waits for the answer of this program: bluetoothd gives it itself where the characteristic can
  /// also be written without one.
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
    // In this order: with the congestion's end the wire side would send once more, to nobody.
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

  /// bluetoothd does not tell what the central has asked for.
  private func delivery(of characteristic: Int) -> Delivery {
    definition.characteristics[characteristic].properties.delivery ?? .notification
  }

  /// bluetoothd calls this for each confirmation, and does not tell whose it is.
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
