import Definitions
import EventLoop
import Learning
import TestBeds

/// A device that is to be learnt, and where its files go.
struct LearningWork {
  let learner: Learner
  /// Of the device and its files.
  let name: String
  let folder: String
  /// Where it comes from, a line each.
  let origins: [String]
  /// What is not known, sentences.
  let notes: [String]
  let style: LearningStyle

  /// Learns from everything, and writes the folder.
  @EventLoop
  func learn() async throws(CommandError) -> ExitStatus {
    let checked = try await checked(learner.conversations)
    let transcript: RecordedTranscript?
    do { transcript = try await RecordedTranscript(of: checked, learner.conversations, learner.table) } catch
    {
      throw Self.failure(error)
    }
    let folder = LearntFolder(name: name, path: folder)
    try BlemuTool.makeFolder(folder.path)
    let definition = try LearntFolder.text(of: checked.lesson.definition)
    let report = LearnReport(
      checked.lesson, origins: origins, notes: notes, lineCount: definition.lineCount, check: checked.result,
      transcript: transcript, likeness: try await likeness())
    try folder.write(definition, report)
    style.print(report, folder)
    return .success
  }

  @EventLoop
  func checked(_ conversations: [Conversation]) async throws(CommandError) -> CheckedLesson {
    do {
      return try await CheckedLesson.learn(
        learner, as: style.style, name: name, origin: origins, from: conversations)
    } catch {
      throw Self.failure(error)
    }
  }

  @EventLoop
  private func likeness() async throws(CommandError) -> Likeness? {
    do {
      return try await Likeness.find(
        in: DefinitionLibrary.ofThisProgram().bundled, for: learner.conversations, learner.table)
    } catch {
      throw Self.failure(error)
    }
  }

  static func failure(_ error: any Error) -> CommandError {
    if let error = error as? LessonError { return .failure("what was learnt has mistakes:\n\(error.report)") }
    return .failure("the learnt device cannot be tried: \(error)")
  }
}

// MARK: Names

extension Learner {
  /// The name that the device advertises, or that of its Device Name (2A00), as far as it may name a definition.
  var ownName: String? {
    let own = table.characteristics.first { $0.uuid.uuid == 0x2A00 }?.value.first
    let names = [device.advertisedName, own.map { String(decoding: $0, as: UTF8.self) }]
    return names.lazy.compactMap { $0 }.map(DeviceWord.write).first(where: Starter.isName)
  }
}

extension FilePath {
  /// The name of the file, as far as it may name a definition.
  var definitionName: String? {
    let word = DeviceWord.write(baseName)
    return Starter.isName(word) ? word : nil
  }
}
