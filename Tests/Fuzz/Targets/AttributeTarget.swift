import Bluetooth
import EventLoop
import Kernel
import TestSupport

@testable import GATTClient

extension FuzzTarget {
  /// Any bytes as an ATT PDU, and as a GATT server's answers to the GATT client: packets, each after a byte with its
  /// length.
  static let attribute = FuzzTarget(
    name: "attribute",
    run: { bytes in
      if let pdu = try? AttributePDU(bytes) {
        try guarantee(pdu.encode() == bytes, "\(pdu) is encoded to other bytes")
      }
      try await talk(FuzzInput(bytes))
    },
    describe: { bytes in
      var input = FuzzInput(bytes)
      var lines = ["as a whole: \((try? AttributePDU(bytes)).map { "\($0)" } ?? "not a PDU")"]
      while !input.isEmpty {
        let packet = input.packet()
        lines.append("< \((try? AttributePDU(packet)).map { "\($0)" } ?? "\(packet)")")
      }
      return lines.joined(separator: "\n")
    })

  /// Lets a client send requests to a server that answers with the input and closes at its end.
  @EventLoop
  private static func talk(_ input: FuzzInput) async throws {
    var input = input
    let (ours, theirs) = pairOfChannels()
    let client = GATTClient(over: ours, mtu: 185, timeLimit: .milliseconds(5))
    theirs.onReceive = { _ in
      guard !input.isEmpty else { return theirs.close() }
      repeat { theirs.send(input.packet()) } while input.byte() == UInt8(ascii: "&")
    }
    _ = try? await client.exchangeMTU()
    _ = try? await client.discover()
    let attributes = try? await client.find { .findInformationRequest($0) }
    let groups = try? await client.find { .readByGroupTypeRequest($0, type: 0x2800) }
    let declarations = try? await client.find { .readByTypeRequest($0, type: 0x2803) }
    for found in [attributes, groups, declarations] {
      try guarantee((found ?? []).map(\.handle).isAscending, "the handles of found attributes do not ascend")
    }
    _ = try? await client.read(3)
    try? await client.writeLong([UInt8](repeating: 7, count: 300), to: 3)
    try guarantee((23...185).contains(client.mtu), "the MTU is \(client.mtu)")
    await client.disconnect()
    theirs.close()
  }
}

extension [AttributeHandle] {
  fileprivate var isAscending: Bool { zip(self, dropFirst()).allSatisfy(<) }
}

extension FuzzInput {
  fileprivate mutating func packet() -> [UInt8] {
    let count = number(below: 64)
    return bytes(max(1, count))
  }
}
