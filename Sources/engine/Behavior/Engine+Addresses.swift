import Bluetooth
import DeviceModel
import Framing

/// The addresses of the device.
extension Engine {
  /// By which centrals know the device: the main set's address or, of a private one, the identity address.
  package var address: DeviceAddress { DeviceAddress(context.address) ?? adapter }

  /// The address of the main set; nil: it is the adapter's.
  package var setAddress: SetAddress? { advertising.latest?.address }

  /// The advertisement for the present settings.
  ///
  /// - Throws: ``EvaluationError``, ``EncodingError`` or ``AdvertisementValueError``.
  package func advertisement() throws -> Advertisement { try advertisement(in: context) }

  func advertisement(in context: EvaluationContext) throws -> Advertisement {
    let template = definition.advertisement
    guard let addresses else { return try template.resolved(in: context, with: table) }
    var context = context
    context.address = addresses.identity(try template.scheme(in: context)).bytes
    var advertisement = try template.resolved(in: context, with: table)
    addresses.assign(to: &advertisement)
    return advertisement
  }

  /// Notes what the device is known by from now on.
  mutating func noteAddress(_ scheme: AddressScheme?) {
    if let addresses { context.address = addresses.identity(scheme).bytes }
  }
}

// MARK: Private addresses

extension Engine {
  /// Begins the time of each private address.
  mutating func scheduleAddressChanges() {
    scheduleAddressChange(of: nil)
    for index in definition.advertisement.furtherSets.indices { scheduleAddressChange(of: index) }
  }

  private mutating func scheduleAddressChange(of set: Int?) {
    guard addresses != nil, let period = definition.advertisement.set(set).address?.period else { return }
    turn.actions.append(.startTimer(.address(set: set), at: turn.now.advanced(by: period)))
  }

  /// Gives a set its next private address. The other values of the advertisement stay, and so does the time when it ends.
  mutating func changeAddress(of set: Int?) {
    scheduleAddressChange(of: set)
    let name = definition.advertisement.set(set).name
    addresses?.change(name)
    guard let addresses, var new = advertising.latest else { return }
    addresses.assign(to: &new)
    advertising.latest = new
    if let timeout = new.timeout {
      let rest = timeout - advertising.since.duration(to: turn.now)
      guard rest > .zero else { return }
      new.timeout = rest
    }
    if advertising.isOn { turn.actions.append(.advertise(new)) }
  }

  /// A device that starts again has other private addresses.
  mutating func changeAllAddresses() {
    addresses?.change("")
    for set in definition.advertisement.furtherSets { addresses?.change(set.name) }
    scheduleAddressChanges()
  }
}

extension AdvertisementTemplate {
  /// The main one (nil), or a further one by index.
  fileprivate func set(_ index: Int?) -> Self { index.map { furtherSets[$0] } ?? self }
}
