import Definitions
import DeviceModel

/// Conversations with a device as they should go: one file, in sections.
package struct Transcript: Sendable {
  /// One conversation, with a device that has just been put on the air.
  package struct Section: Sendable {
    package var title: String
    /// Where it begins in the file.
    package var line: Int
    /// Values for settings, by index in the definition.
    package var settings: [Int: Value] = [:]
    /// What makes chance repeat itself.
    package var seed: UInt64 = 0
    /// Whether it is about times so exact that only a clock that is moved by hand can prove them.
    package var isMemoryOnly = false
    /// Whether the serial side is as slow as the device's UART.
    package var isPaced = false
    package var steps: [Step] = []
  }

  package var source: SourceText
  package var sections: [Section]
}
