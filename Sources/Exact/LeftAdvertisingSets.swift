/// Advertising sets of ours that a run has left in the controller, because it was killed.
struct LeftAdvertisingSets: Hashable {
  /// The name of its text in an ``AdapterRecord``.
  static let name = "advertising-sets"

  /// Identifies the start of the machine, as in ``LeftAdvertisement``.
  var boot: String
  var handles: [UInt8]

  init(boot: String, handles: [UInt8]) {
    (self.boot, self.handles) = (boot, handles)
  }

  /// As in `6c2b0f9a-27f0-4d3a-8f66-24a1ef2f7a53/238,239`; nil: it is something else.
  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty else { return nil }
    let numbers = parts[1].split(separator: ",", omittingEmptySubsequences: false)
    let handles = numbers.compactMap { UInt8($0) }
    guard handles.count == numbers.count else { return nil }
    self.init(boot: String(parts[0]), handles: handles)
  }

  var text: String { "\(boot)/\(handles.map(String.init).joined(separator: ","))" }
}
