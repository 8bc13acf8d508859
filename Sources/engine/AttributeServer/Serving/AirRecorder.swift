import Behavior
import Bluetooth
import EventLoop
import Peripheral

/// Records what a device hears and says on the air. Transports report to it at the moment at which it happens.
@EventLoop
package protocol AirRecorder: AnyObject {
  /// The device goes on the air with an adapter of this address.
  func begin(_ device: DeviceOnAir, on adapter: DeviceAddress)
  /// The device advertises this from now on; nil: it does not advertise.
  func advertise(_ advertisement: Advertisement?)

  /// - Parameter parameters: nil: they are not known.
  func connected(_ central: LinkAddress, _ parameters: ConnectionParameters?)
  /// A whole ATT PDU of a central.
  func received(_ packet: [UInt8], from central: Central)
  /// A whole ATT PDU for a central.
  func sent(_ packet: [UInt8], to central: Central)
  func encryptionChanged(of central: Central, isEncrypted: Bool)
  func parametersChanged(of central: Central, to parameters: ConnectionParameters)
  /// The device ends the link to a central, which gets this reason.
  func ends(_ central: Central, _ reason: HCIError)
  /// - Parameter reason: nil: it is not known.
  func disconnected(_ central: Central, _ reason: HCIError?)
}
