import BlemuJSON
import Synchronization

/// What no rule can say: a cipher, a database.
extension Device {
  /// Answers in place of the device's rules while `body` runs.
  ///
  /// ```swift
  /// try await lock.withAnswers(to: "> control challenge") { question in
  ///   .message("response", ["key": .integer(key(for: question.fields["nonce"]))])
  /// } during: {
  ///   try await client.unlock()
  /// }
  /// ```
  ///
  /// The device waits for the answer, and delays further acts of this central. Everything else goes on: `answer` may ask
  /// and control the device.
  ///
  /// - Parameters:
  ///   - line: a read, a write or a message, in the words of transcripts: `read level`, `> FFE1`, `> serial day-request`.
  ///   - within: how long `answer` may take: at most 25 s, on BlueZ 4.5 s. After that the rules go on, and the log says so.
  ///   - answer: gets what a central does, which has no number in the journal yet, one after the other. nil lets the rules go on.
  /// - Throws: the error of `body`, or else the first of `answer`, after which the rules went on.
  public func withAnswers<Result>(
    to line: String, within: Duration = .seconds(1), isolation: isolated (any Actor)? = #isolation,
    _ answer: @escaping @Sendable (Event) async throws -> Answer?, during body: () async throws -> Result
  ) async throws -> Result {
    let link = try await DeviceLink.connect(to: name, patience: patience)
    let answering = Answering(on: link, answer)
    defer { answering.end() }
    let parameters: JSONValue = ["what": .string(line), "within": .integer(within.wholeMilliseconds)]
    _ = try await link.call(.intercept, parameters)
    let result = try await body()
    if let failure = answering.failure { throw failure }
    return result
  }

  /// What a program answers in place of the rules.
  public enum Answer: Hashable, Sendable {
    /// The value of a read; after a write or a message, what its central gets. Without bytes it gets nothing.
    ///
    /// - Parameter from: the id of the characteristic that sends it; nil: the one from which rules answer.
    case content(Content, from: String? = nil)
    /// Refuses the request with an ATT error, by its name, as in `insufficient-authorization`, or as in `0x80`.
    case refusal(String)
  }
}

extension Device.Answer: ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
  /// In the words of transcripts, as in `day-total packets=5`.
  public init(stringLiteral words: String) { self = .content(.words(words)) }
  public init(arrayLiteral bytes: UInt8...) { self = .content(.bytes(bytes)) }
}

extension Device.Answer {
  public static func bytes(_ bytes: [UInt8]) -> Self { .content(.bytes(bytes)) }

  /// A message with the values of its fields, by their names.
  public static func message(_ name: String, _ fields: [String: Device.Value] = [:]) -> Self {
    .content(.message(name, fields))
  }

  fileprivate var members: JSONValue {
    switch self {
    case .content(let content, nil): .object(content.members)
    case .content(let content, let place?):
      .object(content.members + [.init(name: "from", value: .string(place))])
    case .refusal(let error): ["error": .string(error)]
    }
  }
}

/// Answers the questions of a device, one after the other, until its end.
private final class Answering: Sendable {
  private let link: DeviceLink
  private let task: Task<Void, Never>
  private let first: FirstFailure

  private final class FirstFailure: Sendable {
    let error = Mutex<(any Error)?>(nil)
  }

  init(on link: DeviceLink, _ answer: @escaping @Sendable (Device.Event) async throws -> Device.Answer?) {
    let (questions, sender) = AsyncStream.makeStream(of: DeviceLink.Question.self)
    let first = FirstFailure()
    link.onQuestion { sender.yield($0) }
    task = Task {
      for await question in questions {
        do {
          let members = try await answer(Device.Event(question.parameters))?.members ?? [:]
          link.respond(to: question, .success(members))
        } catch {
          first.error.withLock { $0 = $0 ?? error }
          link.respond(to: question, .failure(ControlError(.notPossible, "\(error)")))
        }
      }
    }
    (self.link, self.first) = (link, first)
  }

  /// What `answer` has thrown first.
  var failure: (any Error)? { first.error.withLock(\.self) }

  func end() {
    link.close()
    task.cancel()
  }
}
