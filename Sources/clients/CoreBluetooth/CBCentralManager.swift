internal import BlemuControl
internal import BlemuJSON
public import Foundation
import Synchronization

/// Finds devices in memory and connects to them: those that this program runs, and those of `blemu ps`.
///
/// A manager that is made in the body of `withRunningDevice` finds only the devices of that body.
open class CBCentralManager: CBManager {
  open weak var delegate: (any CBCentralManagerDelegate)?
  @_Guarded public private(set) var isScanning = false
  @_Guarded private var peripherals: [UUID: CBPeripheral] = [:]

  private let queue: DispatchQueue
  private let air = Air.current
  private var observer: (any NSObjectProtocol)?
  // What follows is confined to the queue.
  private var devices: [String: Finding] = [:]
  private var scan = Scan()
  private var isLooking = false

  /// What is known of the device at a socket.
  private enum Finding {
    case opening
    /// It is not in memory.
    case ignored
    case open(MemoryDevice)
  }

  private struct Scan {
    var number = 0
    var services: [CBUUID] = []
    var repeats = false
    var found: Set<UUID> = []
  }

  public override convenience init() { self.init(delegate: nil, queue: nil) }

  /// - Parameters:
  ///   - queue: that of the delegate; nil: the main queue.
  ///   - options: have no effect.
  public init(
    delegate: (any CBCentralManagerDelegate)?, queue: DispatchQueue?, options: [String: Any]? = nil
  ) {
    // One act after the other, also where the app's queue is a concurrent one.
    self.queue = DispatchQueue(label: "CoreBluetooth", target: queue ?? .main)
    super.init()
    self.delegate = delegate
    let change = self.queue.bring { [weak self] (_: Bool) in self?.updateState() }
    observer = NotificationCenter.default.addObserver(
      forName: BlemuPhone.bluetoothChanged, object: nil, queue: nil
    ) { _ in change(true) }
    change(true)
  }

  deinit { observer.map(NotificationCenter.default.removeObserver) }

  func perform(_ body: @escaping () -> Void) { queue.async(execute: DispatchWorkItem(block: body)) }

  private func updateState() {
    state = BlemuPhone.bluetooth
    if state != .poweredOn {
      isScanning = false
      for case .open(let device) in devices.values { device.disconnect() }
      for peripheral in peripherals.values { peripheral.end() }
    }
    delegate?.centralManagerDidUpdateState(self)
  }

  private var isOn: Bool {
    if state == .poweredOn { return true }
    warn("API MISUSE: \(self) can only accept this command while in the powered on state")
    return false
  }

  // MARK: Scanning

  open func scanForPeripherals(withServices serviceUUIDs: [CBUUID]?, options: [String: Any]? = nil) {
    guard isOn else { return }
    isScanning = true
    let repeats = (options?[CBCentralManagerScanOptionAllowDuplicatesKey] as? NSNumber)?.boolValue ?? false
    perform { [self] in
      scan = Scan(number: scan.number + 1, services: serviceUUIDs ?? [], repeats: repeats)
      for peripheral in peripherals.values { report(peripheral) }
      startLooking()
    }
  }

  open func stopScan() {
    isScanning = false
    perform { [self] in scan.number += 1 }
  }

  /// Tells the delegate of a device that advertises, once for each scan or again after each interval.
  private func report(_ peripheral: CBPeripheral) {
    guard isScanning, let advertisement = peripheral.advertisement else { return }
    guard scan.services.isEmpty || !Set(scan.services).isDisjoint(with: advertisement.services) else {
      return
    }
    guard scan.found.insert(peripheral.identifier).inserted else { return }
    delegate?.centralManager(
      self, didDiscover: peripheral, advertisementData: advertisement.data, rssi: advertisement.rssi)
    guard scan.repeats else { return }
    let number = scan.number
    after(advertisement.interval) { [weak peripheral] manager in
      guard let peripheral, manager.scan.number == number else { return }
      manager.scan.found.remove(peripheral.identifier)
      manager.report(peripheral)
    }
  }

  private func after(_ seconds: Double, _ body: @escaping (CBCentralManager) -> Void) {
    queue.asyncAfter(
      deadline: .now() + seconds, execute: DispatchWorkItem { [weak self] in self.map(body) })
  }

  // MARK: Peripherals

  /// All that any manager of this process has seen: iOS knows them.
  private static let known = Mutex<Set<UUID>>([])

  open func retrievePeripherals(withIdentifiers identifiers: [UUID]) -> [CBPeripheral] {
    identifiers.compactMap { identifier in
      if let peripheral = peripherals[identifier] { return peripheral }
      return Self.known.withLock { $0.contains(identifier) } ? peripheral(identifier) : nil
    }
  }

  /// Those that this manager has connected: other apps have none.
  open func retrieveConnectedPeripherals(withServices serviceUUIDs: [CBUUID]) -> [CBPeripheral] {
    peripherals.values.filter { $0.state == .connected && $0.has(serviceUUIDs) }
  }

  /// Connects as soon as the device can be found: there is no limit of time.
  open func connect(_ peripheral: CBPeripheral, options: [String: Any]? = nil) {
    guard isOn, peripheral.state != .connected else { return }
    peripheral.state = .connecting
    perform { [self] in
      // A cancellation may have come before.
      if peripheral.state == .disconnected { peripheral.state = .connecting }
      attempt(peripheral)
      startLooking()
    }
  }

  open func cancelPeripheralConnection(_ peripheral: CBPeripheral) {
    guard isOn else { return }
    if peripheral.state == .connected { peripheral.state = .disconnecting }
    perform { [self] in
      if peripheral.usesLink { peripheral.device?.disconnect() }
      end(peripheral, nil)
    }
  }

  private func attempt(_ peripheral: CBPeripheral) {
    guard peripheral.state == .connecting, !peripheral.usesLink, let device = peripheral.device,
      peripheral.advertisement?.isConnectable == true
    else { return }
    peripheral.usesLink = true
    device.ask(["do": "connect"]) { [weak self] result in
      // Where it fails, the next look tries again.
      guard let self, case .success(let result) = result else { return peripheral.usesLink = false }
      peripheral.begin(mtu: result["mtu"]?.wholeNumber ?? 23)
      delegate?.centralManager(self, didConnect: peripheral)
      peripheral.subscribeToServiceChanged()
    }
  }

  func end(_ peripheral: CBPeripheral, _ error: CBError?) {
    guard peripheral.state != .disconnected else { return }
    let error = peripheral.state == .disconnecting ? nil : error
    peripheral.end()
    delegate?.centralManager(
      self, didDisconnectPeripheral: peripheral, timestamp: Date().timeIntervalSinceReferenceDate,
      isReconnecting: false, error: error)
  }

  // MARK: Devices

  /// How often it looks for devices that have started.
  private static let pause = 0.05

  private func startLooking() {
    guard !isLooking else { return }
    isLooking = true
    look()
  }

  private func look() {
    let pending = peripherals.values.filter { $0.state == .connecting }
    isLooking = isScanning || !pending.isEmpty
    guard isLooking else { return }
    let sockets = Air.sockets(for: air)
    for case (let socket, .ignored) in devices where !sockets.contains(socket) { devices[socket] = nil }
    for socket in sockets where devices[socket] == nil { open(socket) }
    pending.forEach(attempt)
    after(Self.pause) { $0.look() }
  }

  private func open(_ socket: String) {
    devices[socket] = .opening
    let opened = queue.bring { [weak self] (opening: Opening?) in self?.opened(socket, opening) }
    Task {
      let link = try? await DeviceLink.connect(to: socket, patience: .seconds(60))
      let status = try? await link?.call(.status)
      opened(link.flatMap { link in status.map { Opening(link: link, status: $0) } })
    }
  }

  private struct Opening: Sendable {
    var link: DeviceLink
    var status: JSONValue
  }

  private func opened(_ socket: String, _ opening: Opening?) {
    guard let (link, status) = opening.map({ ($0.link, $0.status) }) else { return devices[socket] = nil }
    guard status["transport"]?.text == "loopback" else {
      link.close()
      return devices[socket] = .ignored
    }
    let device = MemoryDevice(link, queue) { [weak self] in self?.take($0, from: socket) }
    device.kind = status["definition"]?.text ?? ""
    devices[socket] = .open(device)
    device.ask(["do": "scan"]) { [weak self] result in
      if case .success(let result) = result { self?.advertise(device, result) }
    }
  }

  private func take(_ event: JSONValue?, from socket: String) {
    guard case .open(let device) = devices[socket] else { return }
    guard let event else {
      devices[socket] = nil
      for peripheral in device.peripherals.values {
        (peripheral.device, peripheral.advertisement) = (nil, nil)
        peripheral.usesLink = false
        if peripheral.state != .connecting { end(peripheral, CBError(.connectionTimeout)) }
      }
      return
    }
    let peripheral = device.peripherals.values.first { [.connected, .disconnecting].contains($0.state) }
    switch event["event"]?.text {
    case "advertising": advertise(device, event)
    case "value": peripheral?.take(event)
    case "disconnected":
      let isLost = event["reason"] == "supervision-timeout"
      if let peripheral { end(peripheral, CBError(isLost ? .connectionTimeout : .peripheralDisconnected)) }
    default: break
    }
  }

  /// - Parameter heard: the members `address` and `advertising`. Further advertising sets have addresses of their own: an app sees
  ///   further peripherals.
  private func advertise(_ device: MemoryDevice, _ heard: JSONValue) {
    let address = heard["address"]?.text ?? ""
    let advertisement = Advertisement(heard["advertising"])
    guard let peripheral = device.peripherals[address] ?? advertisement.map({ _ in make(device, address) })
    else { return }
    peripheral.advertisement = advertisement
    if let name = advertisement?.name, name != peripheral.name {
      peripheral.name = name
      peripheral.delegate?.peripheralDidUpdateName(peripheral)
    }
    report(peripheral)
    attempt(peripheral)
  }

  /// The peripheral of a device, which is the one that it was before it ended, if it has been here before.
  private func make(_ device: MemoryDevice, _ address: String) -> CBPeripheral {
    var number = 1
    while true {
      let identifier = UUID(of: "\(device.kind) \(address) \(number)")
      let known = peripherals[identifier]
      if known?.device == nil {
        let peripheral = known ?? peripheral(identifier)
        peripheral.device = device
        device.peripherals[address] = peripheral
        return peripheral
      }
      number += 1
    }
  }

  private func peripheral(_ identifier: UUID) -> CBPeripheral {
    let peripheral = CBPeripheral(identifier: identifier, of: self)
    _peripherals.change { $0[identifier] = peripheral }
    Self.known.withLock { _ = $0.insert(identifier) }
    return peripheral
  }
}

extension UUID {
  /// The same each time for the same text (FNV-1a, twice).
  fileprivate init(of text: String) {
    let halves = ["", "blemu"].map { start in
      (start + text).utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
    let bytes = halves.flatMap { half in stride(from: 56, through: 0, by: -8).map { UInt8(half >> $0 & 0xFF) }
    }
    self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}
