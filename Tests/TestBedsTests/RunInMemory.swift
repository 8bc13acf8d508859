import BlueZLimits
import Definitions
import DeviceModel
import EventLoop
import TestSupport
import Transcripts

@testable import TestBeds

let device = scale

/// The sections of a transcript without mistakes.
func parse(_ text: String, for definition: PeripheralDefinition = device) throws -> [Transcript.Section] {
  try TranscriptParser.parse(SourceText(name: "scale.transcript", text: text), for: definition).get().sections
}

/// Runs all sections in memory.
@EventLoop
func runInMemory(_ text: String, with definition: PeripheralDefinition = device) async throws
  -> [SectionResult]
{
  let testBed = LoopbackTestBed(limits: BlueZLimits())
  var results: [SectionResult] = []
  for section in try parse(text, for: definition) {
    let runner = SectionRunner(section, of: definition, on: testBed)
    results.append(try await runner.run(settings: definition.settings.map(\.initial)))
  }
  return results
}

/// The line and message of the first failure; nil if all sections pass.
func failure(of text: String, with definition: PeripheralDefinition = device) async throws -> String? {
  guard let failure = try await runInMemory(text, with: definition).lazy.compactMap(\.failure).first else {
    return nil
  }
  return "\(failure.line): \(failure.message)"
}

/// The report of the first failure.
func report(of text: String, with definition: PeripheralDefinition = device) async throws -> String {
  let results = try await runInMemory(text, with: definition)
  guard let result = results.first(where: { $0.failure != nil }), let failure = result.failure else {
    return ""
  }
  return FailureText.write(failure, of: result.title, in: "scale.transcript")
}
