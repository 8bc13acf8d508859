import Bluetooth
import Framing
import HCIPackets

/// The start of a controller: one command after the other, from Reset to the event masks (Core Specification, Vol 6 Part D 2.1).
struct ControllerStart: Hashable {
  private(set) var abilities = ControllerAbilities()
  /// The index of the next command in ``steps``.
  private var position = 0

  /// The next command; nil: the controller is ready.
  mutating func nextCommand() -> HCICommand? {
    while position < Self.steps.count, !Self.steps[position].isNeeded(abilities) { position += 1 }
    return position < Self.steps.count ? Self.steps[position].command(abilities) : nil
  }

  /// Takes the answer to the command of ``nextCommand()``.
  ///
  /// - Parameter answer: the return parameters after the status.
  mutating func completed(_ error: HCIError?, _ answer: [UInt8]) throws(ControllerFailure) {
    guard position < Self.steps.count else { return }
    let step = Self.steps[position]
    let opcode = step.command(abilities).opcode
    position += 1
    if let error {
      if step.isRequired { throw .refused(opcode, error) }
      return
    }
    var fields = ByteReader(answer)
    guard step.read(&abilities, &fields) != nil else { throw .incomplete(opcode) }
    if opcode == .readLowEnergyFeatures { try finishFeatures() }
  }

  private mutating func finishFeatures() throws(ControllerFailure) {
    // "LE Supported (Controller)", bit 38
    if abilities.features != 0, abilities.features & 1 << 38 == 0 { throw .noLowEnergy }
    abilities.apply(ControllerQuirks(of: abilities))
  }
}
