import Bluetooth

/// How an advertising set gets its address, which may come from settings.
package enum AddressTemplate: Sendable {
  case fixed(OwnAddress)
  /// A static address with these six bytes, most significant first, except for its two highest bits.
  case computed(ValueTemplate)
  /// - Parameter key: the identity resolving key, 16 bytes, most significant first.
  case resolvable(identity: OwnAddress, key: ValueTemplate?, period: Duration)
  case nonResolvable(period: Duration)

  /// nil: the address does not change by itself.
  package var period: Duration? {
    switch self {
    case .fixed, .computed: nil
    case .resolvable(_, _, let period), .nonResolvable(let period): period
    }
  }

  /// By which centrals know a device that has this address; nil: only its values tell.
  package var identity: OwnAddress? {
    switch self {
    case .fixed(let address), .resolvable(let address, _, _): address
    case .nonResolvable: .derived
    case .computed: nil
    }
  }

  /// - Throws: ``EvaluationError``, ``EncodingError`` or ``AdvertisementValueError``.
  func scheme(in context: EvaluationContext) throws -> AddressScheme {
    switch self {
    case .fixed(let address): return .fixed(address)
    case .nonResolvable(let period): return .nonResolvable(period: period)
    case .computed(let template):
      let bytes = try template.render(in: context)
      guard let address = DeviceAddress(static: bytes) else {
        throw AdvertisementValueError.address(size: bytes.count)
      }
      return .fixed(.given(address))
    case .resolvable(let identity, let template, let period):
      let key = try template?.render(in: context)
      if let key, key.count != 16 { throw AdvertisementValueError.resolvingKey(size: key.count) }
      return .resolvable(identity: identity, key: key?.reversed(), period: period)
    }
  }

  /// The expressions in it.
  package var expressions: [Expression] {
    switch self {
    case .fixed, .nonResolvable: []
    case .computed(let template): template.expressions
    case .resolvable(_, let key, _): key?.expressions ?? []
    }
  }
}
