import Bluetooth
import Framing

/// Names of the requests to a characteristic by their opcode: the first byte in which they differ.
struct RequestNames {
  /// The index of the opcode.
  let opcode: Int

  init(_ requests: [[UInt8]]) {
    let first = requests.first ?? []
    let shortest = requests.map(\.count).min() ?? 0
    opcode =
      first.indices.prefix(shortest).first { index in requests.contains { $0[index] != first[index] } } ?? 0
  }

  /// `97`
  func name(of request: [UInt8]) -> String {
    guard let byte = request.count > opcode ? request[opcode] : request.last else { return "empty" }
    return byte.hexadecimal(digits: 2).lowercased()
  }
}
