import Bluetooth
import DeviceModel
import Framing

/// The advertisement of the device, and the addresses in it.
struct Advertising: Sendable {
  /// nil: the transport gives the device the adapter's address.
  fileprivate var addresses: DeviceAddresses?
  /// Whether the rules want it.
  fileprivate var isWanted = true
  /// Whether the engine has asked for it.
  fileprivate var isOn = true
  /// The advertisement that the engine last asked for.
  fileprivate var latest: Advertisement?
  /// When it last asked for one with other values.
  fileprivate var since = Instant()

  init(_ addresses: DeviceAddresses?) { self.addresses = addresses }

  /// By which a device with this advertisement is known; nil: the adapter's address.
  func address(_ template: AdvertisementTemplate, in context: EvaluationContext) throws -> [UInt8]? {
    try addresses?.identity(template.scheme(in: context)).bytes
  }
}

extension Engine {
  mutating func startAdvertising() {
    for set in definition.advertisement.sets { scheduleRefresh(of: set) }
    scheduleAddressChanges()
    advertising.since = turn.now
  }

  /// Starts or stops advertising, as the rules want it from now on.
  mutating func advertise(_ isWanted: Bool) {
    advertising.isWanted = isWanted
    updateAdvertising(renewed: true)
  }

  /// Starts or stops advertising, as the rules and the number of centrals require.
  mutating func updateAdvertising(renewed: Bool = false) {
    let isFull = definition.link.isFull(with: links.centrals.count)
    let goesOn = definition.link.whenFull == .scannable
    let shouldAdvertise = advertising.isWanted && (!isFull || goesOn)
    let isRenewed = renewed || goesOn && advertising.latest?.isFull != isFull
    guard shouldAdvertise != advertising.isOn || (shouldAdvertise && isRenewed) else { return }
    guard shouldAdvertise else {
      advertising.isOn = false
      return turn.actions.append(.advertise(nil))
    }
    do {
      advertise(try advertisement())
    } catch {
      keepAdvertisement(because: "\(error)")
    }
  }

  /// Computes the advertisement of the start.
  mutating func prepareAdvertising() throws { advertising.latest = try advertisement() }

  /// The present advertisement; nil: the device does not advertise.
  package var currentAdvertisement: Advertisement? { advertising.isOn ? advertising.latest : nil }

  private mutating func advertise(_ new: Advertisement) {
    if let problem = limits.problem(with: new) { return keepAdvertisement(because: problem) }
    turn.actions.append(.advertise(new))
    advertising.isOn = true
    advertising.latest = new
    advertising.since = turn.now
    noteAddress(new.addressScheme)
  }

  /// Computes the values of the main advertisement (nil) or of a further set again. Each has its own period.
  mutating func refreshAdvertisement(of set: Int?) {
    scheduleRefresh(of: set)
    guard advertising.isOn, let old = advertising.latest else { return }
    do {
      let new = try advertisement().renewed(set, from: old)
      if new != old { advertise(new) }
    } catch {
      keepAdvertisement(because: "\(error)")
    }
  }

  /// Advertises the present values if they change the advertisement.
  mutating func updateAdvertisement(since former: EvaluationContext) {
    guard advertising.isOn else { return }
    do {
      let new = try advertisement()
      if (try? advertisement(in: former)) != new { advertise(new) }
    } catch {
      keepAdvertisement(because: "\(error)")
    }
  }

  private mutating func scheduleRefresh(of set: Int?) {
    guard let period = definition.advertisement.set(set).period else { return }
    turn.actions.append(.startTimer(.advertisement(set: set), at: turn.now.advanced(by: period)))
  }

  private mutating func keepAdvertisement(because problem: String) {
    let outcome = advertising.isOn ? "the advertisement stays as it was" : "nothing is advertised"
    remark(.logged("\(outcome): \(problem)"))
  }
}

// MARK: Addresses

extension Engine {
  /// By which centrals know the device: the main set's address or, of a private one, the identity address.
  package var address: DeviceAddress { DeviceAddress(context.address) ?? adapter }

  /// The address of the main set; nil: it is the adapter's.
  package var setAddress: SetAddress? { advertising.latest?.address }

  /// The advertisement for the present settings.
  ///
  /// - Throws: ``EvaluationError``, ``EncodingError`` or ``AdvertisementValueError``.
  package func advertisement() throws -> Advertisement { try advertisement(in: context) }

  private func advertisement(in context: EvaluationContext) throws -> Advertisement {
    let template = definition.advertisement
    var context = context
    context.address = try advertising.address(template, in: context) ?? context.address
    var advertisement = try template.resolved(in: context, with: table)
    advertising.addresses?.assign(to: &advertisement)
    return definition.link.isFull(with: Int(context.centrals)) ? advertisement.full : advertisement
  }

  /// Notes what the device is known by from now on.
  mutating func noteAddress(_ scheme: AddressScheme?) {
    if let addresses = advertising.addresses { context.address = addresses.identity(scheme).bytes }
  }

  /// Begins the time of each private address.
  private mutating func scheduleAddressChanges() {
    for set in definition.advertisement.sets { scheduleAddressChange(of: set) }
  }

  private mutating func scheduleAddressChange(of set: Int?) {
    guard advertising.addresses != nil, let period = definition.advertisement.set(set).address?.period else {
      return
    }
    turn.actions.append(.startTimer(.address(set: set), at: turn.now.advanced(by: period)))
  }

  /// Gives a set its next private address. The other values of the advertisement stay, and so does the time when it ends.
  mutating func changeAddress(of set: Int?) {
    scheduleAddressChange(of: set)
    let name = definition.advertisement.set(set).name
    advertising.addresses?.change(name)
    guard let addresses = advertising.addresses, var new = advertising.latest else { return }
    addresses.assign(to: &new)
    advertising.latest = new
    if let timeout = new.timeout {
      let rest = timeout - advertising.since.duration(to: turn.now)
      guard rest > .zero else { return }
      new.timeout = rest
    }
    if advertising.isOn { turn.actions.append(.advertise(new)) }
  }

  /// A device that starts again has other private addresses.
  mutating func changeAllAddresses() {
    advertising.addresses?.change("")
    for set in definition.advertisement.furtherSets { advertising.addresses?.change(set.name) }
    scheduleAddressChanges()
  }
}

extension Advertisement {
  /// The former advertisement with the values of one set of this one.
  fileprivate func renewed(_ set: Int?, from former: Self) -> Self {
    var (new, old) = (self, former)
    guard let set else {
      new.furtherSets = old.furtherSets
      return new
    }
    old.furtherSets[set] = new.furtherSets[set]
    return old
  }
}

extension AdvertisementTemplate {
  fileprivate var sets: [Int?] { [nil] + furtherSets.indices.map(Optional.some) }

  /// The main one (nil), or a further one by index.
  fileprivate func set(_ index: Int?) -> Self { index.map { furtherSets[$0] } ?? self }
}
