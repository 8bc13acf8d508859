import EventLoop

/// Something that takes whatever bytes it is given, and must come through.
struct FuzzTarget: Sendable, CustomStringConvertible {
  let name: String
  /// - Throws: ``BrokenPromise``.
  let run: @EventLoop @Sendable ([UInt8]) async throws -> Void
  /// The input as a person reads it.
  let describe: @Sendable ([UInt8]) -> String

  var description: String { name }

  static let all = [definition, mutation, device, message, expression, transcript, attribute]

  static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

/// What must hold at all times did not.
struct BrokenPromise: Error, CustomStringConvertible {
  let description: String
}

func promise(_ holds: Bool, _ description: @autoclosure () -> String) throws(BrokenPromise) {
  if !holds { throw BrokenPromise(description: description()) }
}
