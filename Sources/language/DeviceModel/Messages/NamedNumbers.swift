/// Names for the numbers of a field, as in `u8(on: 0x23, off: 0x24)`. Names and numbers occur once; there is at least one.
package struct NamedNumbers: Hashable, Sendable {
  package let names: [String]
  package let numbers: [Int64]

  /// The most names of a field.
  package static let most = 256

  package init(_ pairs: [(name: String, number: Int64)]) {
    precondition(!pairs.isEmpty, "a field with names has some")
    names = pairs.map(\.name)
    numbers = pairs.map(\.number)
  }

  package func name(of number: Int64) -> String? { numbers.firstIndex(of: number).map { names[$0] } }

  package func number(named name: String) throws(EncodingError) -> Int64 {
    guard let index = names.firstIndex(of: name) else { throw .notNamed(name, names) }
    return numbers[index]
  }
}
