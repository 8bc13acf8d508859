import Bluetooth
import Captures
import Definitions
import DeviceModel
import Devices
import Learning
import Transcripts

/// One of the two devices of `diff`: a definition, or a device of a recording.
struct ComparedDevice {
  let facts: DeviceFacts
  /// nil: it is a recording.
  let definition: PeripheralDefinition?
  /// nil: it is a definition.
  let recording: Learner?
  /// Of the transcripts next to the definition.
  let sections: [Transcript.Section]

  /// - Parameter address: which device of a recording; nil: the only one.
  init(_ name: String, address: String?) throws(CommandError) {
    guard let recording = try Self.recording(name) else {
      let choice = try DefinitionChoice(name, assignments: [], on: .exact(.first), printsWarnings: false)
      do { facts = try DeviceFacts(choice.definition) } catch { throw .badSettings(problem: "\(error)") }
      (definition, self.recording) = (choice.definition, nil)
      sections = try Self.sections(name, choice.definition)
      return
    }
    let device = try CapturedDeviceChoice([recording]).choose(address, in: name)
    let table = ObservedTable(connections: device.connections)
    var learnt = LearntDefinition(name: FilePath(name).name, summary: "")
    learnt.addServices(table)
    learnt.addAdvertisement(of: device, table)
    learnt.addLink(device.connections)
    var facts: DeviceFacts
    do { facts = try DeviceFacts(learnt.device, knowsDefaults: false) } catch {
      throw .failure("what is learnt of '\(name)' has mistakes: \(error)")
    }
    facts.keepOnly(table: table, of: device)
    self.facts = facts
    (self.definition, self.recording, sections) = (nil, Learner(device), [])
  }

  private static func sections(
    _ name: String, _ definition: PeripheralDefinition
  ) throws(CommandError) -> [Transcript.Section] {
    let library = DefinitionLibrary.ofThisProgram()
    var sections: [Transcript.Section] = []
    for file in TranscriptFinder(library: library).find([try library.find(name)]).files {
      switch TranscriptParser.parse(try file.source(), for: definition) {
      case .success(let transcript): sections += transcript.sections
      case .failure(let mistakes): throw .failure("'\(file.path)' has mistakes:\n\(mistakes.report)")
      }
    }
    return sections
  }

  /// The recording in a file; nil: the name is that of a definition.
  private static func recording(_ name: String) throws(CommandError) -> Capture? {
    guard FileSystem.isFile(name), !name.hasSuffix(".yaml") else { return nil }
    do throws(CaptureFileError) { return try Capture(path: name) } catch {
      if error.reason == .notARecording { return nil }
      throw .badRecording(error)
    }
  }
}
