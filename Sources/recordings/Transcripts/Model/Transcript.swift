import Behavior
import Bluetooth
import Definitions
import DeviceModel

/// The expected conversations with a device: one file, divided into sections.
package struct Transcript: Sendable {
  /// One conversation with a freshly started device.
  package struct Section: Sendable {
    package var title: String
    /// The line number of the title.
    package var line: Int
    /// Values for settings, by index in the definition.
    package var settings: [Int: Value] = [:]
    /// The seed for random values.
    package var seed: UInt64 = 0
    /// The time of day at the device's start, seconds since 1970; nil: as always in tests.
    package var clock: Int64?
    /// Whether the section runs only in memory: its times are too exact for a real adapter, or its central does what no other can.
    package var isMemoryOnly = false
    package var paces: Paces = []
    package var steps: [Step] = []

    package init(title: String, line: Int) { (self.title, self.line) = (title, line) }

    package var options: EngineOptions {
      clock.map { EngineOptions(seed: seed, unixTime: $0) } ?? EngineOptions(seed: seed)
    }

    /// Whether a central sends raw PDUs. BlueZ has its own handles and answers, so such a section does not run on it.
    package var speaksPDUs: Bool {
      steps.contains { if case .connect(.raw) = $0.action { true } else { false } }
    }

    /// Whether a link ends for a reason that a central on Linux cannot give.
    package var endsForReason: Bool {
      steps.contains { if case .disconnect(.some) = $0.action { true } else { false } }
    }

    /// Whether a link ends for a reason that no central can give, because it is out of range.
    package var losesLink: Bool {
      steps.contains {
        if case .disconnect(let reason?) = $0.action {
          !HCIError.reasonsToDisconnect.contains(reason)
        } else {
          false
        }
      }
    }

    /// Whether one side loses its keys. Linux ends a link that it cannot encrypt, and bluetoothd refuses a central that it still knows.
    package var losesKeys: Bool {
      steps.contains {
        switch $0.action {
        case .unpair, .loseKeys, .control(.forget): true
        default: false
        }
      }
    }

    /// Whether a central pairs.
    package var pairs: Bool {
      steps.contains { if case .pair = $0.action { true } else { false } }
    }

    /// Whether the central has attributes for the device, which finds none with BlueZ.
    package var servesDevice: Bool {
      steps.contains { if case .serve = $0.action { true } else { false } }
    }

    /// Whether it expects further advertising sets, which BlueZ does not send.
    package var expectsSets: Bool {
      steps.contains {
        if case .expectAdvertising(let pattern) = $0.action { pattern.set != nil } else { false }
      }
    }
  }

  /// What takes the time that it takes at a real device.
  package struct Paces: OptionSet, Sendable {
    /// The wire side runs at the speed of the device's UART.
    package static let wire = Paces(rawValue: 1)
    /// Values wait for the connection events of their link, in memory. On the air, they always do.
    package static let link = Paces(rawValue: 2)

    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }
  }

  package var source: SourceText
  package var sections: [Section]

  /// Lets the links of all sections take time.
  package mutating func takeLinkTime() {
    for section in sections.indices { sections[section].paces.insert(.link) }
  }
}
