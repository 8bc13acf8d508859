import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Peripheral

/// The subscriptions to the characteristics, and the ways of their values to bluetoothd.
///
/// Notifications leave through the socket of `AcquireNotify`, indications as changes of the property `Value`.
@EventLoop
final class Subscriptions {
  private let definition: PeripheralDefinition
  private let centrals: KnownCentrals
  private let receive: @EventLoop (Event) -> Void
  private let congestionChanged: @EventLoop (Bool, Int) -> Void
  private let signal: @EventLoop ([UInt8], Int) -> Void
  private var sockets: [Int: [SocketKey: NotifySocket]] = [:]
  /// Characteristics whose values bluetoothd wants as property changes.
  private var signalled: Set<Int> = []
  let gate: ValueGate.Side
  /// Called after the last subscription has ended.
  var onLastEnd: (() -> Void)?

  /// One socket for all centrals, or one for each device (``BlueZVersion/addressesCentrals``).
  private struct SocketKey: Hashable {
    var device: Central?
  }

  /// - Parameters:
  ///   - receive: receives the beginning and the end of each subscription.
  ///   - congestionChanged: called when values of a characteristic begin to wait (true), and when none waits any more.
  ///   - signal: changes the property `Value` of a characteristic.
  ///   - gate: holds the values back while bluetoothd reads messages.
  init(
    of definition: PeripheralDefinition, by centrals: KnownCentrals,
    receive: @escaping @EventLoop (Event) -> Void,
    congestionChanged: @escaping @EventLoop (Bool, Int) -> Void,
    signal: @escaping @EventLoop ([UInt8], Int) -> Void, gate: ValueGate.Side
  ) {
    self.definition = definition
    self.centrals = centrals
    self.receive = receive
    self.congestionChanged = congestionChanged
    self.signal = signal
    self.gate = gate
    gate.sockets = { [weak self] in self?.sockets.values.flatMap(\.values) ?? [] }
  }

  /// Whether no central has subscribed to any characteristic.
  var isEmpty: Bool { signalled.isEmpty && sockets.values.allSatisfy(\.isEmpty) }

  /// Ends all subscriptions.
  func endAll() {
    for characteristic in sockets.keys.sorted() {
      for key in (sockets[characteristic] ?? [:]).keys { end(key, of: characteristic) }
    }
    for characteristic in signalled.sorted() { stop(characteristic) }
  }
}

// MARK: Beginning and ending

extension Subscriptions {
  /// Makes a socket for the notifications of a characteristic. The subscription begins with ``begin(_:_:)``.
  ///
  /// - Parameter mtu: the ATT_MTU of the link, bytes.
  /// - Returns: bluetoothd's end of the socket; nil: no file descriptor is free.
  func makeSocket(for central: Central?, _ characteristic: Int, mtu: Int) -> FileDescriptor? {
    guard let (socket, theirs) = NotifySocket.pair(mtu: mtu) else { return nil }
    let key = SocketKey(device: central)
    end(key, of: characteristic)
    socket.onHangUp = { [weak self] in self?.end(key, of: characteristic) }
    socket.isHeld = gate.isHolding
    socket.onCongestion = { [weak self] in self?.congestionChanged($0, characteristic) }
    sockets[characteristic, default: [:]][key] = socket
    return theirs
  }

  /// Begins the subscription of a socket, after bluetoothd has got its end.
  func begin(_ central: Central?, _ characteristic: Int) {
    receive(.subscribed(central, characteristic: characteristic))
  }

  private func end(_ key: SocketKey, of characteristic: Int) {
    guard sockets[characteristic]?.removeValue(forKey: key) != nil else { return }
    // In this order: when the congestion ends, the wire side would send once more, and no central is subscribed.
    receive(.unsubscribed(key.device, characteristic: characteristic))
    congestionChanged(false, characteristic)
    if isEmpty { onLastEnd?() }
  }

  /// Begins to send values as property changes.
  func start(_ characteristic: Int) {
    guard signalled.insert(characteristic).inserted else { return }
    receive(.subscribed(nil, characteristic: characteristic, delivery(of: characteristic)))
  }

  func stop(_ characteristic: Int) {
    guard signalled.remove(characteristic) != nil else { return }
    receive(.unsubscribed(nil, characteristic: characteristic))
    if isEmpty { onLastEnd?() }
  }

  /// bluetoothd does not report whether the central asked for notifications or indications.
  private func delivery(of characteristic: Int) -> Delivery {
    definition.characteristics[characteristic].properties.delivery ?? .notification
  }
}

// MARK: Values

extension Subscriptions {
  /// bluetoothd silently cuts values to the link's MTU. It does not always identify the subscribed central, so the
  /// smallest MTU of all connected centrals counts.
  func maximumValue(of characteristic: Int, to recipients: Recipients) -> Int? {
    let acquired = sockets[characteristic]?.values.lazy.map(\.mtu).min()
    guard acquired != nil || signalled.contains(characteristic) else { return nil }
    let addressed: Int? =
      switch recipients {
      case .subscribers: nil
      case .subscriber(let central), .central(let central): centrals.mtu(of: central)
      }
    let mtu = addressed ?? centrals.smallestMTU ?? acquired ?? 23
    return max(23, mtu) - 3
  }

  /// A value can go to a single central if that central has its own socket (``BlueZVersion/addressesCentrals``) or is the only one
  /// connected. A central that has not subscribed gets nothing: bluetoothd sends only as the CCCD asks.
  func send(_ value: ArraySlice<UInt8>, from characteristic: Int, to recipients: Recipients) -> SendOutcome {
    switch recipients {
    case .subscribers: return send(value, from: characteristic)
    case .central(let central):
      let outcome = send(value, from: characteristic, to: .subscriber(central))
      return outcome == .nobodySubscribed ? .notAddressable : outcome
    case .subscriber(let central):
      if let socket = sockets[characteristic]?[SocketKey(device: central)] {
        gate.countValue()
        socket.send(value)
        return .notified
      }
      return centrals.isOnly(central) ? send(value, from: characteristic) : .notAddressable
    }
  }

  /// Whether a value can go to this central only.
  func canAddress(_ central: Central, from characteristic: Int) -> Bool {
    sockets[characteristic]?[SocketKey(device: central)] != nil || centrals.isOnly(central)
  }

  private func send(_ value: ArraySlice<UInt8>, from characteristic: Int) -> SendOutcome {
    if let sockets = sockets[characteristic], !sockets.isEmpty {
      gate.countValue()
      for socket in sockets.values { socket.send(value) }
      return .notified
    }
    guard signalled.contains(characteristic) else { return .nobodySubscribed }
    signal(Array(value), characteristic)
    return delivery(of: characteristic) == .notification ? .notified : .indicated
  }
}
