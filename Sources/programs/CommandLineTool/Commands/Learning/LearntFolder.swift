import DefinitionWriter
import Definitions
import Learning
import TestBeds

/// The folder of a learnt device: the definition, data files, the transcript and a README with the evidence.
struct LearntFolder {
  /// Of the files.
  let name: String
  let path: String

  /// The name of the definition, with the folder.
  var definition: String { "\(path)/\(name).yaml" }

  /// Writes the files, the definition last: a folder with a definition is complete.
  func write(_ definition: WrittenDefinition, _ report: LearnReport) throws(CommandError) {
    for file in definition.dataFiles { try BlemuTool.write(file.text, to: "\(path)/\(file.name)") }
    let likeness = report.likeness.map { "It looks like the bundled \($0.summary)." }
    let readme = LearntReadme(
      name: name, title: report.lesson.definition.device.name, origins: report.origins, gaps: report.gaps,
      evidence: report.lesson.definition.evidence,
      checks: [report.check.summary] + checks(report.transcript) + (likeness.map { [$0] } ?? []),
      hasTranscript: report.transcript != nil, needsOwnHost: report.needsOwnHost)
    if let transcript = report.transcript {
      try BlemuTool.write(transcript.text, to: "\(path)/\(name).transcript")
    }
    try BlemuTool.write(readme.text, to: "\(path)/README.md")
    try BlemuTool.write(definition.text, to: self.definition)
  }

  static func text(of learnt: LearntDefinition) throws(CommandError) -> WrittenDefinition {
    do { return try learnt.written() } catch {
      throw .failure("the language cannot say what was learnt: \(error)")
    }
  }

  /// How the device keeps to the transcript, sentences.
  private func checks(_ transcript: RecordedTranscript?) -> [String] {
    guard let transcript else { return [] }
    let cut = transcript.cut.map { "Of connection \($0), \(name).transcript has only the beginning." }
    return ["\(name).transcript has the recorded conversations: \(transcript.summary)."] + transcript.failures
      + cut
  }

  /// The names of the files.
  var files: [String] { FileSystem.entries(of: path).map { "\(path)/\($0)" }.sorted() }
}

extension WrittenDefinition {
  var lineCount: Int { text.utf8.count { $0 == 0x0A } }
}
