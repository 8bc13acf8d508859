/// What a transport cannot do, or does in another way, at a place of a definition.
package struct Finding: Hashable, Sendable {
  package enum Severity: Hashable, Sendable {
    /// The transport cannot serve the definition.
    case error
    /// The transport serves the definition in another way than its author may expect.
    case warning
  }

  package var severity: Severity
  package var message: String
  package var place: DefinitionPlace
  /// What to do next, in a few words.
  package var hint: String?
  /// What explains it, a line each.
  package var notes: [String]

  package init(
    _ severity: Severity, _ message: String, at place: DefinitionPlace, hint: String? = nil,
    notes: [String] = []
  ) {
    (self.severity, self.message, self.place) = (severity, message, place)
    (self.hint, self.notes) = (hint, notes)
  }
}

/// A place in a definition, in its own terms: whatever read the definition knows where that is in a file.
///
/// Indices are those of ``PeripheralDefinition``.
package enum DefinitionPlace: Hashable, Sendable {
  /// A key of the advertisement, as in `local-name`; the whole advertisement where it has no such key.
  case advertisement(key: String)
  /// The AD type of a raw structure, by index in ``AdvertisementTemplate/raw``.
  case rawType(Int)
  /// The bytes of a raw structure.
  case rawBytes(Int)
  /// The UUID of a service.
  case service(Int)
  /// The UUID of a characteristic.
  case characteristic(Int)
  /// The UUID of a descriptor.
  case descriptor(Int, of: Int)
  /// The n-th `refuse` of a rule: those of its own actions come before those inside them.
  case refusal(Int, ofRule: Int)
}
