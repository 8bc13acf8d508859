import Devices
import EventLoop
import System
import TrafficView

/// The value of `--log`.
enum LogStyle: String {
  case text, json, none

  /// - Parameter text: nil if the option is absent.
  init(_ text: String?) throws(CommandError) {
    guard let style = Self(rawValue: text ?? Self.text.rawValue) else {
      throw .badValue(option: "--log", value: text ?? "", expected: "text, json or none")
    }
    self = style
  }

  /// The log of devices, each line with a name if several devices or a stand need it; nil: none. Text for the journal of the system becomes its entries.
  @EventLoop
  func log(of devices: [DeviceSpecification], named isNamed: Bool, to output: Int32) -> TrafficLog? {
    guard self != .none else { return nil }
    if self == .text, let journal = SystemJournal(behind: output) {
      return TrafficLog(ofSeveral: devices.map { JournalFormat(device: $0.name, $0.messages) }, in: journal)
    }
    let style = Terminal.style(of: output)
    let width = devices.map(\.name.count).max() ?? 0
    let formats = devices.map { device -> any TrafficFormat in
      switch (self, isNamed) {
      case (.json, _): JSONFormat(device: isNamed ? device.name : nil, device.messages)
      case (_, true): NamedFormat(device.name, width: width, device.messages, style)
      case (_, false): TextFormat(device.messages, style)
      }
    }
    if !isNamed, let format = formats.first { return TrafficLog(format, to: output) }
    let plain: any TrafficFormat = self == .json ? JSONFormat() : TextFormat(.none, style)
    return TrafficLog(ofSeveral: formats, plain: plain, to: output)
  }
}

extension DeviceSpecification {
  fileprivate var messages: EventMessages { EventMessages(of: choice.definition) }
}
