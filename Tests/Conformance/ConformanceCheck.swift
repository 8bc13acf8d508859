import Behavior
import Bluetooth
import Definitions
import DeviceModel
import EventLoop
import Peripheral

/// One thing that every transport must do, whatever it stands on.
package struct ConformanceCheck: Sendable {
  /// The fact.
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

  /// Whether a transport is able to do what is checked.
  package func concerns(_ subject: TransportUnderTest) -> Bool { subject.abilities.isSuperset(of: needs) }

  /// Puts the device on a fresh transport, and checks.
  ///
  /// - Throws: ``ConformanceFailure``, or what the transport throws.
  @EventLoop
  package func hold(for subject: TransportUnderTest) async throws {
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
  /// Index 0 can do everything, 1 is written only, 2 only indicates.
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
  func displayName(of name: String) -> String { name }
  func read(_ name: String) throws(FileError) -> String { throw FileError(message: "there are no files") }
}
