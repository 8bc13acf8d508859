import Bluetooth

/// The parameters of a Pairing Request and of a Pairing Response (Core Specification, Vol 3 Part H 3.5.1, 3.5.2).
package struct PairingFeatures: Hashable, Sendable {
  package var capability: IOCapability
  /// Whether the sender has out-of-band data of the other device.
  package var hasOutOfBandData: Bool
  /// With the bits that have no name: they go into the confirm values.
  package var requirements: AuthenticationRequirements
  /// The longest encryption key that the sender supports, in bytes.
  package var maximumKeySize: UInt8
  /// The keys that the central distributes.
  package var centralKeys: KeyKinds
  /// The keys that the peripheral distributes.
  package var peripheralKeys: KeyKinds

  package init(
    capability: IOCapability, hasOutOfBandData: Bool = false, requirements: AuthenticationRequirements,
    maximumKeySize: UInt8 = 16, centralKeys: KeyKinds = [], peripheralKeys: KeyKinds = []
  ) {
    (self.capability, self.hasOutOfBandData) = (capability, hasOutOfBandData)
    (self.requirements, self.maximumKeySize) = (requirements, maximumKeySize)
    (self.centralKeys, self.peripheralKeys) = (centralKeys, peripheralKeys)
  }
}

extension PairingFeatures {
  static let size = 6

  /// IO capability, OOB data flag and AuthReq: the parameters that the DHKey check covers (2.2.8).
  var checkedBytes: [UInt8] { [capability.rawValue, hasOutOfBandData ? 1 : 0, requirements.rawValue] }

  var bytes: [UInt8] { checkedBytes + [maximumKeySize, centralKeys.rawValue, peripheralKeys.rawValue] }

  /// - Parameter bytes: ``size`` of them.
  /// - Returns: nil where a byte has a reserved value. A key size of less than 7 is not one: it is refused with a reason of its
  ///   own.
  init?(_ bytes: [UInt8]) {
    guard let capability = IOCapability(rawValue: bytes[0]), bytes[1] <= 1, bytes[3] <= 16 else { return nil }
    self.init(
      capability: capability, hasOutOfBandData: bytes[1] == 1,
      requirements: AuthenticationRequirements(rawValue: bytes[2]), maximumKeySize: bytes[3],
      centralKeys: KeyKinds(rawValue: bytes[4]), peripheralKeys: KeyKinds(rawValue: bytes[5]))
  }
}
