import Bluetooth
import ControlServer

/// What a person must know of a device that runs, besides its log.
package enum DeviceReport: Sendable {
  /// It failed, and has ended.
  case failed(DeviceFailure)
  /// It failed, and starts again.
  case restarts(DeviceFailure)
  /// It runs, but without a control side.
  case hasNoControl(ControlSocketError)
  /// Before it started, it forgot the bonds with these centrals.
  case forgotBonds([LinkAddress])
}

/// The end of a device that has failed.
package struct FailedRun: Error {
  package let failure: DeviceFailure
  /// Whether ``DeviceReport/restarts(_:)`` has had it: the device was stopped before it started again.
  package let isReported: Bool
}
