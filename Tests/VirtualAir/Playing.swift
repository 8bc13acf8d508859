import Bluetooth
import ControllerModel
import Definitions
import DeviceModel
import EventLoop
import Exact
import TestBeds
import TestSupport
import Transcripts

/// A transcript and its device, on controllers of a kind.
struct Playing {
  typealias Traits = @Sendable (DeviceAddress) -> ControllerTraits

  private let transcript: Transcript
  private let definition: PeripheralDefinition
  private let traits: Traits

  /// - Parameter path: the transcript, in the folder of the definition whose name it begins with.
  init(_ path: String, _ traits: @escaping Traits) throws {
    let start = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
    let folder = path[..<start].isEmpty ? "./" : String(path[..<start])
    let names = Repository.names(in: folder).filter {
      $0.hasSuffix(".yaml") && path[start...].hasPrefix($0.dropLast(".yaml".count))
    }
    guard let name = names.max(by: { $0.count < $1.count }),
      let definition = try DefinitionLoader.load(path: folder + name, bundled: library).definition
    else { throw NoDefinition(transcript: path) }
    let source = SourceText(name: path, text: try TextFile.read(path))
    transcript = try TranscriptParser.parse(source, for: definition).get()
    (self.definition, self.traits) = (definition, traits)
  }

  /// Plays the sections whose times are not only those of a central in memory, each on an air of its own.
  @EventLoop
  func run() async throws -> TranscriptResult {
    var result = TranscriptResult(name: transcript.source.name, sections: [])
    for section in transcript.sections where !section.isMemoryOnly {
      result.sections.append(try await play(section))
    }
    return result
  }

  @EventLoop
  private func play(_ section: Transcript.Section) async throws -> SectionResult {
    let air = LiveAir(traits)
    let central = HostCentral(CentralSeat(air.central))
    central.breakLink = { await air.breakLink() }
    let testBed = AirTestBed(central: central, precision: TestBedTiming.model) { HostTransport(air.device) }
    let runner = SectionRunner(section, of: definition, on: testBed)
    var result = try await runner.run(settings: definition.settings.map(\.initial))
    if result.failure == nil, let mistake = air.mistakes.first {
      result.failure = SectionFailure(
        line: section.line, message: "a host has made a mistake: \(mistake)", rows: [])
    }
    return result
  }

  private struct NoDefinition: Error {
    var transcript: String
  }
}

extension TestBedTiming {
  /// A value and an answer wait for the next connection event, which comes within 50 ms. A long value takes up to four.
  fileprivate static func model(answer: Duration) -> TestBedTiming {
    let events = Duration.milliseconds(200)
    var timing = real(answer: answer)
    (timing.lateness, timing.advertising, timing.disconnectionDelay) = (events, .zero, .zero)
    timing.earliness = (0, events)
    return timing
  }
}
