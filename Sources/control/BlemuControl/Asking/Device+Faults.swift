import BlemuJSON

/// Faults.
extension Device {
  /// Lets something go wrong while `body` runs.
  ///
  /// - Parameter words: those of the language's `faults:`, as in `drop out on FFE1 every 3rd`.
  @discardableResult
  public func withFault<Result>(
    _ words: String, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Result
  ) async throws -> Result {
    let number = try await addFault(words)
    let result: Result
    do { result = try await body() } catch {
      // The error of the body says more than another one.
      try? await removeFaultAnyway(number)
      throw error
    }
    try await removeFaultAnyway(number)
    return result
  }

  /// Lets something go wrong from now on, and returns the fault's number.
  ///
  /// - Parameter words: those of the language's `faults:`, as in `drop out on FFE1 every 3rd`.
  @discardableResult
  public func addFault(_ words: String) async throws -> Int {
    let result = try await call(.faults, ["add": .string(words)])
    guard let number = result["number"]?.wholeNumber else { throw ControlFailure.notUnderstood(result.line) }
    return number
  }

  /// Removes the fault with this number.
  public func removeFault(_ number: Int) async throws {
    _ = try await call(.faults, ["remove": .integer(number)])
  }

  /// Removes all faults.
  public func removeFaults() async throws { _ = try await call(.faults, ["remove-all": true]) }

  /// The faults that the device has now.
  public func faults() async throws -> [Fault] {
    (try await call(.faults)["faults"]?.elements ?? []).map(Fault.init)
  }

  /// Removes a fault even if the task has been cancelled.
  private func removeFaultAnyway(_ number: Int) async throws {
    try await Task { try await removeFault(number) }.value
  }
}

extension Device {
  /// Something that goes wrong on purpose.
  public struct Fault: Hashable, Sendable {
    /// Its number, by which it is removed.
    public var number: Int
    /// The fault in the words of definitions.
    public var words: String
    /// How many values, requests or times it has seen, and at how many of them it has struck.
    public var seen: Int, struck: Int
    /// Whether it will not strike again.
    public var isSpent: Bool

    init(_ value: JSONValue) {
      (number, words) = (value["number"]?.wholeNumber ?? 0, value["fault"]?.text ?? "")
      (seen, struck) = (value["seen"]?.wholeNumber ?? 0, value["struck"]?.wholeNumber ?? 0)
      isSpent = value["spent"]?.truth ?? false
    }
  }
}
