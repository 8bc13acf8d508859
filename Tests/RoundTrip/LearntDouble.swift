import AttributeServer
import Captures
import DeviceModel
import Devices
import EventLoop
import Exact
import Framing
import Learning
import TestBeds
import TestSupport
import Transcripts

/// A bundled device and the double that is learnt from a recording of its transcripts.
@EventLoop
package struct LearntDouble {
  private let original: PeripheralDefinition
  private let testBed: any TestBed
  package let learner: Learner
  package let checked: CheckedLesson
  private var definition: PeripheralDefinition { checked.definition }

  /// Records these sections, after a central has discovered the attributes, and learns the recording.
  package init(
    _ original: PeripheralDefinition, _ sections: [Transcript.Section], on testBed: any TestBed
  ) async throws {
    (self.original, self.testBed) = (original, testBed)
    let folder = TemporaryFolder()
    let path = folder.path + "double.btsnoop"
    let file = try RecordingFile(path, .btsnoop)
    testBed.device.recorder = AirRecording(in: file, layout: ExactLimits()) { testBed.device.total }
    defer { testBed.device.recorder = nil }
    try await Discovery.run(original, on: testBed)
    for section in sections {
      _ = try await SectionRunner(section, of: original, on: testBed)
        .run(settings: original.settings.map(\.initial))
    }
    file.close()
    let devices = try Capture(path: path).devices
    learner = Learner(
      devices.first { !$0.connections.isEmpty } ?? devices.first ?? CapturedDevice(address: nil))
    checked = try await CheckedLesson.learn(
      learner, as: .model, name: original.name, origin: [], from: learner.conversations)
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
    context.address = learner.device.address?.address.bytes ?? []
    return (try? device.advertisement.resolved(in: context, with: try device.attributes(in: context)))
      .flatMap { ExactLimits().packets(of: $0) }.map { [$0.advertisingData.bytes, $0.scanResponse.bytes] }
  }

  /// Runs a section of the original's transcript with the double in its place; nil: it passes.
  func failure(of section: Transcript.Section) async throws -> String? {
    testBed.device.standIn = try StandIn(definition, for: original, original.settings.map(\.initial))
    defer { testBed.device.standIn = nil }
    let result = try await SectionRunner(section, of: original, on: testBed)
      .run(settings: original.settings.map(\.initial))
    return result.failure?.message
  }
}
