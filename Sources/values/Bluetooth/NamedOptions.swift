/// An option set whose members have names in definition files and on D-Bus.
package protocol NamedOptions: OptionSet, Sendable, CustomStringConvertible {
  /// Every member with its kebab-case name, in listing order.
  static var namedMembers: [(name: String, member: Self)] { get }
}

extension NamedOptions {
  package static var allNames: [String] { namedMembers.map { $0.name } }

  package static func named(_ name: some StringProtocol) -> Self? {
    namedMembers.first { $0.name == name }?.member
  }

  /// The names of the members of this set.
  package var names: [String] {
    Self.namedMembers.filter { isSuperset(of: $0.member) }.map { $0.name }
  }

  package var description: String { names.joined(separator: ", ") }
}
