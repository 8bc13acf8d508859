import Bluetooth
import Cryptography

/// The addresses of a device's advertising sets as they are now (Core Specification, Vol 6 Part B 1.3). Private ones change
/// whenever ``change(_:)`` says so; they depend on nothing but the seed, the set, and how often they have changed.
///
/// A device that is not given an identity resolving key has one that follows from its name and its adapter, as its address does
/// with `address: random`: phones that have bonded with it recognize it after it has started again, with and without `--state`.
package struct DeviceAddresses: Sendable {
  /// The name from which addresses are derived.
  private let device: String
  /// What a main set without a scheme has.
  private let usual: OwnAddress
  private let adapter: DeviceAddress
  private var random: RandomSource
  /// How often the private address of each set has changed, by the name of the set.
  private var changes: [String: UInt64] = [:]

  /// - Parameter definition: its name.
  package init(of definition: String, on adapter: DeviceAddress, _ basis: AddressBasis, seed: UInt64) {
    (device, self.adapter, random) = (basis.name(of: definition), adapter, RandomSource(seed: seed))
    usual = basis.hasAdapter ? .adapter : .derived
  }

  /// Gives a set another private address from now on.
  ///
  /// - Parameter set: its name; empty: the main one.
  package mutating func change(_ set: String) { changes[set, default: 0] += 1 }

  /// An advertisement with the addresses in all its sets. A further set without a scheme has the main one's address.
  package func assigned(to advertisement: Advertisement) -> Advertisement {
    var advertisement = advertisement
    advertisement.address = address(
      advertisement.addressScheme ?? .fixed(usual), of: "", number: 0, owner: device)
    for index in advertisement.furtherSets.indices {
      var set = advertisement.furtherSets[index]
      // An advertiser of a crowd is a device of its own, and a further set is the same one.
      let owner = advertisement.isCrowd ? "\(device)/\(set.name)" : device
      if !advertisement.isCrowd {
        set.addressScheme = set.addressScheme?.withKey(of: advertisement.addressScheme)
      }
      advertisement.furtherSets[index].address =
        set.addressScheme.map { address($0, of: set.name, number: index + 1, owner: owner) }
        ?? advertisement.address
    }
    return advertisement
  }

  /// The address by which a device is known that has this scheme for its main set: of a private one, the identity address.
  package func identity(_ scheme: AddressScheme?) -> DeviceAddress {
    switch scheme {
    case nil: usual.address(of: device, on: adapter)
    case .fixed(let address), .resolvable(let address, _, _): address.address(of: device, on: adapter)
    case .nonResolvable: OwnAddress.derived.address(of: device, on: adapter)
    }
  }
}

extension DeviceAddresses {
  /// nil: the adapter's.
  ///
  /// - Parameter owner: the device from which a key and an identity are derived.
  private func address(_ scheme: AddressScheme, of set: String, number: Int, owner: String) -> SetAddress? {
    switch scheme {
    case .fixed(.adapter): return nil
    case .fixed(let address):
      return SetAddress(address.address(of: set.isEmpty ? device : "\(device)/\(set)", on: adapter))
    case .nonResolvable:
      return SetAddress(DeviceAddress(nonResolvable: randomBytes(6, for: set, number))!)
    case .resolvable(let identity, let key, _):
      let key = key ?? usualKey(of: owner)
      let address = identity == .adapter ? nil : identity.address(of: owner, on: adapter)
      return SetAddress(
        Self.resolvable(by: key, randomBytes(3, for: set, number)),
        identity: DeviceIdentity(address: address, resolvingKey: key))
    }
  }

  /// The bytes that a set's address is made of now.
  private func randomBytes(_ count: Int, for set: String, _ number: Int) -> [UInt8] {
    var random = random
    random.step = changes[set] ?? 0
    let bits = random.bits(at: UInt64(number))
    return (0..<count).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }
  }

  private func usualKey(of owner: String) -> [UInt8] {
    Array(Hash.sha256.digest(of: Array("identity resolving key of \(owner) on \(adapter)".utf8)).prefix(16))
  }

  /// A resolvable private address (1.3.2.2): prand, and its hash with the key by the function ah (Vol 3 Part H 2.2.2).
  package static func resolvable(by key: [UInt8], _ random: [UInt8]) -> DeviceAddress {
    let prand = RandomAddressKind.random(random, of: .resolvable)
    let block = [UInt8](repeating: 0, count: 13) + prand
    return DeviceAddress(prand + AES(key: key.reversed()).encrypt(block).suffix(3))!
  }
}

extension LinkAddress {
  /// Whether it is a resolvable private address that was made with this key (Core Specification, Vol 6 Part B 1.3.2.3).
  ///
  ///     5E B0 22  41 9C 7A    prand, hash: the two highest bits of the first byte are 01
  ///
  /// - Parameter key: an identity resolving key, 16 bytes.
  package func isResolved(by key: [UInt8]) -> Bool {
    let random = Array(address.bytes[..<3])
    guard kind == .random, random[0] >> 6 == 0b01, key.count == 16 else { return false }
    return DeviceAddresses.resolvable(by: key, random) == address
  }
}

/// What the addresses of a device follow from, besides its definition and its adapter.
package struct AddressBasis: Hashable, Sendable {
  /// Tells devices of the same definition at one adapter apart, from 1 up.
  package var number: Int
  /// Whether a device without an address of its own has the adapter's; otherwise another device has it.
  package var hasAdapter: Bool

  package init(number: Int = 1, hasAdapter: Bool = true) {
    (self.number, self.hasAdapter) = (number, hasAdapter)
  }

  /// The name from which addresses are derived.
  ///
  /// - Parameter definition: its name.
  package func name(of definition: String) -> String { number == 1 ? definition : "\(definition) \(number)" }
}

extension AddressScheme {
  /// Of a further set: it is one device, which has one key and one identity, unless the set has a key of its own.
  fileprivate func withKey(of main: Self?) -> Self {
    guard case .resolvable(_, nil, let period) = self, case .resolvable(let identity, let key, _) = main
    else { return self }
    return .resolvable(identity: identity, key: key, period: period)
  }
}
