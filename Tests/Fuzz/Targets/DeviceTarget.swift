import DeviceModel
import EventLoop

extension FuzzTarget {
  /// Whatever happens to a device: its name on a line, then what happens (``FuzzInput``).
  static let device = FuzzTarget(
    name: "device",
    run: { bytes in
      var input = FuzzInput(bytes)
      let subject = input.subject()
      guard let definition = subject.definition else {
        throw BrokenPromise(description: subject.report)
      }
      try await play(input.happenings(to: definition), to: definition)
    },
    describe: { bytes in
      var input = FuzzInput(bytes)
      let subject = input.subject()
      let happenings = subject.definition.map { input.happenings(to: $0) } ?? []
      return ([subject.name] + happenings.map(\.description)).joined(separator: "\n")
    })

  /// Lets it all happen, to the engine alone and to the whole device.
  @EventLoop
  static func play(_ happenings: [Happening], to definition: PeripheralDefinition) async throws {
    var engine = try EngineHarness(definition)
    for happening in happenings { try engine.take(happening) }
    try engine.checkFramers()
    let pipeline = try await PipelineHarness(definition)
    for happening in happenings { try await pipeline.take(happening) }
    await pipeline.stop()
  }
}
