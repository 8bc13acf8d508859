/// What expressions can ask for and not every transport knows.
package enum TransportValue: Hashable, Sendable {
  /// The handle of an attribute.
  case handle
  /// Why a link has ended.
  case reason
}
