import DeviceModel
import Transcripts

/// Why a central alone cannot hold a section, so that no recording has it.
enum Obstacle: String {
  case settings = "begins with other settings"
  case operated = "somebody operates the device"
  case wire = "has a wire side"
  case faults = "adds faults"
  case inside = "looks inside the device"
  case memory = "needs a central in memory"

  /// - Parameters:
  ///   - device: the definition of the transcript. A section may state the settings that the device has by itself.
  ///   - onAir: whether the central is on the air.
  init?(of section: Transcript.Section, with device: PeripheralDefinition, onAir: Bool) {
    if onAir, section.isMemoryOnly || section.losesLink {
      self = .memory
      return
    }
    if section.settings.contains(where: { device.settings[$0.key].initial != $0.value }) {
      self = .settings
      return
    }
    for step in section.steps {
      switch step.action {
      case .control, .unpair: self = .operated
      case .putIntoWire: self = .wire
      case .addFault, .removeFault, .removeFaults: self = .faults
      case .expectTrue: self = .inside
      case .expect(let expectation) where expectation.source == .place(.wire): self = .wire
      case .expect(let expectation) where expectation.source == .log: self = .inside
      default: continue
      }
      return
    }
    return nil
  }
}
