/// How many answers have each verdict.
package struct AnswerCounts: Hashable, Sendable {
  package private(set) var asRecorded = 0
  package private(set) var rightForm = 0
  package private(set) var alike = 0
  package private(set) var wrong = 0
  package private(set) var missing = 0
  package private(set) var extra = 0

  /// How many were recorded.
  package var recorded: Int { asRecorded + rightForm + alike + wrong + missing }

  init(_ verdicts: [RehearsalResult.Verdict] = []) {
    for verdict in verdicts {
      switch verdict {
      case .asRecorded: asRecorded += 1
      case .rightForm: rightForm += 1
      case .alike: alike += 1
      case .wrong: wrong += 1
      case .missing: missing += 1
      case .extra: extra += 1
      }
    }
  }
}

extension RehearsalResult {
  package var responseCounts: AnswerCounts { AnswerCounts(responses.map(\.verdict)) }
  package var valueCounts: AnswerCounts { AnswerCounts(values.map(\.verdict)) }

  /// `1,290 of 1,308 answers as recorded`, and what the others are: `15 in the right form, 2 values alike, 1 response missing`. Answers
  /// are the responses to requests and the values that the device sends.
  package var summary: String { summary(same: "as recorded", wrong: "wrong") }

  /// The same for two devices: `1,308 of 1,308 answers the same`.
  package var comparison: String { summary(same: "the same", wrong: "different") }

  private func summary(same words: String, wrong: String) -> String {
    let counts = AnswerCounts(responses.map(\.verdict) + values.map(\.verdict))
    let whole =
      "\(counts.asRecorded.grouped) of \(counts.recorded.grouped) answer\(counts.recorded == 1 ? "" : "s") \(words)"
    let form = counts.rightForm == 0 ? [] : ["\(counts.rightForm.grouped) in the right form"]
    let rest = form + remarks(wrong: wrong)
    return rest.isEmpty ? whole : "\(whole); \(rest.joined(separator: ", "))"
  }

  private func remarks(wrong: String) -> [String] {
    let (responses, values) = (responseCounts, valueCounts)
    let kinds: [(KeyPath<AnswerCounts, Int>, String)] = [
      (\.alike, "alike"), (\.wrong, wrong), (\.missing, "missing"), (\.extra, "extra"),
    ]
    var remarks: [String] = []
    for (count, words) in kinds {
      for (noun, count) in [("response", responses[keyPath: count]), ("value", values[keyPath: count])]
      where count > 0 {
        remarks.append("\(count.grouped) \(noun)\(count == 1 ? "" : "s") \(words)")
      }
    }
    if !reordered.isEmpty {
      remarks.append("another order of values in \(reordered.count.grouped) of the conversations")
    }
    return remarks
  }
}

extension Int {
  /// `1,047`
  fileprivate var grouped: String {
    var text = ""
    for (index, digit) in String(self).reversed().enumerated() {
      if index > 0, index % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return String(text.reversed())
  }
}
