import Definitions

extension MessageTemplate {
  /// A value for each field at random.
  func randomValues(using random: inout FuzzInput) -> [Value?] {
    fields.map { field -> Value in
      switch field.encoding {
      case .integer: .integer(Int64.random(in: field.encoding.range!, using: &random))
      case .bytes(let count, _): .bytes(random.bytes(count ?? random.number(below: 64)))
      case .text(let count, _):
        .text(String(decoding: random.bytes(count ?? random.number(below: 64)), as: UTF8.self))
      }
    }
  }
}
