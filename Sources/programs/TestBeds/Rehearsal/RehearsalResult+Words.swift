extension RehearsalResult {
  /// `261 of 261 responses and 1,047 of 1,047 values match`, and what is not: `3 values in the right form with other
  /// bytes, 1 response wrong`.
  package var summary: String { summary(same: "match", wrong: "wrong") }

  /// The same for two devices: `261 of 261 responses and 1,047 of 1,047 values the same`.
  package var comparison: String { summary(same: "the same", wrong: "different") }

  private func summary(same words: String, wrong: String) -> String {
    let expected = values.count { $0.verdict != .extra }
    let same = (
      responses.count { $0.verdict == .asRecorded }, values.count { $0.verdict == .asRecorded }
    )
    let whole =
      "\(same.0.grouped) of \(responses.count.grouped) responses and \(same.1.grouped) of \(expected.grouped) values \(words)"
    let rest = remarks(wrong: wrong)
    return rest.isEmpty ? whole : "\(whole); \(rest.joined(separator: ", "))"
  }

  private func remarks(wrong: String) -> [String] {
    let kinds: [(Verdict, String)] = [
      (.rightForm, "in the right form with other bytes"), (.wrong, wrong), (.missing, "missing"),
      (.extra, "extra"),
    ]
    var remarks: [String] = []
    for (verdict, words) in kinds {
      let counts = [
        ("response", responses.count { $0.verdict == verdict }),
        ("value", values.count { $0.verdict == verdict }),
      ]
      for (noun, count) in counts where count > 0 {
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
