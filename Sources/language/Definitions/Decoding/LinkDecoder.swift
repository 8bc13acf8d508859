import Bluetooth
import DeviceModel

/// Reads the limits of a device's links, and the connection parameters that it prefers.
struct LinkDecoder {
  let log: DiagnosticLog

  func link(_ node: Node<Language.Link>?) -> LinkDefinition {
    var link = LinkDefinition()
    link.mtu = node?.mtu?.value
    link.centrals = node?.centrals?.value
    link.whenFull = whenFull(node)
    link.multipleNotifications = node?.multipleNotifications ?? false
    guard let parameters = node?.parameters else { return link }
    link.preferred = preferred(parameters)
    link.askAfter = log.duration(parameters.askAfter).map { .milliseconds($0) }
    return link
  }

  private func whenFull(_ node: Node<Language.Link>?) -> LinkDefinition.WhenFull {
    guard let word = node?.whenFull, let whenFull = LinkDefinition.WhenFull(rawValue: word.text) else {
      return .silent
    }
    if node?.centrals == nil { log.error(.neverFull, at: word.range) }
    return whenFull
  }

  /// Reports Multiple Handle Value Notifications of a device to which no central can announce support for them.
  func checkNotifications(_ node: Node<Language.Link>?, _ device: PeripheralDefinition) {
    guard let node, device.link.multipleNotifications, !device.takesClientFeatures else { return }
    log.error(.noClientFeatures, at: node.place(of: Language.Link.outline.keys.multipleNotifications.name))
  }

  private func preferred(_ node: Node<Language.ConnectionParameters>) -> PreferredConnectionParameters? {
    let interval = node.interval.flatMap(interval)
    let timeout = node.timeout.flatMap {
      units($0, of: Self.timeoutUnit, PreferredConnectionParameters.possibleTimeouts)
    }
    guard let interval, let timeout, let place = node.timeout?.range else { return nil }
    let preferred = PreferredConnectionParameters(
      interval: interval, latency: UInt16(node.latency?.value ?? 0), supervisionTimeout: timeout)
    if Int(timeout) < preferred.leastTimeout {
      log.error(.shortTimeout(least: preferred.leastTimeout), at: place)
    }
    return preferred
  }

  private func interval(_ node: Node<Language.ConnectionInterval>) -> ClosedRange<UInt16>? {
    guard let shortest = node.min, let longest = node.max else { return nil }
    let ends = [shortest, longest].map {
      units($0, of: Self.intervalUnit, PreferredConnectionParameters.possibleIntervals)
    }
    guard let min = ends[0], let max = ends[1] else { return nil }
    if min <= max { return min...max }
    log.error(.reversedInterval(min: shortest.text, max: longest.text), at: longest.range)
    return nil
  }

  // In microseconds:
  private static let intervalUnit = 1250
  private static let timeoutUnit = 10_000

  /// A duration as a number of units.
  private func units(_ scalar: Scalar, of unit: Int, _ range: ClosedRange<UInt16>) -> UInt16? {
    guard let microseconds = DurationText.parse(scalar.text, perMillisecond: 1000) else {
      log.error(.notDuration(scalar.text), at: scalar.range)
      return nil
    }
    guard microseconds % unit == 0 else {
      log.error(.betweenUnits(scalar.text, unit: unit, microseconds / unit), at: scalar.range)
      return nil
    }
    guard let units = UInt16(exactly: microseconds / unit), range.contains(units) else {
      log.error(.outOfRange(scalar.text, unit: unit, range), at: scalar.range)
      return nil
    }
    return units
  }
}
