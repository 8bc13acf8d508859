/// Several devices of one process, as a file describes them.
///
/// Values are texts with their places. The code that runs the devices reads them, as on a command line, and reports mistakes.
package struct Stand: Sendable {
  package var name: String
  /// In the order of the file.
  package var devices: [Device]

  package struct Device: Sendable {
    /// Its name for other commands.
    package var name: Scalar
    package var definition: Scalar
    /// As after `--on`.
    package var place: Scalar?
    package var settings: [Setting]
    package var seed: UInt64?
    package var state: Scalar?
    package var wire: Wire?
    package var faults: [Scalar]
    package var restart: Restart
  }

  package struct Setting: Sendable {
    package var name: Scalar
    package var value: Scalar
  }

  package enum Wire: Sendable {
    case terminal(Scalar)
    case program([Scalar], restart: Scalar?)
    case port(Scalar)
    case serial(Scalar)
  }

  /// When a device restarts.
  package enum Restart: String, CaseIterable, Sendable {
    case never
    /// After a failure.
    case onFailure = "on-failure"
  }
}
