import Bluetooth
import HCIPackets

/// Why a controller cannot be used, or no longer.
package enum ControllerFailure: Error, Hashable, Sendable {
  /// It did not answer a command in time.
  case noAnswer(HCIOpcode)
  /// It answered a command, and then did not let the host send another in time.
  case takesNoCommand(after: HCIOpcode)
  /// It refused a command without which there is no host.
  case refused(HCIOpcode, HCIError)
  /// It answered with fewer return parameters than the command has.
  case incomplete(HCIOpcode)
  /// It has no LE.
  case noLowEnergy
  /// It reported Hardware Error, with a number of its maker.
  case hardware(UInt8)
}

extension ControllerFailure: CustomStringConvertible {
  /// The failure as a clause.
  package var description: String {
    switch self {
    case .noAnswer(let opcode): "the controller did not answer '\(opcode)'"
    case .takesNoCommand(let opcode): "the controller took no more commands after '\(opcode)'"
    case .refused(let opcode, let error): "the controller refused '\(opcode)': \(error)"
    case .incomplete(let opcode): "the controller's answer to '\(opcode)' is too short"
    case .noLowEnergy: "the controller has no Bluetooth LE"
    case .hardware(let number): "the controller reported a hardware error (number \(number))"
    }
  }
}
