import Bluetooth
import DeviceModel
import Framing

struct Advertising: Sendable {
  /// Whether the rules want it.
  var isWanted = true
  /// Whether the engine has asked for it.
  var isOn = true
  /// The advertisement that the engine last asked for.
  var latest: Advertisement?
  /// When it last asked for one with other values.
  var since = Instant()
}

/// Advertising.
extension Engine {
  /// Starts or stops advertising, as the rules and the number of centrals require.
  mutating func updateAdvertising(renewed: Bool = false) {
    let isFull = definition.link.centrals.map { links.centrals.count >= $0 } ?? false
    let shouldAdvertise = advertising.isWanted && !isFull
    guard shouldAdvertise != advertising.isOn || (shouldAdvertise && renewed) else { return }
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

  mutating func scheduleRefreshes() {
    scheduleRefresh(of: nil)
    for index in definition.advertisement.furtherSets.indices { scheduleRefresh(of: index) }
  }

  private mutating func scheduleRefresh(of set: Int?) {
    let main = definition.advertisement
    guard let period = (set.map { main.furtherSets[$0] } ?? main).period else { return }
    turn.actions.append(.startTimer(.advertisement(set: set), at: turn.now.advanced(by: period)))
  }

  private mutating func keepAdvertisement(because problem: String) {
    let outcome = advertising.isOn ? "the advertisement stays as it was" : "nothing is advertised"
    remark(.logged("\(outcome): \(problem)"))
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
