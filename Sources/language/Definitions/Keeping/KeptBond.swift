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
  package static let names = ["public", "random"]

  package var name: String { Self.names[self == .public ? 0 : 1] }
}

extension LongTermKey {
  /// By the kernel's number (bluez: doc/mgmt-api.txt, Load Long Term Keys).
  package static let kindNames = [
    "unauthenticated", "authenticated", "secure-unauthenticated", "secure-authenticated", "debug",
  ]
  package static let roleNames = ["peripheral", "central"]
}

/// Client Characteristic Configurations in words.
package enum ConfigurationNames {
  /// By the number that the central writes; 0 is not kept.
  package static let all = ["", "notify", "indicate", "notify-and-indicate"]

  package static func name(of number: UInt16) -> String? {
    number > 0 && number < all.count ? all[Int(number)] : nil
  }
}
