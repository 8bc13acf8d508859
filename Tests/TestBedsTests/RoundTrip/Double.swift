import AttributeServer
import Bluetooth
import Captures
import Definitions
import DeviceModel
import EventLoop
import Exact
import Framing
import Learning
import Loopback
import Peripheral
import Recording
import TestSupport
import Transcripts

@testable import TestBeds

/// A bundled device and the double that is learnt from a recording of its transcripts.
@EventLoop
struct Double {
  let original: PeripheralDefinition
  let sections: [Transcript.Section]
  let learner: Learner
  let checked: CheckedLesson
  var definition: PeripheralDefinition { checked.definition }

  /// Records the sections that a central alone can hold, after it has discovered the attributes.
  init(_ original: PeripheralDefinition, _ sections: [Transcript.Section], as style: Learner.Style)
    async throws
  {
    (self.original, self.sections) = (original, sections)
    let clock = Clock()
    let folder = TemporaryFolder()
    let path = folder.path + "/double.btsnoop"
    let file = try RecordingFile(path, .btsnoop)
    let recording = AirRecording(in: file, layout: ExactLimits()) { clock.now }
    try await Self.discover(original, recording, clock)
    for section in sections where Obstacle(of: section) == nil {
      let testBed = LoopbackTestBed()
      testBed.recorder = recording
      clock.follow { testBed.now }
      _ = try await SectionRunner(section, of: original, on: testBed)
        .run(settings: original.settings.map(\.initial))
      clock.stop()
    }
    file.close()
    let devices = try Capture(path: path).devices
    learner = Learner(
      devices.first { !$0.connections.isEmpty } ?? devices.first ?? CapturedDevice(address: nil))
    checked = try await CheckedLesson.learn(
      learner, as: style, name: original.name, origin: [], from: learner.conversations)
  }

  private static func discover(
    _ original: PeripheralDefinition, _ recording: AirRecording, _ clock: Clock
  ) async throws {
    let scheduler = ManualScheduler()
    let transport = LoopbackTransport(scheduler: scheduler)
    transport.recorder = recording
    clock.follow { scheduler.now }
    let peripheral = LivePeripheral(
      original, settings: original.settings.map(\.initial), transport: transport, scheduler: scheduler,
      sinks: [])
    try await peripheral.start()
    if transport.advertisement != nil { Discovery.run(on: transport) }
    scheduler.advance(by: .seconds(1))
    await peripheral.stop()
    clock.stop()
  }

  /// Whether both have the same attributes with the same handles, properties and values that can be discovered.
  var hasSameTable: Bool {
    get throws { try Self.attributes(of: original) == Self.attributes(of: definition) }
  }

  private static func attributes(of definition: PeripheralDefinition) throws -> [String] {
    let table = try definition.attributes(in: definition.initialContext)
    return AttributeDatabase(definition, table, name: "").attributes.map { attribute in
      let value = if case .constant(let bytes) = attribute.content { HexText.format(bytes) } else { "" }
      let isDeclaration = [0x2800, 0x2801, 0x2802, 0x2803].contains(attribute.type)
      return "\(attribute.handle) \(attribute.type) \(isDeclaration ? value : "") \(attribute.groupEnd)"
    }
  }

  /// Whether both advertise the same bytes when they start.
  var hasSameAdvertisement: Bool { packets(of: original) == packets(of: definition) }

  private func packets(of device: PeripheralDefinition) -> [[UInt8]]? {
    var context = device.initialContext
    context.address = [0, 0, 0, 0, 0, 1]
    return (try? device.advertisement.resolved(in: context, with: try device.attributes(in: context)))
      .flatMap { ExactLimits().packets(of: $0) }.map { [$0.advertisingData.bytes, $0.scanResponse.bytes] }
  }

  /// Runs a section of the original's transcript with the double in its place; nil: it passes.
  func failure(of section: Transcript.Section) async throws -> String? {
    let testBed = LoopbackTestBed()
    testBed.standIn = try StandIn(definition, for: original, original.settings.map(\.initial))
    let result = try await SectionRunner(section, of: original, on: testBed)
      .run(settings: original.settings.map(\.initial))
    return result.failure?.message
  }
}

/// The time of the recording: it goes on from section to section.
@EventLoop
final class Clock {
  private var base = Instant()
  private var source: (() -> Instant)?

  var now: Instant {
    guard let source else { return base }
    return base.advanced(by: .microseconds(source().microseconds))
  }

  func follow(_ source: @escaping () -> Instant) { self.source = source }

  func stop() {
    base = now.advanced(by: .seconds(1))
    source = nil
  }
}

/// Why a central alone cannot hold a section, so that no recording has it.
enum Obstacle: String {
  case settings = "begins with other settings"
  case operated = "somebody operates the device"
  case wire = "has a wire side"
  case faults = "adds faults"
  case inside = "looks inside the device"

  init?(of section: Transcript.Section) {
    if !section.settings.isEmpty {
      self = .settings
      return
    }
    for step in section.steps {
      switch step.action {
      case .control: self = .operated
      case .putIntoWire: self = .wire
      case .addFault, .removeFault, .removeFaults: self = .faults
      case .expectTrue: self = .inside
      case .expect(let expectation) where expectation.source == .wire: self = .wire
      case .expect(let expectation) where expectation.source == .log: self = .inside
      default: continue
      }
      return
    }
    return nil
  }
}
