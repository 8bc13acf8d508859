import Captures
import TestSupport

/// The links with the device of a recording in `Tests/CapturesTests/Captures`.
func recordedLinks(_ name: String) throws -> [CapturedConnection] { try recordedDevice(name).connections }

/// The device of a recording with the most links.
func recordedDevice(_ name: String) throws -> CapturedDevice {
  let capture = try Capture(path: Repository.path + "Tests/CapturesTests/Captures/" + name)
  return capture.devices.max { $0.connections.count < $1.connections.count } ?? CapturedDevice(address: nil)
}
