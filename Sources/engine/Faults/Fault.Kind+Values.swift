import DeviceModel
import Framing

// What a fault does to the values and requests that it strikes.
extension Fault.Kind {
  /// The effect on a value.
  func fate(of value: [UInt8], in device: PeripheralDefinition, _ random: inout FaultRandom) -> ValueFate {
    switch self {
    case .drop: .replaced(by: [])
    case .duplicate: .replaced(by: [value, value])
    case .delay(let time, nil): .delayed(time)
    case .delay(let time, let jitter?):
      .delayed(time + .milliseconds(random.below(Int(jitter.wholeMilliseconds) + 1)))
    case .reorder: .gathered(2)
    case .merge(let count): .gathered(count)
    case .corrupt(let count, let unit): value.isEmpty ? .untouched : corrupted(value, count, unit, &random)
    case .truncate(let size): value.count > size ? .replaced(by: [Array(value.prefix(size))]) : .untouched
    case .split(let count): value.count > 1 ? split(value, into: count, &random) : .untouched
    case .stall(let time): .blocked(time)
    case .throttle(let speed, let buffer): .paced(speed, buffer: buffer)
    case .spoilChecksum: withWrongChecksum(value, device, &random)
    default: .untouched
    }
  }

  /// The result for gathered values, in their order.
  func combine(_ values: [[UInt8]]) -> [[UInt8]] {
    self == .reorder ? values.reversed() : [Array(values.joined())]
  }

  /// The effect on a request; nil: the device answers it at once.
  var requestFate: RequestFate? {
    switch self {
    case .refuse(let error, let handle): .refused(error, handle: handle)
    case .answer(let lateness): .answered(after: lateness)
    default: nil
    }
  }

  /// All bits or bytes change if there are fewer.
  private func corrupted(
    _ value: [UInt8], _ count: Int, _ unit: Fault.Unit, _ random: inout FaultRandom
  ) -> ValueFate {
    var bytes = value
    switch unit {
    case .bits: for bit in random.distinct(count, below: value.count * 8) { bytes[bit / 8] ^= 1 << (bit % 8) }
    case .bytes:
      for index in random.distinct(count, below: value.count) { bytes[index] ^= UInt8(1 + random.below(255)) }
    }
    return .replaced(by: [bytes])
  }

  /// Cuts at random places, or into single bytes if there are fewer.
  private func split(_ value: [UInt8], into count: Int, _ random: inout FaultRandom) -> ValueFate {
    let cuts = random.distinct(count - 1, below: value.count - 1).map { $0 + 1 }
    return .replaced(by: zip([0] + cuts, cuts + [value.count]).map { Array(value[$0..<$1]) })
  }

  /// Only a checksum of the message becomes wrong. A value without one stays unchanged.
  private func withWrongChecksum(
    _ value: [UInt8], _ device: PeripheralDefinition, _ random: inout FaultRandom
  ) -> ValueFate {
    let places = device.messages.lazy.map { $0.checksums(in: value) }.first { !$0.isEmpty } ?? []
    guard let place = places.last else { return .untouched }
    var bytes = value
    bytes[place.lowerBound + random.below(place.count)] ^= UInt8(1 + random.below(255))
    return .replaced(by: [bytes])
  }
}
