import Bluetooth
import Framing

/// Names of the requests to a characteristic by their opcode: the first byte in which they differ.
struct RequestNames {
  /// The index of the opcode.
  let opcode: Int
  private let requests: [[UInt8]]

  init(_ requests: [[UInt8]]) {
    self.requests = requests
    let first = requests.first ?? []
    let shortest = requests.map(\.count).min() ?? 0
    opcode =
      first.indices.prefix(shortest).first { index in requests.contains { $0[index] != first[index] } } ?? 0
  }

  /// `97`; with more bytes as long as another request begins alike, four at most: `97-01`.
  func name(of request: [UInt8]) -> String {
    guard request.count > opcode else { return request.isEmpty ? "empty" : Self.text(request[...]) }
    var count = 1
    while count < 4, opcode + count < request.count,
      requests.contains(where: { $0 != request && $0.starts(with: request.prefix(opcode + count)) })
    { count += 1 }
    return Self.text(request[opcode...].prefix(count))
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    bytes.prefix(4).map { $0.hexadecimal(digits: 2).lowercased() }.joined(separator: "-")
  }
}
