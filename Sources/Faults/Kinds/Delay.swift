import DeviceModel
import Framing

/// Passes a value later, by a time and up to the jitter more.
struct Delay: FaultEffect {
  let time: Duration
  let jitter: Duration

  func fate(of value: [UInt8], in device: PeripheralDefinition, _ random: inout FaultRandom) -> ValueFate {
    let more = jitter == .zero ? 0 : random.below(Int(jitter.wholeMilliseconds) + 1)
    return .delayed(time + .milliseconds(more))
  }
}
