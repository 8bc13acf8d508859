import Bluetooth

extension Controller {
  /// Leaves an event for the host, if its mask lets it through (Vol 4 Part E 7.3.1).
  ///
  /// - Parameter place: where in the output; by default at the end.
  mutating func emit(_ code: UInt8, _ parameters: [UInt8], at place: Int? = nil) {
    let isAlwaysOn = [0x0E, 0x0F, 0x13].contains(code)
    guard isAlwaysOn || state.eventMask >> UInt64(code - 1) & 1 == 1 else { return }
    let subevent = code == 0x3E ? parameters[0] : 0
    let kind = UInt16(code, subevent)
    let ordinal = eventCounts[kind, default: 0]
    eventCounts[kind] = ordinal + 1
    let packet = [0x04, code, UInt8(truncatingIfNeeded: parameters.count)] + parameters
    let fault = traits.quirks.eventFaults.first { $0.kind == kind && $0.ordinal == ordinal }
    output.insert(
      contentsOf: fault?.effect.packets(insteadOf: packet) ?? [packet], at: place ?? output.count)
  }

  /// Leaves an LE Meta event (7.7.65), if both masks let it through (7.8.1).
  mutating func emitLowEnergy(_ subevent: UInt8, _ parameters: [UInt8]) {
    guard wants(subevent) else { return }
    emit(0x3E, [subevent] + parameters)
  }

  /// Whether the masks let an LE Meta event through.
  func wants(_ subevent: UInt8) -> Bool {
    state.eventMask >> 61 & 1 == 1 && state.lowEnergyEventMask >> UInt64(subevent - 1) & 1 == 1
  }

  /// Gives the host what there is for it.
  mutating func takeOutput() -> [[UInt8]] {
    defer { (output, unansweredCount, freshlyClosed) = ([], 0, []) }
    return output
  }
}
