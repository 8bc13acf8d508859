import Bluetooth
import Framing

// LE Set Extended Advertising Enable (Vol 4 Part E 7.8.56)
extension Controller {
  private struct Request {
    var handle: Int
    /// In units of 10 ms; 0: no end.
    var duration: UInt16
    var mostEvents: UInt8
  }

  /// Whether, a number, and for each set its handle, duration and the most events.
  mutating func enableExtendedAdvertising(_ parameters: inout Parameters) throws(HCIError) {
    let isEnabled = try parameters.flag()
    let requests = try Self.requests(&parameters)
    guard isEnabled else { return try disable(requests.map(\.handle)) }
    guard !requests.isEmpty else { throw .invalidParameters }
    for request in requests { try check(request) }
    for request in requests { start(request) }
  }

  private static func requests(_ parameters: inout Parameters) throws(HCIError) -> [Request] {
    var requests: [Request] = []
    for _ in 0..<(try parameters.byte(0...63)) {
      let handle = Int(try parameters.byte(0...0xEF))
      requests.append(
        Request(handle: handle, duration: try parameters.number(), mostEvents: try parameters.byte()))
    }
    try parameters.end()
    guard Set(requests.map(\.handle)).count == requests.count else { throw .invalidParameters }
    return requests
  }

  /// Disables some sets, or all.
  private mutating func disable(_ handles: [Int]) throws(HCIError) {
    guard handles.allSatisfy({ state.advertisers[$0] != nil }) else { throw .unknownAdvertisingIdentifier }
    for handle in handles.isEmpty ? Array(state.advertisers.keys) : handles {
      state.advertisers[handle]?.activity = nil
    }
  }

  private func check(_ request: Request) throws(HCIError) {
    guard let set = state.advertisers[request.handle] else { throw .unknownAdvertisingIdentifier }
    guard set.data.isComplete, set.scanResponse.isComplete else { throw .commandDisallowed }
    if !set.properties.contains(.legacy), set.properties.contains(.scannable), set.scanResponse.bytes.isEmpty
    {
      throw .commandDisallowed
    }
    if set.properties.contains(.highDuty), !(1...128).contains(request.duration) { throw .invalidParameters }
    guard ownAddress(type: set.ownAddressType, random: set.randomAddress) != nil else {
      throw .invalidParameters
    }
    try set.checkLength()
    if set.properties.contains(.connectable), !hasRoomForLink { throw .connectionLimitExceeded }
  }

  /// A set that is already enabled begins its duration and its events again.
  private mutating func start(_ request: Request) {
    let end: Instant? =
      request.duration == 0 ? nil : now.advanced(by: .milliseconds(Int(request.duration) * 10))
    let next = state.advertisers[request.handle]?.activity?.nextEvent ?? firstAdvertisingEvent()
    state.advertisers[request.handle]?.activity = Advertiser.Activity(
      nextEvent: next, end: end, mostEvents: request.mostEvents)
  }
}
