import Bluetooth
import Framing

// Vol 4 Part E 7.8.10, 7.8.11, 7.8.64, 7.8.65
extension Command {
  static let scanning: [UInt16: Self] = [
    // LE Set Scan Parameters
    0x200B: Self(26, 2, length: 7, family: .legacy) { controller, parameters throws(HCIError) in
      try controller.setScanParameters(&parameters)
      return []
    },
    // LE Set Scan Enable
    0x200C: Self(26, 3, length: 2, family: .legacy) { controller, parameters throws(HCIError) in
      let isEnabled = try parameters.flag()
      let activity = Scanner.Activity(isExtended: false, filtersDuplicates: try parameters.flag())
      try controller.scan(isEnabled ? activity : nil)
      return []
    },
    // LE Set Extended Scan Parameters
    0x2041: Self(37, 5, length: nil, family: .extended, needs: .extendedAdvertising) {
      controller, parameters throws(HCIError) in
      try controller.setExtendedScanParameters(&parameters)
      return []
    },
    // LE Set Extended Scan Enable
    0x2042: Self(37, 6, length: 6, family: .extended, needs: .extendedAdvertising) {
      controller, parameters throws(HCIError) in
      let isEnabled = try parameters.flag()
      let activity = try controller.extendedScan(&parameters)
      try controller.scan(isEnabled ? activity : nil)
      return []
    },
  ]
}

extension Controller {
  private var scanPolicies: ClosedRange<UInt8> {
    traits.features.contains(.extendedScanFilters) ? 0...3 : 0...1
  }

  /// Type, interval, window, own address type, filter policy.
  fileprivate mutating func setScanParameters(_ parameters: inout Parameters) throws(HCIError) {
    guard state.scanner.activity == nil else { throw .commandDisallowed }
    let isActive = try parameters.flag()
    let interval = try parameters.number(0x0004...0x4000)
    _ = try parameters.number(0x0004...interval)
    let ownAddressType = try parameters.byte(0...3)
    let policy = try parameters.byte(scanPolicies)
    state.scanner = Scanner(isActive: [1: isActive], ownAddressType: ownAddressType, filterPolicy: policy)
  }

  /// Own address type, filter policy, PHYs; for each: type, interval, window.
  fileprivate mutating func setExtendedScanParameters(_ parameters: inout Parameters) throws(HCIError) {
    guard state.scanner.activity == nil else { throw .commandDisallowed }
    let ownAddressType = try parameters.byte(0...3)
    let policy = try parameters.byte(scanPolicies)
    var isActive: [UInt8: Bool] = [:]
    for phy in try primaryPHYs(&parameters, among: [1, 3]) {
      isActive[phy] = try parameters.flag()
      let interval = try parameters.number(0x0004...0xFFFF)
      _ = try parameters.number(0x0004...interval)
    }
    try parameters.end()
    state.scanner = Scanner(isActive: isActive, ownAddressType: ownAddressType, filterPolicy: policy)
  }

  /// The PHYs of a set of bits, of which the controller must have all.
  func primaryPHYs(_ parameters: inout Parameters, among phys: [UInt8]) throws(HCIError) -> [UInt8] {
    let possible = phys.reduce(0) { $0 | 1 << ($1 - 1) } as UInt8
    let bits = try parameters.byte(1...7)
    guard bits & ~possible == 0 else { throw .invalidParameters }
    guard bits & ~traits.features.phys == 0 else { throw .unsupportedFeature }
    return phys.filter { bits >> ($0 - 1) & 1 == 1 }
  }

  /// Filter, duration (10 ms), period (1.28 s).
  fileprivate func extendedScan(_ parameters: inout Parameters) throws(HCIError) -> Scanner.Activity {
    let filter = try parameters.byte(0...2)
    let (duration, period) = (Int(try parameters.number()), Int(try parameters.number()))
    guard period == 0 || duration != 0 && duration < period * 128, filter != 2 || period != 0 else {
      throw .invalidParameters
    }
    let end =
      duration == 0 ? nil : now.advanced(by: .milliseconds(period == 0 ? duration * 10 : period * 1280))
    return Scanner.Activity(
      isExtended: true, filtersDuplicates: filter != 0, end: end,
      period: period == 0 ? nil : .milliseconds(period * 1280))
  }

  fileprivate mutating func scan(_ activity: Scanner.Activity?) throws(HCIError) {
    if activity != nil {
      guard ownAddress(type: state.scanner.ownAddressType, random: state.randomAddress) != nil else {
        throw .invalidParameters
      }
    }
    state.scanner.activity = activity
  }
}
