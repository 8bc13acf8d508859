import Definitions
import TestSupport
import Testing

@testable import Behavior

func bundledText(_ name: String) throws -> String { try TextFile.read(library.path(of: name)!) }

/// A row of a table of conversations: the fact that it proves, what the device does, what happens to it and what follows.
struct Scenario: CustomTestStringConvertible {
  let fact: String
  /// Sections of the definition; empty where a suite has one device.
  let device: String
  let transcript: String
  /// Where a failure is reported.
  let place: SourceLocation

  init(
    _ fact: String, _ device: String, _ transcript: String, place: SourceLocation = #_sourceLocation
  ) {
    (self.fact, self.device, self.transcript, self.place) = (fact, device, transcript, place)
  }

  init(_ fact: String, _ transcript: String, place: SourceLocation = #_sourceLocation) {
    self.init(fact, "", transcript, place: place)
  }

  var testDescription: String { fact }
}

/// Holds a conversation with a device and compares it with the one that was expected.
///
/// - Parameter yaml: what it does. Services are put behind it where it has none, so that lines are counted from 3.
func expect(
  _ yaml: String, _ transcript: String, options: EngineOptions = EngineOptions(),
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let text = yaml.contains("services:") ? yaml : yaml + standardServices
  var conversation = try Conversation(device(text), options: options)
  #expect(conversation.play(transcript) == transcript, sourceLocation: sourceLocation)
}

private let standardServices = """

  services:
    - uuid: FFE0
      characteristics:
        - { id: in, uuid: FFE1, properties: [write] }
        - { id: out, uuid: FFE2, properties: [notify] }
        - { id: data, uuid: FFE3, properties: [read, write, notify], value: "00" }
  """
