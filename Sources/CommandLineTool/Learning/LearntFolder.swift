import Definitions
import Learning

/// The folder of a learnt device: the definition, data files and a README with the evidence.
struct LearntFolder {
  /// Of the files.
  let name: String
  let path: String

  /// The name of the definition, with the folder.
  var definition: String { "\(path)/\(name).yaml" }

  /// Writes the files, the definition last: a folder with a definition is complete.
  func write(_ lesson: Learner.Lesson, _ report: LearnReport, _ learner: Learner) throws(CommandError) {
    for file in lesson.definition.dataFiles { try BlemuTool.write(file.text, to: "\(path)/\(file.name)") }
    let readme = LearntReadme(
      name: name, title: lesson.definition.name, origins: report.origins, gaps: report.gaps,
      evidence: lesson.definition.evidence, checks: [report.check])
    try BlemuTool.write(readme.text, to: "\(path)/README.md")
    try BlemuTool.write(lesson.definition.text, to: definition)
  }

  /// The names of the files.
  var files: [String] { FileSystem.entries(of: path).map { "\(path)/\($0)" }.sorted() }
}
