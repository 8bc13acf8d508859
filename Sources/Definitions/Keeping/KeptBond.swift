import Bluetooth

/// A bond in a file, with the address that the device had when it bonded. Centrals identify a device by its
/// address.
package struct KeptBond: Hashable, Sendable {
  package var device: DeviceAddress
  package var bond: Bond

  package init(_ bond: Bond, of device: DeviceAddress) { (self.bond, self.device) = (bond, device) }
}

// MARK: Words

extension LinkAddress.Kind {
  static let names = ["public", "random"]

  var name: String { Self.names[self == .public ? 0 : 1] }
}

extension LongTermKey {
  /// By the kernel's number (bluez: doc/mgmt-api.txt, Load Long Term Keys).
  static let kindNames = [
    "unauthenticated", "authenticated", "secure-unauthenticated", "secure-authenticated", "debug",
  ]
  static let roleNames = ["peripheral", "central"]
}

/// Client Characteristic Configurations in words.
enum ConfigurationNames {
  /// By the number that the central writes; 0 is not kept.
  static let all = ["", "notify", "indicate", "notify-and-indicate"]

  static func name(of number: UInt16) -> String? {
    number > 0 && number < all.count ? all[Int(number)] : nil
  }
}
