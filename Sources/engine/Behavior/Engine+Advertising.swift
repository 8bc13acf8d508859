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
  /// When it last asked for one that begins anew.
  fileprivate var since = Instant()
  /// What changes each set at once, and the values of that for which the set was last computed.
  fileprivate var causes: [(cause: Cause, values: [Value])]
  /// The sets that are computed after each event.
  fileprivate let liveSets: [Int?]
  /// When the timers of the sets fire next.
  fileprivate var dues: [TimerIdentifier: Instant] = [:]

  init(_ addresses: DeviceAddresses?, of template: AdvertisementTemplate) {
    self.addresses = addresses
    liveSets = template.sets.filter { template.set($0).isLive }
    causes = template.sets.map { (Cause(of: template.set($0)), []) }
  }

  /// By which a device with this advertisement is known; nil: the adapter's address.
  func address(_ template: AdvertisementTemplate, in context: EvaluationContext) throws -> [UInt8]? {
    try addresses?.identity(template.scheme(in: context)).bytes
  }
}

/// What a set uses that changes it at once: settings, and the number of centrals.
private struct Cause {
  let settings: [Int]
  let isCentrals: Bool

  init(of set: AdvertisementTemplate) {
    let expressions = set.changesAtOnce ? set.expressions : []
    settings = Set(expressions.flatMap(\.slots)).compactMap {
      if case .setting(let index) = $0 { index } else { nil }
    }
    isCentrals = expressions.contains { $0.reads([.centrals]) }
  }

  func values(in context: EvaluationContext) -> [Value] {
    settings.map { context.settings[$0] } + (isCentrals ? [.integer(context.centrals)] : [])
  }
}

extension Engine {
  mutating func startAdvertising() {
    startAdvertisingTimers()
    advertising.since = turn.now
  }

  /// Begins the periods of each set.
  private mutating func startAdvertisingTimers() {
    advertising.dues = [:]
    for set in definition.advertisement.sets {
      schedule(.advertisement(set: set))
      schedule(.address(set: set))
    }
  }

  /// Starts a timer for the next time, a whole number of periods after the last one, so that those of a set keep step.
  private mutating func schedule(_ timer: TimerIdentifier) {
    let period: Duration?
    switch timer {
    case .advertisement(let set): period = definition.advertisement.set(set).period
    case .address(let set):
      period = advertising.addresses == nil ? nil : definition.advertisement.set(set).address?.period
    default: period = nil
    }
    guard let period else { return }
    let last = advertising.dues[timer] ?? turn.now
    let count = 1 + Int(last.duration(to: turn.now) / period)
    let due = last.advanced(by: period * count)
    advertising.dues[timer] = due
    turn.actions.append(.startTimer(timer, at: due))
  }

  private func isDue(_ timer: TimerIdentifier) -> Bool {
    advertising.dues[timer].map { $0 <= turn.now } ?? false
  }

  /// Starts or stops advertising, as the rules want it from now on.
  mutating func advertise(_ isWanted: Bool) {
    advertising.isWanted = isWanted
    updateAdvertising(renewed: true)
  }

  /// Starts or stops advertising, as the rules and the number of centrals require.
  mutating func updateAdvertising(renewed: Bool = false) {
    let isFull = definition.link.isFull(with: links.centrals.count)
    let goesOn = definition.link.whenFull == .scannable || isClosedToCentrals
    let shouldAdvertise = advertising.isWanted && (!isFull || goesOn)
    let isRenewed = renewed || goesOn && advertising.latest?.isFull != isFull
    guard shouldAdvertise != advertising.isOn || (shouldAdvertise && isRenewed) else { return renew() }
    guard shouldAdvertise else {
      advertising.isOn = false
      return turn.actions.append(.advertise(nil))
    }
    do {
      noteCauses()
      advertise(try advertisement())
    } catch {
      keepAdvertisement(because: "\(error)")
    }
  }

  /// Advertises what the settings now say.
  mutating func followSettings() {
    if !changedSets.isEmpty { updateAdvertising() }
  }

  /// Whether its advertisement says that no further central may connect, so that it goes on when the device is full.
  private var isClosedToCentrals: Bool {
    let condition = definition.advertisement.isConnectable
    return condition.reads([.centrals]) && (try? condition.isTrue(in: context)) == false
  }

  /// Computes the advertisement of the start.
  mutating func prepareAdvertising() throws {
    advertising.latest = try advertisement()
    noteCauses()
  }

  private mutating func noteCauses() {
    for index in advertising.causes.indices {
      advertising.causes[index].values = advertising.causes[index].cause.values(in: context)
    }
  }

  /// The sets that use a setting that has changed, or the number of centrals.
  private var changedSets: [Int?] {
    zip(definition.advertisement.sets, advertising.causes).filter {
      $1.values != $1.cause.values(in: context)
    }.map(\.0)
  }

  /// The present advertisement; nil: the device does not advertise.
  package var currentAdvertisement: Advertisement? { advertising.isOn ? advertising.latest : nil }

  /// - Parameter goesOn: whether the time after which it ends has begun.
  private mutating func advertise(_ new: Advertisement, goesOn: Bool = false) {
    if let problem = limits.problem(with: new) { return keepAdvertisement(because: problem) }
    advertising.isOn = true
    advertising.latest = new
    noteAddress(new.addressScheme)
    var new = new
    if goesOn, let timeout = new.timeout {
      new.timeout = timeout - advertising.since.duration(to: turn.now)
    } else {
      advertising.since = turn.now
    }
    if new.timeout ?? .seconds(1) > .zero { turn.actions.append(.advertise(new)) }
  }

  /// Computes the values of the main advertisement (nil) or of a further set again. Each has its own period.
  mutating func refreshAdvertisement(of set: Int?) {
    schedule(.advertisement(set: set))
    // A set whose address changes now, or once no central pairs any more, has its new values then.
    let owner = definition.advertisement.set(set).address == nil ? nil : set
    if !isDue(.address(set: owner)) { renew([set]) }
  }

  /// Computes the sets that follow their values.
  mutating func renewLiveSets() { renew(advertising.liveSets) }

  /// Computes these sets again, and those that use what has changed, and advertises them if they differ.
  private mutating func renew(_ sets: [Int?] = []) {
    let sets = sets + changedSets
    guard advertising.isOn, !sets.isEmpty, let old = advertising.latest else { return }
    noteCauses()
    do {
      let new = try advertisement().renewed(sets, from: old)
      if new != old { advertise(new, goesOn: true) }
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
    advertisement = advertising.addresses?.assigned(to: advertisement) ?? advertisement
    return definition.link.isFull(with: Int(context.centrals)) ? advertisement.full : advertisement
  }

  /// Notes what the device is known by from now on.
  mutating func noteAddress(_ scheme: AddressScheme?) {
    if let addresses = advertising.addresses { context.address = addresses.identity(scheme).bytes }
  }

  /// Gives a set its next private address, and its new values with it. A rule for this event may set what they use.
  mutating func changeAddress(of set: Int?) {
    schedule(.address(set: set))
    if isDue(.advertisement(set: set)) { schedule(.advertisement(set: set)) }
    let template = definition.advertisement.set(set)
    for name in [template.name] + template.crowdNames { advertising.addresses?.change(name) }
    fire(.addressChanged, by: nil)
    renew([set])
    // Also of a device that does not advertise, or that cannot compute the rest.
    guard let addresses = advertising.addresses, let old = advertising.latest else { return }
    advertising.latest = addresses.assigned(to: old)
    if advertising.isOn, let new = advertising.latest, new != old { advertise(new, goesOn: true) }
  }

  /// A device that starts again has other private addresses.
  mutating func changeAllAddresses() {
    let names =
      definition.advertisement.sets.map { definition.advertisement.set($0).name }
      + definition.advertisement.crowdNames
    for name in names { advertising.addresses?.change(name) }
    startAdvertisingTimers()
  }
}

extension Advertisement {
  /// The former advertisement with the values of these sets of this one, and of those that have another address.
  fileprivate func renewed(_ sets: [Int?], from former: Self) -> Self {
    if isCrowd { return self }
    var new = sets.contains(nil) || address != former.address ? self : former
    new.furtherSets = zip(furtherSets, former.furtherSets).enumerated().map { index, each in
      sets.contains(index) || each.0.address != each.1.address ? each.0 : each.1
    }
    return new
  }
}

extension AdvertisementTemplate {
  fileprivate var sets: [Int?] { [nil] + furtherSets.indices.map(Optional.some) }

  /// The main one (nil), or a further one by index.
  fileprivate func set(_ index: Int?) -> Self { index.map { furtherSets[$0] } ?? self }
}
