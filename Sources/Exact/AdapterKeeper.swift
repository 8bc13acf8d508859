import Bluetooth
import EventLoop
import HCI
import HCIPackets
import L2CAP
import Management
import Peripheral

/// Keeps an adapter switched on, listening and advertising, whatever other programs do with it.
///
/// It knows what is wanted and what there is. Each change of either starts ``work()``, which makes the differences vanish
/// one after the other. bluetoothd does three things that count here: when it starts, it listens for centrals itself and
/// removes all advertisements that the kernel shows; when it ends, it switches its adapters off (bluez 5.66:
/// src/adapter.c, src/advertising.c).
@EventLoop
final class AdapterKeeper {
  /// What the transport should know.
  enum Notice: Hashable {
    case fellOffAir(String)
    case cameBackOnAir
    /// The controller sends this from now on; nil: nothing.
    case advertises(Advertisement?)
    /// Centrals may connect now, to the controller with this index.
    case listens(UInt16)
    /// This instance will advertise. It outlives the program.
    case addsInstance(UInt8)
    /// Likewise, advertising sets of ours.
    case addsSets([UInt8])
    case warning(String)
  }

  /// If the adapter is switched off again within this time, somebody wants it off.
  private static let insistence = Duration.seconds(5)
  /// How long to wait before the next attempt to get back on the air.
  private static let pause = Duration.seconds(1)
  /// How long another program that begins to listen may take the new connections.
  private static let listening = Duration.milliseconds(500)

  let management: ManagementSocket
  private(set) var controller: LocalController
  /// Called with what the kernel tells of devices that connect to the controller, or pair with it.
  var onDevice: (@EventLoop (ManagementEvent.Kind) -> Void)?
  /// Called when a removed controller has come back, before it is set up. It has no keys then.
  var onReturn: (@EventLoop () async -> Void)?
  private let onConnect: @EventLoop (FileDescriptor, LinkAddress) -> Void
  private let tell: @EventLoop (Notice) -> Void

  // What is wanted:
  private var isWanted = false
  /// The device's own static address; nil: the controller's public one.
  private var ownAddress: DeviceAddress?
  private var deviceName = ""
  private var wanted: Advertisement?
  /// nil: as the system has set it up.
  private var pairing: PairingSettings?
  private var timeout: EventLoop.Timer?

  // What there is:
  private(set) var settings: ControllerSettings
  private(set) var isPresent = true
  /// Whether the controller has been given ``ownAddress``.
  private var hasOwnAddress = false
  /// The last takes the connections. The one before it may still be given one that began earlier.
  private var listeners: [L2CAPListener] = []
  private var relistening: EventLoop.Timer?
  /// What the kernel sends.
  private var advertised: Advertisement?
  /// What is sent in all.
  private(set) var onAir: Advertisement?
  let sets = AdvertisingSetKeeper()
  private var features: AdvertisingFeatures?
  /// How the controller was last told to pair; nil: another program may have told it since.
  private var setPairing: PairingSettings?
  /// Whether it has ever been told.
  private(set) var hasSetPairing = false
  /// The instance that advertises; nil: none.
  private var instance: UInt8?
  /// The number of the last instance. The kernel may keep it while the adapter is off, so it is used again.
  private var lastInstance: UInt8?
  /// Whether a connection has ended the advertising of the instance.
  private var isInterrupted = false
  private var isStarting = false
  private var isOnAir = false
  /// Whether somebody wants it off: it stays off until somebody switches it on.
  private var staysOff = false
  /// When it was switched on to get back on the air.
  private var switchedOn: Int64?

  private var worker: Task<Void, Never>?
  private var hasChanged = false

  init(
    _ management: ManagementSocket, _ controller: LocalController, _ settings: ControllerSettings,
    onConnect: @escaping @EventLoop (FileDescriptor, LinkAddress) -> Void,
    tell: @escaping @EventLoop (Notice) -> Void
  ) {
    (self.management, self.controller, self.settings) = (management, controller, settings)
    (self.onConnect, self.tell) = (onConnect, tell)
    management.onEvent = { [weak self] in self?.take($0) }
    sets.onLoss = { [weak self] in self?.keep() }
  }
}

// MARK: What is wanted

extension AdapterKeeper {
  /// Switches the adapter on, listens and advertises. If that fails, the caller calls ``leave()``.
  ///
  /// - Parameter name: of the definition.
  func goOnAir(
    _ advertisement: Advertisement?, as ownAddress: DeviceAddress?, _ name: String
  ) async throws(AdapterFinding) {
    isWanted = true
    self.ownAddress = ownAddress
    deviceName = name
    want(advertisement)
    isStarting = true
    defer { isStarting = false }
    try await work()
    isOnAir = true
    switchedOn = nil
    isStarting = false
    if hasChanged { keep() }
  }

  /// Removes what an earlier run has left. The kernel may have lost it.
  func remove(_ left: LeftAdvertisement) async {
    try? await management.removeAdvertising(left.instance, on: controller.index)
  }

  /// Likewise.
  func remove(_ left: LeftAdvertisingSets) async { await sets.remove(left.handles, on: controller.index) }

  func advertise(_ advertisement: Advertisement?) {
    want(advertisement)
    keep()
  }

  /// Advertises on after a central has connected.
  ///
  /// The connection has ended the advertising, and the kernel resumes it only after the link (`hci_le_ext_adv_term_evt`
  /// of its net/bluetooth/hci_event.c).
  func resumeAdvertising() {
    isInterrupted = true
    keep()
  }

  /// Pairs in this way from now on, whatever bluetoothd has set.
  func pair(_ settings: PairingSettings?) {
    (pairing, setPairing) = (settings, nil)
    keep()
  }

  private func want(_ advertisement: Advertisement?) {
    wanted = advertisement
    timeout = advertisement?.timeout.map { limit in
      EventLoop.after(limit) { [weak self] in self?.advertise(nil) }
    }
  }

  /// Stops listening and advertising, and leaves the adapter as it is otherwise.
  func leave() async {
    isWanted = false
    timeout = nil
    worker?.cancel()
    await worker?.value
    stopListening()
    instance = nil
    await sets.removeAll(on: controller.index)
    guard let lastInstance, isPresent else { return }
    try? await management.removeAdvertising(lastInstance, on: controller.index)
  }
}

// MARK: What other programs do

extension AdapterKeeper {
  private func take(_ event: ManagementEvent) {
    if case .controllerAdded = event.kind { return lookFor(event.controller) }
    guard event.controller == controller.index, isPresent else { return }
    switch event.kind {
    case .controllerRemoved:
      isPresent = false
      lastInstance = nil
      hasOwnAddress = false
      setPairing = nil
      lose("\(controller.name) has been removed")
    case .newSettings(let new): change(to: new)
    case .advertisingRemoved(let number) where number == instance:
      instance = nil
      tell(.warning("another program removed the advertisement from \(controller.name); advertising again"))
      keep()
    default: onDevice?(event.kind)
    }
  }

  private func change(to new: ControllerSettings) {
    let wasPowered = settings.contains(.powered)
    settings = new
    if new.contains(.powered) { staysOff = false }
    guard wasPowered, !new.contains(.powered) else { return keep() }
    staysOff = switchedOn.map { EventLoop.now - $0 < Self.insistence.microseconds } ?? false
    lose("\(controller.name) has been switched off")
    if staysOff { tell(.warning("switch \(controller.name) on to put the device on the air again")) }
    keep()
  }

  /// Everything ends that needs a controller that is switched on.
  private func lose(_ reason: String) {
    stopListening()
    instance = nil
    sets.forget()
    guard isOnAir else { return }
    isOnAir = false
    tell(.fellOffAir(reason))
  }

  /// An adapter that was removed may come back with another number.
  private func lookFor(_ index: UInt16) {
    guard !isPresent else { return }
    EventLoop.start { [weak self] in
      guard let self, let information = try? await management.information(of: index), !isPresent,
        information.address == controller.address.address
      else { return }
      controller.index = index
      settings = information.current
      isPresent = true
      await onReturn?()
      keep()
    }
  }
}

// MARK: Work

extension AdapterKeeper {
  /// Begins to work unless it is doing so.
  private func keep() {
    hasChanged = true
    guard mayWork, !isStarting, worker == nil else { return }
    worker = EventLoop.start { [weak self] in await self?.keepWorking() }
  }

  private var mayWork: Bool { isWanted && isPresent && !staysOff }

  private func keepWorking() async {
    while hasChanged, mayWork, !Task.isCancelled {
      hasChanged = false
      do throws(AdapterFinding) {
        try await work()
        if !isOnAir {
          isOnAir = true
          tell(.cameBackOnAir)
        }
      } catch {
        await retry(after: error)
      }
    }
    worker = nil  // with no pause since the last look at `hasChanged`
  }

  /// The kernel also refuses commands just before it says that the adapter is off; then that is the reason.
  private func retry(after problem: AdapterFinding) async {
    guard mayWork, !Task.isCancelled else { return }
    await EventLoop.pause(Self.pause)
    hasChanged = true
    guard isOnAir, isPresent, !Task.isCancelled else { return }
    isOnAir = false
    tell(.fellOffAir(problem.message))
  }

  private func work() async throws(AdapterFinding) {
    do throws(ManagementError) {
      if !settings.contains(.lowEnergy) {
        settings = try await management.setLowEnergy(true, on: controller.index)
      }
      try await updatePairing()
      if let ownAddress, !hasOwnAddress || !settings.contains(.staticAddress) {
        try await setAddress(ownAddress)
        hasOwnAddress = true
      }
      if !settings.contains(.powered) {
        settings = try await management.setPowered(true, on: controller.index)
        if !isOnAir { switchedOn = EventLoop.now }
      }
    } catch {
      throw AdapterFinding.switchingOn(controller, error)
    }
    if listeners.isEmpty {
      tell(.listens(controller.index))
      try listen()
    }
    try await updateAdvertising()
  }

  /// Stops where the device pairs in another way meanwhile: then that comes next, or what was there before is put back.
  private func updatePairing() async throws(ManagementError) {
    guard let pairing else { return }
    hasSetPairing = true
    let index = controller.index
    if setPairing != pairing {
      setPairing = pairing
      try await management.setIOCapability(pairing.capability, on: index)
      guard self.pairing == pairing else { return }
      settings = try await management.setSecureConnections(pairing.allowsSecureConnections, on: index)
    }
    guard self.pairing == pairing, settings.contains(.bondable) != pairing.isBondable else { return }
    settings = try await management.setBondable(pairing.isBondable, on: index)
  }

  /// Takes the connections that wait in the kernel, so that what it tells of a central comes after the central.
  func acceptWaiting() {
    for listener in listeners { listener.acceptAll() }
  }

  /// Gives the controller a static address, or its public one (nil), and leaves it switched off. Without BR/EDR, whose
  /// address is the public one, the kernel uses the static one.
  func setAddress(_ address: DeviceAddress?) async throws(ManagementError) {
    let index = controller.index
    if settings.contains(.powered) { settings = try await management.setPowered(false, on: index) }
    settings = try await management.setStaticAddress(address, on: index)
    if address != nil, settings.contains(.basicRate) {
      settings = try await management.setBasicRate(false, on: index)
    }
  }

  private var address: LinkAddress { ownAddress.map { LinkAddress($0, .random) } ?? controller.address }

  /// Listens again and again, because nobody says when another program begins to listen: the last one gets the next
  /// connection.
  private func listen() throws(AdapterFinding) {
    relistening = EventLoop.after(Self.listening) { [weak self] in
      do throws(AdapterFinding) { try self?.listen() } catch {}  // the older listeners remain
    }
    do throws(L2CAPError) {
      listeners.append(try L2CAPListener(on: address, onConnect: onConnect))
    } catch {
      throw AdapterFinding.listeningOn(controller, error)
    }
    if listeners.count > 2 { listeners.removeFirst().acceptAll() }
  }

  private func stopListening() {
    relistening = nil
    listeners = []
  }

  private func updateAdvertising() async throws(AdapterFinding) {
    let wanted = wanted
    let plan = try await plan(for: wanted)
    try await update(plan.sets)
    do throws(ManagementError) {
      try await update(plan.main)
    } catch {
      throw AdapterFinding.advertisingOn(controller, error)
    }
    onAir = wanted
    tell(.advertises(wanted))
  }

  private func plan(for wanted: Advertisement?) async throws(AdapterFinding) -> AdvertisingPlan {
    guard let wanted else { return AdvertisingPlan() }
    let features: AdvertisingFeatures
    do throws(ManagementError) {
      features = try await advertisingFeatures()
    } catch {
      throw AdapterFinding.advertisingOn(controller, error)
    }
    try check(wanted, features)
    return AdvertisingPlan(wanted, of: device, hasExtendedAdvertising: features.hasExtendedAdvertising)
  }

  private var device: AdvertisingPlan.Device {
    AdvertisingPlan.Device(name: deviceName, adapter: controller.address.address, ownAddress: ownAddress)
  }

  private func advertisingFeatures() async throws(ManagementError) -> AdvertisingFeatures {
    if let features { return features }
    let features = try await management.advertisingFeatures(of: controller.index)
    self.features = features
    return features
  }

  /// Whether the controller can advertise like this.
  private func check(_ wanted: Advertisement, _ features: AdvertisingFeatures) throws(AdapterFinding) {
    let keys = wanted.extendedKeys
    guard keys.isEmpty || features.hasExtendedAdvertising else {
      throw .noExtendedAdvertising(controller, needed: keys)
    }
    let missing = AdvertisingPHY.allCases.first { wanted.phys.contains($0) && !features.has($0) }
    if let missing { throw .noPHY(missing, controller) }
  }

  /// Our own sets come before the kernel's instance, because the kernel takes the last set's kind of address for that of
  /// its instance.
  private func update(_ wanted: [AdvertisingSet]) async throws(AdapterFinding) {
    guard !wanted.isEmpty || !sets.isEmpty else { return }
    let size = wanted.map { max($0.data.count, $0.scanResponse.count) }.max() ?? 0
    let capacity: Int
    do throws(HCICommandError) { capacity = try await sets.capacity(on: controller.index) } catch {
      throw AdapterFinding.advertisingSetsOn(controller, error)
    }
    guard size <= capacity else { throw .tooLong(size, of: capacity, controller) }
    do throws(HCICommandError) {
      if !wanted.isEmpty { tell(.addsSets(wanted.map(\.handle))) }
      if try await sets.update(wanted, of: device, on: controller.index) { advertised = nil }
    } catch {
      throw AdapterFinding.advertisingSetsOn(controller, error)
    }
  }

  private func update(_ main: Advertisement?) async throws(ManagementError) {
    guard let main else { return try await removeAdvertisement() }
    guard main != advertised || instance == nil else { return await resume(main) }
    isInterrupted = false
    try await send(main)
    advertised = main
  }

  private func removeAdvertisement() async throws(ManagementError) {
    guard let number = instance else { return }
    instance = nil
    lastInstance = nil
    advertised = nil
    try await management.removeAdvertising(number, on: controller.index)
  }

  /// Changes only the data if that is enough, so that there is no gap.
  private func send(_ advertisement: Advertisement) async throws(ManagementError) {
    let packets = ExactLayout(advertisement).packets
    if let instance, advertisement.hasSameParameters(as: advertised) {
      return try await management.setAdvertisingData(
        number: instance, data: packets.advertisingData.bytes, scanResponse: packets.scanResponse.bytes,
        on: controller.index)
    }
    let number: UInt8
    if let lastInstance { number = lastInstance } else { number = try await freeInstance() }
    lastInstance = number
    instance = nil
    tell(.addsInstance(number))
    try await management.addAdvertising(
      AdvertisingInstance(advertisement, packets, number: number), on: controller.index)
    instance = number
  }

  /// A controller that cannot advertise while it has a link refuses, and the kernel resumes later.
  private func resume(_ advertisement: Advertisement) async {
    guard isInterrupted else { return }
    isInterrupted = false
    try? await send(advertisement)
  }

  /// The highest number that is not known to be taken. bluetoothd gives the lowest that it does not use itself, also those
  /// of other programs, whose advertisements it so replaces.
  private func freeInstance() async throws(ManagementError) -> UInt8 {
    let features = try await management.advertisingFeatures(of: controller.index)
    self.features = features
    let numbers = 1...UInt8(clamping: max(1, features.maximumInstances))
    guard let free = numbers.last(where: { !features.instances.contains($0) }) else {
      // The kernel would replace one.
      throw .refused(.addExtendedAdvertisingParameters, .noResources)
    }
    return free
  }
}

extension Advertisement {
  fileprivate func hasSameParameters(as other: Advertisement?) -> Bool {
    interval == other?.interval && isConnectable == other?.isConnectable && isScannable == other?.isScannable
  }
}

extension AdvertisingInstance {
  fileprivate init(_ advertisement: Advertisement, _ packets: AdvertisingPackets, number: UInt8) {
    let scanResponse = packets.scanResponse.bytes
    var flags: AdvertisingFlags = advertisement.isConnectable ? .connectable : []
    if !advertisement.isConnectable, !scanResponse.isEmpty || advertisement.isScannable == true {
      flags.insert(.scanResponse)
    }
    let interval = advertisement.interval.map { $0.lowerBound.units...$0.upperBound.units }
    self.init(
      number: number, flags: flags, interval: interval, data: packets.advertisingData.bytes,
      scanResponse: scanResponse)
  }
}

extension AdvertisingFeatures {
  /// The kernel offers these flags only with extended advertising.
  fileprivate var hasExtendedAdvertising: Bool { flags.contains(.secondary1M) }

  fileprivate func has(_ phy: AdvertisingPHY) -> Bool {
    switch phy {
    case .le1M: flags.contains(.secondary1M)
    case .le2M: flags.contains(.secondary2M)
    case .coded: flags.contains(.secondaryCoded)
    }
  }
}
