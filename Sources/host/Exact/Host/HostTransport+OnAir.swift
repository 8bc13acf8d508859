import Behavior
import Bluetooth
import EventLoop
import HCIPackets
import Host
import Kernel
import Peripheral

// On the air and off.
extension HostTransport {
  /// How long a controller may take to advertise.
  private static let patience = Duration.seconds(10)
  /// How long to wait before the next attempt to reach a controller that has gone.
  private static let pause = Duration.seconds(1)

  package func open() async throws -> LocalAdapter {
    source.begin()
    isOpen = true
    do throws(TransportError) { try await start() } catch {
      isOpen = false
      _ = await source.end()
      throw error
    }
    return LocalAdapter(name: source.name, address: address, stack: source.stack)
  }

  private func start() async throws(TransportError) {
    let seat = try await SharedHost.join(source)
    seat.onEvent = { [weak self] in self?.take($0) }
    seat.onEnd = { [weak self] in self?.lost($0) }
    self.seat = seat
  }

  package func goOnAir(_ device: DeviceOnAir) async throws {
    try checkLimits(of: device)
    server.start(device)
    server.hasKey = { !$0.longTermKeys.isEmpty }
    recorder?.begin(device, on: address)
    for warning in source.warnings { host?.warn(warning) }
    do throws(AdapterFinding) { try await startAdvertising(device.advertisement) } catch {
      await leaveAir()
      throw TransportError(error)
    }
  }

  /// Returns once the controller has begun.
  private func startAdvertising(_ advertisement: Advertisement?) async throws(AdapterFinding) {
    guard let advertisement else { return }
    if let finding = finding(about: sets(of: advertisement), of: advertisement) { throw finding }
    let promise = Promise<AdapterFinding?>()
    goingOnAir = promise
    advertise(advertisement)
    let limit = EventLoop.after(Self.patience) { [source] in
      promise.fulfil(.doesNotAdvertise(source.name, reason: "the controller does not answer"))
    }
    let finding = await promise.value()
    limit.cancel()
    goingOnAir = nil
    if let finding { throw finding }
  }

  package func leaveAir() async {
    guard isOpen else { return }
    isOpen = false
    returning?.cancel()
    await returning?.value
    returning = nil
    advertise(nil)
    await endAllLinks()
    await seat?.leave()
    seat = nil
    if let problem = await source.end() { host?.warn(problem) }
    server.stop()
    early = []
  }

  /// The controller has gone, or has failed.
  private func lost(_ error: TransportError) {
    seat = nil
    for handle in links.keys { disconnected(handle, nil) }
    let reason = error.message
    if let goingOnAir { return goingOnAir.fulfil(.doesNotAdvertise(source.name, reason: reason)) }
    guard server.device != nil else { return }
    recorder?.advertise(nil)
    host?.fellOffAir(reason)
    returning = EventLoop.start { [weak self] in await self?.comeBack() }
  }

  private func comeBack() async {
    while !Task.isCancelled, seat == nil, server.device != nil {
      await EventLoop.pause(Self.pause)
      guard !Task.isCancelled, (try? await start()) != nil, !Task.isCancelled else { continue }
      _ = seat?.choose(among: [server.device?.ownAddress ?? address])
      advertise(advertised)
      host?.cameBackOnAir()
    }
  }
}

// MARK: Advertising

extension HostTransport {
  package func advertise(_ advertisement: Advertisement?) {
    let sets = advertisement.map(sets(of:)) ?? []
    if let advertisement, let finding = finding(about: sets, of: advertisement) {
      return host?.warn(finding.message) ?? ()
    }
    timeout = advertisement?.timeout.map { limit in
      EventLoop.after(limit) { [weak self] in self?.advertise(nil) }
    }
    advertised = advertisement
    if let advertisement { setAddresses = advertisement.allSets.map(\.address) }
    recorder?.advertise(advertisement)
    seat?.advertise(sets)
  }

  /// The address of a device without one of its own: the controller's or, if it has none, one derived from its place.
  var address: DeviceAddress {
    guard let address = seat?.host?.abilities?.address, address.isZero else {
      return seat?.host?.abilities?.address ?? DeviceAddress([0, 0, 0, 0, 0, 0])!
    }
    return OwnAddress.derived.address(of: source.name, on: address)
  }

  /// Likewise, with its kind.
  var controllerAddress: LinkAddress {
    LinkAddress(address, seat?.host?.abilities?.address.isZero == false ? .public : .random)
  }

  package var hostAddress: LinkAddress? { controllerAddress }

  /// The advertising sets; the main one has the handle 0.
  private func sets(of advertisement: Advertisement) -> [AdvertisingSet] {
    let ownAddress = controllerAddress.kind == .public ? nil : address
    return advertisement.allSets.enumerated().map { number, set in
      AdvertisingSet(
        set.withoutFurtherSets, ExactLayout(set).packets, handle: UInt8(truncatingIfNeeded: number),
        number: number, ownAddress: ownAddress)
    }
  }

  /// What the controller cannot advertise.
  private func finding(about sets: [AdvertisingSet], of advertisement: Advertisement) -> AdapterFinding? {
    guard let fact = seat?.problem(with: sets) else { return nil }
    let name = source.name
    switch fact {
    case .tooManySets: return .noAdvertisingSet(name)
    case .noExtendedAdvertising: return .noExtendedAdvertising(name, needed: advertisement.extendedKeys)
    case .phy(let phy): return .noPHY(name, phy)
    case .data(let size, let most), .scanResponse(let size, let most):
      return .advertisingDataTooLong(name, size: size, capacity: most)
    default: return .setRefused(name, reason: "\(fact)")
    }
  }
}

// MARK: Events

extension HostTransport {
  private func take(_ event: HostEvent) {
    switch event {
    case .connected(let link): connected(link)
    case .disconnected(let handle, let reason): disconnected(handle, reason)
    case .received(let handle, let packet): links[handle]?.channel.receive(packet)
    case .drained(let handle): links[handle]?.channel.drained()
    case .changed(let handle, let change):
      if let central = links[handle]?.central { server.linkChanged(central, change) }
    case .measured(let handle, let change):
      if let central = links[handle]?.central { server.measured(central, change) }
    case .asked(let handle, let request): answer(request, of: handle)
    case .parametersRefused(let handle, let refusal):
      if let central = links[handle]?.central { server.parametersRefused(by: central, refusal) }
    case .radio(let event): take(event)
    case .started, .failed, .heard: break
    case .channel(let handle, let channel, let event): take(event, in: channel, of: handle)
    case .security(let handle, let action): take(action, of: handle)
    }
  }

  private func take(_ event: RadioEvent) {
    switch event {
    case .advertisingBegan(0): goingOnAir?.fulfil(nil)
    case .refused(_, let command, let error):
      let reason = "the controller refused '\(command.opcode)': \(error)"
      let finding = AdapterFinding.doesNotAdvertise(source.name, reason: reason)
      if let goingOnAir { goingOnAir.fulfil(finding) } else { host?.warn(finding.message) }
    default: break
    }
  }
}
