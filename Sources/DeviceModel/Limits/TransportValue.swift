/// A value that expressions can use but not every transport knows.
package enum TransportValue: Hashable, Sendable {
  /// The handle of an attribute.
  case handle
  /// Why a link has ended.
  case reason
}
