import Framing

/// The page next to a learnt definition: where it comes from, what is certain, and what is inferred.
package struct LearntReadme {
  /// As in `treadmill`, the name of the files.
  package var name: String
  package var title: String
  /// As in `treadmill.btsnoop: btsnoop (HCI, H4), 3,520 packets`.
  package var origins: [String]
  /// What the recording does not show, and what was damaged, a sentence each.
  package var gaps: [String]
  package var evidence: [Evidence]
  /// How the learnt device answered the recorded conversations, a sentence each.
  package var checks: [String]
  /// Whether the recorded conversations are in a file.
  package var hasTranscript: Bool
  /// Why only blemu's own host can serve the device, a clause; nil: bluetoothd can, too.
  package var needsOwnHost: String?

  package init(
    name: String, title: String, origins: [String], gaps: [String], evidence: [Evidence], checks: [String],
    hasTranscript: Bool, needsOwnHost: String? = nil
  ) {
    (self.name, self.title, self.origins) = (name, title, origins)
    (self.gaps, self.evidence, self.checks) = (gaps, evidence, checks)
    (self.hasTranscript, self.needsOwnHost) = (hasTranscript, needsOwnHost)
  }

  package var text: String {
    """
    # \(VisibleText.escape(title))

    A virtual Bluetooth LE peripheral for blemu, learnt from a recording.

        blemu show \(name).yaml      # shows what a central will see
        blemu play \(name).yaml      # lets you play the phone's part, without Bluetooth
    \(runLine)
    \(hasTranscript ? "    blemu test \(name).yaml      # repeats the recorded conversations, in memory\n" : "")
    ## Sources

    \(Self.list(origins))

    \(checks.isEmpty ? "" : "## Compared with the recording\n\n\(Self.list(checks))\n\n")\
    ## Certain

    The attribute table, the values that were read, the advertising packets and the recorded conversations are in the recording byte
    for byte.

    ## Inferred

    \(evidence.isEmpty ? "Nothing: the device answers as it was recorded." : table)

    ## Not known

    \(gaps.isEmpty ? "Nothing is missing that the recording could show." : Self.list(gaps))

    """
  }

  private var runLine: String {
    guard let needsOwnHost else { return "    blemu run \(name).yaml       # puts it on the air" }
    return "    blemu run \(name).yaml --on exact  # puts it on the air, on blemu's own host: "
      + VisibleText.escape(needsOwnHost)
  }

  private static func list(_ sentences: [String]) -> String {
    sentences.map { "- \(VisibleText.escape($0))" }.joined(separator: "\n")
  }

  /// What was inferred, with how often the recording agrees.
  private var table: String {
    let rows = evidence.map { "| \(Self.cell($0.place)) | \(Self.cell($0.claim)) | \($0.agreement) |" }
    return (["| where | what | recording agrees |", "|---|---|---|"] + rows).joined(separator: "\n")
  }

  private static func cell(_ text: String) -> String { text.replacing("|", by: "\\|") }
}

/// A claim about a device, with how often the recording agrees with it.
package struct Evidence: Hashable, Sendable {
  /// What it is about: `FFE1 ->` is what the device sends from there, `FFE1 <-` what the central writes.
  package let place: String
  /// As in `sum8 over bytes 0 to 298`.
  package let claim: String
  /// In how many of the cases that could contradict it, it holds.
  package var agreeing: Int
  package var cases: Int

  package init(_ claim: String, at place: String, agreeing: Int, of cases: Int) {
    (self.claim, self.place) = (VisibleText.escape(claim), VisibleText.escape(place))
    (self.agreeing, self.cases) = (agreeing, cases)
  }

  /// `134 of 134`
  package var agreement: String { "\(agreeing) of \(cases)" }
}
