import Bluetooth

/// Joins the fragments of advertising data that a controller reports (Core Specification, Vol 4 Part E 7.7.65.13).
package struct ReportJoiner: Sendable {
  private struct Source: Hashable {
    let address: LinkAddress
    let set: UInt8?
  }

  private var fragments: [Source: [UInt8]] = [:]

  /// The most bytes of advertising data (7.8.54).
  private static let capacity = 1650
  /// The most advertisers whose fragments wait at once.
  private static let mostSources = 256

  package init() {}

  /// Takes the next report of a controller.
  ///
  /// - Returns: the report with all its data, or with those that the controller could receive; nil: the rest is to come.
  package mutating func take(_ report: AdvertisingReport) -> AdvertisingReport? {
    guard let address = report.address else { return report }
    let source = Source(address: address, set: report.set)
    let data = (fragments.removeValue(forKey: source) ?? []) + report.data
    if report.properties.contains(.incomplete), !report.properties.contains(.truncated) {
      if fragments.count >= Self.mostSources { fragments = [:] }
      if data.count <= Self.capacity { fragments[source] = data }
      return nil
    }
    var report = report
    report.data = data
    return report
  }
}
