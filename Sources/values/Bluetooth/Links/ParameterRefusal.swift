/// How a peripheral's request for other connection parameters has failed.
package enum ParameterRefusal: Hashable, Sendable {
  /// The central has rejected them.
  case rejected
  /// The central does not know such requests.
  case notUnderstood
  /// The central did not answer within 30 s.
  case noAnswer
  /// The controller has refused or failed, here or at the peer.
  case controller(HCIError)

  /// The kebab-case name of a definition file: `rejected`, `unacceptable-connection-parameters`.
  package var name: String {
    switch self {
    case .rejected: "rejected"
    case .notUnderstood: "not-understood"
    case .noAnswer: "no-answer"
    case .controller(let error): error.name
    }
  }

  /// The names that are not those of an ``HCIError``.
  package static let ownNames = [Self.rejected, .notUnderstood, .noAnswer].map(\.name)
}
