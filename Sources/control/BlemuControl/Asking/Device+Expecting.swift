import BlemuJSON

extension Device {
  /// Waits until lines of the journal have come, in this order, and returns their events.
  ///
  /// ```swift
  /// try await device.expect("connect", "> FFE1 41 54", within: .seconds(10))
  /// try await device.expect("< FFE1", atLeast: 3)
  /// try await device.expect("disconnect", never: true, within: .seconds(1))
  /// ```
  ///
  /// - Parameters:
  ///   - lines: in the words of transcripts.
  ///   - atLeast: how many times the only line is expected.
  ///   - atMost: how many times the only line may come until the time is over.
  ///   - never: the same as `atMost: 0`.
  ///   - within: how long to wait; by default 5 s. With `atMost` and `never`, which wait until the time is over, by default
  ///     not at all: only what has come counts.
  ///   - after: the number of the event after which it counts, 0 for all. By default it begins where this `Device` (not a
  ///     central of it) has last done something to the device, or after what its last expectation has found, whichever is later.
  /// - Throws: ``ExpectationError`` if they did not come, or if the only line came too often.
  @discardableResult
  public func expect(
    _ lines: String..., atLeast: Int? = nil, atMost: Int? = nil, never: Bool = false, within: Duration? = nil,
    after: Int? = nil, file: StaticString = #fileID, line: UInt = #line
  ) async throws -> [Event] {
    let most = never ? 0 : atMost
    let time = within ?? (most == nil ? .seconds(5) : .zero)
    let parameters: KeyValuePairs<String, JSONValue?> = [
      "lines": .array(lines.map(JSONValue.string)), "within": .integer(time.wholeMilliseconds),
      "at-least": atLeast.map(JSONValue.integer), "at-most": most.map(JSONValue.integer),
      "after": after.map(JSONValue.integer),
    ]
    do {
      let result = try await call(.expect, parameters, wait: time)
      return try await events((result["events"]?.elements ?? []).compactMap(\.wholeNumber))
    } catch ControlFailure.refused(let error) where error.code == .notMet {
      throw ExpectationError(
        message: error.message, hint: error.hint, comparison: error.comparison ?? "", place: "\(file):\(line)"
      )
    }
  }

  /// The events with these numbers, which are sorted. Those that the journal has forgotten are left out.
  private func events(_ numbers: [Int]) async throws -> [Event] {
    var (rest, events) = (numbers[...], [Event]())
    while let first = rest.first, let last = rest.last {
      let most = min(last - first + 1, 1000)
      let page = try await call(.journal, ["after": .integer(first - 1), "most": .integer(most)])
      let found = (page["events"]?.elements ?? []).map(Event.init)
      let wanted = Set(rest)
      events += found.filter { wanted.contains($0.number) }
      rest = rest.drop { $0 < first + most }
    }
    return events
  }
}

/// An expectation that was not met.
public struct ExpectationError: Error, Hashable, Sendable {
  /// What did not come, or came too often.
  public var message: String
  /// What to do next, if there is something to say.
  public var hint: String?
  /// What was expected next to what came, as `blemu test` shows it.
  public var comparison: String
  /// The file and the line of the expectation.
  public var place: String
}

extension ExpectationError: CustomStringConvertible {
  public var description: String {
    "\(place): \(message)\n\n\(comparison)" + (hint.map { "\n  \($0)" } ?? "")
  }
}

extension Duration {
  /// Rounded up.
  var wholeMilliseconds: Int {
    let (seconds, attoseconds) = components
    return Int(seconds) * 1000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
