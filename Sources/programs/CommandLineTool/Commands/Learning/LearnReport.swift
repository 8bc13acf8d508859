import BlemuJSON
import Captures
import DeviceModel
import Devices
import Framing
import Glibc
import Learning
import TestBeds

/// What `learn` prints.
struct LearnReport {
  let lesson: Learner.Lesson
  /// Where the recordings come from, as in `treadmill.btsnoop: btsnoop (HCI, H4), 3520 packets in 4min`.
  let origins: [String]
  /// What is not known, sentences.
  let gaps: [String]
  /// How the device answers what it was learnt from.
  let check: RehearsalResult
  /// How it answers the rest of the recording; nil: all of it was learnt.
  let rest: RehearsalResult?
  /// nil: there is none, or nothing is written.
  let transcript: RecordedTranscript?
  /// The bundled device that answers alike; nil: none does.
  let likeness: Likeness?
  /// Of the definition.
  let lineCount: Int

  init(
    _ lesson: Learner.Lesson, origins: [String], notes: [String], lineCount: Int, check: RehearsalResult,
    rest: RehearsalResult? = nil, transcript: RecordedTranscript? = nil, likeness: Likeness? = nil
  ) {
    (self.lesson, self.check, self.rest) = (lesson, check, rest)
    self.lineCount = lineCount
    (self.transcript, self.likeness) = (transcript, likeness)
    self.origins = origins.map(VisibleText.escape)
    gaps = (notes + lesson.definition.origin.filter { !origins.contains($0) }).map(VisibleText.escape)
  }

  /// - Parameter folder: nil: nothing was written.
  func text(explains: Bool, _ folder: LearntFolder?) -> String {
    var lines = origins + gaps.map { "note: \($0)" }
    if explains { lines += [""] + evidence + [""] }
    lines.append("replayed against the recording (by frame): \(check.summary)")
    if let rest { lines.append("replayed against the rest: \(rest.summary)") }
    if let likeness { lines.append("looks like \(likeness.summary); \(likeness.advice)") }
    if let folder {
      if let transcript {
        let rest = transcript.failures.isEmpty ? "" : "; README.md says where the others differ"
        lines.append("\(folder.name).transcript: \(transcript.summary)\(rest)")
      }
      let files = folder.files.map { $0 == folder.definition ? "\($0) (\(lineCount) lines)" : $0 }
      lines.append("made \(files.joined(separator: ", ")); next:")
      let place = ShellText.quoted(folder.definition)
      let run = needsOwnHost.map { "run \(place) --on exact  # \($0)" } ?? "run \(place)"
      let next = ["show \(place)", "play \(place)", run] + (transcript == nil ? [] : ["test \(place)"])
      lines += [""] + next.map { "  blemu \($0)" }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// Why bluetoothd cannot serve the device; nil: it can.
  var needsOwnHost: String? {
    TransportSpecification.bluez(.first).limits.check(lesson.definition.device).first {
      $0.severity == .error
    }
    .map { VisibleText.escape($0.message) }
  }

  /// The evidence in columns.
  private var evidence: [String] {
    let all = lesson.definition.evidence
    guard !all.isEmpty else { return ["nothing is inferred: the device answers as recorded"] }
    let widths = (all.map(\.place.count).max() ?? 0, all.map(\.agreement.count).max() ?? 0)
    return all.map {
      "\($0.place.padded(to: widths.0))  \($0.agreement.padded(to: widths.1))  \($0.claim)"
    }
  }

  func json(_ folder: LearntFolder?) -> JSONValue {
    let result: JSONValue = [
      "recordings": .array(origins.map { .string($0) }), "unknown": .array(gaps.map { .string($0) }),
      "evidence": .array(lesson.definition.evidence.map(\.json)), "lines": .integer(lineCount),
      "compared": check.json,
    ]
    return result.adding([
      "rest": rest?.json, "transcript": transcript?.json, "looks-like": likeness?.json,
      "needs-exact": needsOwnHost.map { .string($0) },
      "files": folder.map { .array($0.files.map { .string($0) }) },
    ])
  }
}

extension RehearsalResult {
  fileprivate var json: JSONValue {
    ["summary": .string(summary), "responses": responseCounts.json, "values": valueCounts.json]
  }
}

extension AnswerCounts {
  fileprivate var json: JSONValue {
    [
      "recorded": .integer(recorded), "as-recorded": .integer(asRecorded), "right-form": .integer(rightForm),
      "alike": .integer(alike),
      "wrong": .integer(wrong), "missing": .integer(missing), "extra": .integer(extra),
    ]
  }
}

extension Likeness {
  /// `jk-bms: 41 of 43 requests answered alike`
  var summary: String {
    let answers = "\(name): \(requestsAlike) of \(requests) requests answered alike"
    if requestsAlike * 2 >= requests, requests > 0 { return answers }
    return "\(requests == 0 ? "\(name): " : "\(answers), ")\(valuesRead) of \(values) values in its messages"
  }

  fileprivate var advice: String {
    "try 'extends: \(name)', as in 'blemu new my-\(name) --from \(name)'"
  }

  fileprivate var json: JSONValue {
    [
      "device": .string(name), "requests": .integer(requests), "requests-alike": .integer(requestsAlike),
      "values": .integer(values), "values-read": .integer(valuesRead),
    ]
  }
}

extension RecordedTranscript {
  fileprivate var json: JSONValue {
    [
      "summary": .string(summary), "sections": .integer(expecting.all), "passed": .integer(expecting.passed),
    ]
  }
}

extension Evidence {
  fileprivate var json: JSONValue {
    [
      "place": .string(place), "claim": .string(claim), "agreeing": .integer(agreeing),
      "cases": .integer(cases),
    ]
  }
}

extension Capture {
  /// `btsnoop (HCI, H4), 3520 packets in 4min`
  var summary: String {
    let time = if let start, let end { " in \(start.duration(to: end).written)" } else { "" }
    return "\(format), \(packetCount) \(packetCount == 1 ? "packet" : "packets")\(time)"
  }
}

extension CaptureNote {
  /// With the place in the file.
  var sentence: String { offset.map { "\(text) (at byte \($0))" } ?? text }
}
