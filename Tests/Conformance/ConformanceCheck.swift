import Behavior
import Bluetooth
import Definitions
import DeviceModel
import EventLoop
import Peripheral

/// A requirement for every transport.
package struct ConformanceCheck: Sendable {
  /// The requirement as a sentence.
  package let name: String
  private let needs: TransportUnderTest.Abilities
  private let body: @EventLoop @Sendable (ConformanceRun) async throws -> Void

  init(
    _ name: String, needs: TransportUnderTest.Abilities = [],
    _ body: @escaping @EventLoop @Sendable (ConformanceRun) async throws -> Void
  ) {
    self.name = name
    self.needs = needs
    self.body = body
  }

  /// Whether a transport has the abilities that the check needs.
  package func applies(to subject: TransportUnderTest) -> Bool { subject.abilities.isSuperset(of: needs) }

  /// Puts the device on a new transport, and checks the requirement.
  ///
  /// - Throws: ``ConformanceFailure``, or an error of the transport.
  @EventLoop
  package func run(on subject: TransportUnderTest) async throws {
    let run = try await ConformanceRun(subject)
    do { try await body(run) } catch {
      await run.end()
      throw error
    }
    await run.end()
  }
}

// MARK: The device

extension ConformanceCheck {
  /// Characteristic 0 supports everything, 1 only writes, 2 only indications.
  package static let device: PeripheralDefinition = {
    let text = """
      blemu: 1
      name: Conformance
      advertisement: { services: [FFE0] }
      services:
        - uuid: FFE0
          characteristics:
            - { id: all, uuid: FFE1, properties: [read, write, write-without-response, notify] }
            - { id: inlet, uuid: FFE2, properties: [write] }
            - { id: outlet, uuid: FFE3, properties: [indicate] }
      """
    let loaded = DefinitionLoader.load(SourceText(name: "conformance.yaml", text: text), folder: NoFiles())
    guard let definition = loaded.definition else { fatalError(loaded.report) }
    return definition
  }()

  static var advertisement: Advertisement {
    get throws {
      try device.advertisement.resolved(
        in: device.initialContext, with: device.attributes(in: device.initialContext))
    }
  }
}

private struct NoFiles: DefinitionFolder {
  let names: [String] = []
  func displayName(of name: String) -> String { name }
  func read(_ name: String) throws(FileError) -> String {
    throw FileError(message: "the definition has no other files")
  }
}
