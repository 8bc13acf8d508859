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
  /// By characteristic.
  private var ways: [Ways]
  /// Those of all characteristics.
  private var sockets: [NotifySocket] = []
  let gate: ValueGate.Side
  /// Called after the last subscription has ended.
  var onLastEnd: (() -> Void)?

  /// The ways of a characteristic's values.
  private struct Ways {
    /// One socket for all centrals, or one for each device (``BlueZVersion/addressesCentrals``).
    var sockets: [(device: Central?, socket: NotifySocket)] = []
    /// Whether bluetoothd wants the values as property changes.
    var areSignalled = false

    var areNone: Bool { sockets.isEmpty && !areSignalled }

    /// The socket of one device; nil: it has none of its own.
    func socket(of device: Central?) -> NotifySocket? {
      for way in sockets where way.device == device { return way.socket }
      return nil
    }
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
    ways = Array(repeating: Ways(), count: definition.characteristics.count)
    gate.sockets = { [weak self] in self?.sockets ?? [] }
  }

  /// Whether no central has subscribed to any characteristic.
  var isEmpty: Bool { ways.allSatisfy(\.areNone) }

  /// Ends all subscriptions.
  func endAll() {
    for characteristic in ways.indices {
      for way in ways[characteristic].sockets { end(way.device, of: characteristic) }
    }
    for characteristic in ways.indices { stop(characteristic) }
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
    end(central, of: characteristic)
    socket.onHangUp = { [weak self] in self?.end(central, of: characteristic) }
    socket.isHeld = gate.isHolding
    socket.onCongestion = { [weak self] in self?.congestionChanged($0, characteristic) }
    ways[characteristic].sockets.append((central, socket))
    sockets.append(socket)
    return theirs
  }

  /// Begins the subscription of a socket, after bluetoothd has got its end.
  func begin(_ central: Central?, _ characteristic: Int) {
    receive(.subscribed(central, characteristic: characteristic))
  }

  private func end(_ device: Central?, of characteristic: Int) {
    guard let index = ways[characteristic].sockets.firstIndex(where: { $0.device == device }) else { return }
    let socket = ways[characteristic].sockets.remove(at: index).socket
    sockets.removeAll { $0 === socket }
    // In this order: when the congestion ends, the wire side would send once more, and no central is subscribed.
    receive(.unsubscribed(device, characteristic: characteristic))
    congestionChanged(false, characteristic)
    if isEmpty { onLastEnd?() }
  }

  /// Begins to send values as property changes.
  func start(_ characteristic: Int) {
    guard !ways[characteristic].areSignalled else { return }
    ways[characteristic].areSignalled = true
    receive(.subscribed(nil, characteristic: characteristic, delivery(of: characteristic)))
  }

  func stop(_ characteristic: Int) {
    guard ways[characteristic].areSignalled else { return }
    ways[characteristic].areSignalled = false
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
    guard !ways[characteristic].areNone else { return nil }
    let addressed: Int? =
      switch recipients {
      case .subscribers: nil
      case .subscriber(let central), .central(let central): centrals.mtu(of: central)
      }
    let mtu = addressed ?? centrals.smallestMTU ?? ways[characteristic].sockets.map(\.socket.mtu).min() ?? 23
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
      if let socket = ways[characteristic].socket(of: central) {
        gate.countValue()
        socket.send(value)
        return .notified
      }
      return centrals.isOnly(central) ? send(value, from: characteristic) : .notAddressable
    }
  }

  /// Whether a value can go to this central only.
  func canAddress(_ central: Central, from characteristic: Int) -> Bool {
    ways[characteristic].socket(of: central) != nil || centrals.isOnly(central)
  }

  private func send(_ value: ArraySlice<UInt8>, from characteristic: Int) -> SendOutcome {
    let ways = ways[characteristic]
    guard ways.sockets.isEmpty else {
      gate.countValue()
      for way in ways.sockets { way.socket.send(value) }
      return .notified
    }
    guard ways.areSignalled else { return .nobodySubscribed }
    signal(Array(value), characteristic)
    return delivery(of: characteristic) == .notification ? .notified : .indicated
  }
}
