import Peripheral

/// Why a device cannot be surveyed.
package enum SurveyFailure: Error, Hashable, Sendable {
  /// Nobody with this address or name advertised within the time.
  ///
  /// - Parameter others: the devices that were heard.
  case notHeard(SurveyPlan.Target, within: Duration, others: [HeardDevice])
  /// The device advertised and could not be connected to.
  case noConnection(HeardDevice, within: Duration)
  /// A problem of the controller or of this machine.
  case controller(TransportError)
  /// ``Survey/stop()`` has ended it.
  case stopped
}
