import DeviceModel
import Framing

/// Delays a value by a time, plus up to the jitter.
struct Delay: FaultEffect {
  let time: Duration
  let jitter: Duration

  func fate(of value: [UInt8], in device: PeripheralDefinition, _ random: inout FaultRandom) -> ValueFate {
    let more = jitter == .zero ? 0 : random.below(Int(jitter.wholeMilliseconds) + 1)
    return .delayed(time + .milliseconds(more))
  }
}
