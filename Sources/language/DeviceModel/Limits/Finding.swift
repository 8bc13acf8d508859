/// A part of a definition that a transport cannot serve, or serves in another way.
package struct Finding: Hashable, Sendable {
  package enum Severity: Hashable, Sendable {
    /// The transport cannot serve the definition.
    case error
    /// The transport serves the definition, but not as its author may expect.
    case warning
    /// The transport serves this part in its own way, as it does for every device.
    case note
  }

  package var severity: Severity
  package var message: String
  package var place: DefinitionPlace
  /// What the author can do about it.
  package var hint: String?
  /// Lines that explain it.
  package var notes: [String]

  package init(
    _ severity: Severity, _ message: String, at place: DefinitionPlace, hint: String? = nil,
    notes: [String] = []
  ) {
    (self.severity, self.message, self.place) = (severity, message, place)
    (self.hint, self.notes) = (hint, notes)
  }
}

/// A place in a definition. The decoder knows its line in the file.
///
/// Indices are those of ``PeripheralDefinition``.
package enum DefinitionPlace: Hashable, Sendable {
  /// A key of the advertisement, for example `local-name`; the whole advertisement if it has no such key.
  case advertisement(key: String)
  /// Likewise, of a further advertising set, by index.
  case advertisingSet(Int, key: String)
  /// The AD type of a raw structure, by index in ``AdvertisementTemplate/raw``.
  case rawType(Int)
  /// The bytes of a raw structure.
  case rawBytes(Int)
  /// The UUID of a service.
  case service(Int)
  /// The last handle of a service.
  case serviceEnd(Int)
  /// The UUID of a characteristic.
  case characteristic(Int)
  /// The UUID of a descriptor.
  case descriptor(Int, of: Int)
  /// The id of a channel.
  case channel(Int)
  /// The id of what the device looks for.
  case sought(Int)
  /// The handle of a service, characteristic or descriptor.
  indirect case handle(of: DefinitionPlace)
  /// The n-th of ``PeripheralDefinition/transportValues``.
  case transportValue(Int)
  /// The event that a rule waits for.
  case event(ofRule: Int)
  /// The n-th `refuse` of a rule: those of its own actions come before those inside them.
  case refusal(Int, ofRule: Int)
  /// The n-th of ``Rule/specialReasons``.
  case reason(Int, ofRule: Int)
  /// A key of the link, for example `parameters`.
  case link(key: String)
  /// The n-th of ``PeripheralDefinition/faults``.
  case fault(Int)
  /// A key of the security section, for example `request`.
  case security(key: String)
}
