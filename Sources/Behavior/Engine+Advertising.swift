import Bluetooth
import DeviceModel

/// Advertising.
extension Engine {
  /// Starts or stops advertising, as the rules and the number of centrals require.
  mutating func updateAdvertising(renewed: Bool = false) {
    let isFull = definition.link.centrals.map { centrals.count >= $0 } ?? false
    let shouldAdvertise = wantsAdvertising && !isFull
    guard shouldAdvertise != isAdvertising || (shouldAdvertise && renewed) else { return }
    guard shouldAdvertise else {
      isAdvertising = false
      return actions.append(.advertise(nil))
    }
    do {
      let new = try advertisement()
      if let problem = limits.problem(with: new) { return keepAdvertisement(because: problem) }
      actions.append(.advertise(new))
      isAdvertising = true
      advertised = new
    } catch {
      keepAdvertisement(because: "\(error)")
    }
  }

  /// Computes the values of the advertisement anew.
  mutating func refreshAdvertisement() {
    scheduleRefresh()
    guard isAdvertising, (try? advertisement()) != advertised else { return }
    updateAdvertising(renewed: true)
  }

  mutating func scheduleRefresh() {
    guard let period = definition.advertisement.period else { return }
    actions.append(.startTimer(.advertisement, at: now.advanced(by: period)))
  }

  private mutating func keepAdvertisement(because problem: String) {
    let outcome = isAdvertising ? "the advertisement stays as it was" : "nothing is advertised"
    actions.append(.remark(.logged("\(outcome): \(problem)")))
  }

  /// The advertisement for the present settings.
  ///
  /// - Throws: ``EvaluationError`` or ``EncodingError``.
  package func advertisement() throws -> Advertisement {
    try definition.advertisement.resolved(in: context, with: table)
  }
}
