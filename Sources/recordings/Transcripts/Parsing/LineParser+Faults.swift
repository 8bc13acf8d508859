import Definitions
import DeviceModel

/// `fault drop out on serial every 3rd` adds a fault; `no fault drop out on serial every 3rd` removes it, and `no faults` all.
extension LineParser {
  /// Reads the text after `fault`, or the words after `no`.
  ///
  /// - Parameter column: the column of the line's first word.
  func fault(
    _ form: Form, _ words: inout Words, _ text: String, column: Int
  ) throws(Diagnostic) -> Step.Action {
    guard form == .no else { return .addFault(try fault(&words, text, column)) }
    let word = try words.next(.faults)
    switch word.word {
    case "faults": return .removeFaults
    case "fault": return .removeFault(try fault(&words, text, column))
    default: throw words.error(.notFaults, at: word.range)
    }
  }

  private func fault(
    _ words: inout Words, _ text: String, _ column: Int
  ) throws(Diagnostic) -> Fault {
    guard let first = words.next() else { throw words.missing(.fault) }
    while words.next() != nil {}
    let offset = first.range.lowerBound + 1 - column
    let rest = String(scalars: Array(text.unicodeScalars)[offset...])
    return try FaultReader(definition).read(rest, line: words.line, column: column + offset)
  }
}
