import Definitions
import DeviceModel
import EventLoop
import TestBeds
import Transcripts

extension FuzzTarget {
  /// Any text as a transcript: the name of a device on a line, then the transcript, which is run.
  static let transcript = FuzzTarget(
    name: "transcript",
    run: { bytes in
      var input = FuzzInput(bytes)
      let subject = input.subject()
      guard let definition = subject.definition else { return }
      let text = String(decoding: input.bytes(bytes.count), as: UTF8.self)
      let source = SourceText(name: "fuzz.transcript", text: text)
      _ = TranscriptParser.device(in: source)
      switch TranscriptParser.parse(source, for: definition) {
      case .success(let transcript): try await play(transcript, with: definition)
      case .failure(let mistakes):
        try guarantee(!mistakes.report.isEmpty, "the report of the mistakes is empty")
      }
    },
    describe: { String(decoding: $0, as: UTF8.self) })

  @EventLoop
  private static func play(_ transcript: Transcript, with definition: PeripheralDefinition) async throws {
    let settings = definition.settings.map(\.initial)
    for section in transcript.sections.prefix(4) where section.duration <= .seconds(60) {
      let runner = SectionRunner(section, of: definition, on: LoopbackTestBed())
      let result = try await runner.run(settings: settings)
      guard let failure = result.failure else { continue }
      let text = FailureText.write(failure, of: result.title, in: "fuzz.transcript")
      try guarantee(!text.isEmpty, "the report of the failure is empty")
    }
  }
}

extension Transcript.Section {
  /// The least virtual time that the section takes. Some devices have work in every millisecond.
  fileprivate var duration: Duration {
    steps.reduce(.zero) { sum, step in
      switch step.action {
      case .wait(let duration), .silence(let duration): sum + duration
      case .expect(let expectation): sum + (expectation.within ?? expectation.after?.upperBound ?? .zero)
      default: sum
      }
    }
  }
}
