import DeviceModel
import EventLoop

extension FuzzTarget {
  /// Any stimuli for a device: its name on a line, then the stimuli (``FuzzInput``).
  static let device = FuzzTarget(
    name: "device",
    run: { bytes in
      var input = FuzzInput(bytes)
      let subject = input.subject()
      guard let definition = subject.definition else {
        throw BrokenGuarantee(description: subject.report)
      }
      try await play(input.stimuli(for: definition), to: definition)
    },
    describe: { bytes in
      var input = FuzzInput(bytes)
      let subject = input.subject()
      let stimuli = subject.definition.map { input.stimuli(for: $0) } ?? []
      return ([subject.name] + stimuli.map(\.description)).joined(separator: "\n")
    })

  /// Applies the stimuli to the engine alone, and to the whole device.
  @EventLoop
  static func play(_ stimuli: [Stimulus], to definition: PeripheralDefinition) async throws {
    var engine = try EngineHarness(definition)
    for stimulus in stimuli { try engine.take(stimulus) }
    try engine.checkFramers()
    let pipeline = try await PipelineHarness(definition)
    for stimulus in stimuli { try await pipeline.take(stimulus) }
    await pipeline.stop()
  }
}
