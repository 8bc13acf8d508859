import EventLoop

/// A part of the program that must keep its guarantees for any input.
struct FuzzTarget: Sendable, CustomStringConvertible {
  let name: String
  /// - Throws: ``BrokenGuarantee``.
  let run: @EventLoop @Sendable ([UInt8]) async throws -> Void
  /// Explains an input.
  let describe: @Sendable ([UInt8]) -> String

  var description: String { name }

  static let all = [
    definition, mutation, device, message, expression, transcript, attribute, server, control, face,
    request, websocket, table, links, stream, listing, recording, learning, host, security,
    signalling, channel, client, h4, scan,
  ]

  static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

/// A guarantee that an input has broken.
struct BrokenGuarantee: Error, CustomStringConvertible {
  let description: String
}

func guarantee(_ holds: Bool, _ description: @autoclosure () -> String) throws(BrokenGuarantee) {
  if !holds { throw BrokenGuarantee(description: description()) }
}
