import EventLoop
import Glibc
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
  func log(of names: [String], named isNamed: Bool, to output: Int32) -> TrafficLog? {
    guard let plain = format(to: output) else { return nil }
    if self == .text, let journal = SystemJournal(behind: output) {
      return TrafficLog(of: names, in: journal)
    }
    if !isNamed { return TrafficLog(plain, to: output) }
    let width = names.map(\.count).max() ?? 0
    let style = Terminal.style(of: output)
    let formats = names.map { name -> any TrafficFormat in
      if self == .json { JSONFormat(device: name) } else { NamedFormat(name, width: width, style) }
    }
    return TrafficLog(ofSeveral: formats, plain: plain, to: output)
  }

  private func format(to descriptor: Int32) -> (any TrafficFormat)? {
    switch self {
    case .text: TextFormat(Terminal.style(of: descriptor))
    case .json: JSONFormat()
    case .none: nil
    }
  }
}
