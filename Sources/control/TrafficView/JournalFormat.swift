import Behavior
import Bluetooth
import System

/// Formats an event as an entry of the journal of the system: the log's text, with the device and the central as fields.
///
///     journalctl DEVICE=hm-10 CENTRAL=4C:32:75:0A:11:9E
package struct JournalFormat: TrafficFormat {
  private let text: TextFormat
  /// The device's name; nil: the entry is about the log.
  private let device: String?

  package init(device: String? = nil, _ messages: EventMessages = .none) {
    self.device = device
    text = TextFormat(messages, hasTime: false)
  }

  package func write(_ event: TrafficEvent.Kind, at time: WallTime, to lines: inout LineBuffer) {
    lines.append("SYSLOG_IDENTIFIER=")
    lines.append(SystemJournal.identifier)
    lines.append("\nPRIORITY=")
    lines.append(event.level.rawValue, digits: 1)
    if let device {
      lines.append("\nDEVICE=")
      lines.append(string: device)
    }
    if let central = event.central {
      lines.append("\nCENTRAL=")
      lines.append(central)
    }
    lines.append("\nMESSAGE\n")
    lines.append(sized: { text.write(event, at: time, to: &$0) })
    lines.append("\n")
  }
}

extension TrafficEvent.Kind {
  /// Values are of the lowest level: a unit with `LogLevelMax=info` keeps them out of its journal.
  fileprivate var level: SystemJournal.Level {
    switch self {
    case .oneSided(_, let event): event.level
    case .error: .error
    case .warning, .pairingFailed, .offAir(.failed, _): .warning
    case .onAir, .offAir: .notice
    case .address, .connected, .disconnected, .link, .identified, .paired, .bonded, .encrypted, .passkeyShown,
      .subscribed,
      .unsubscribed, .opened, .closed, .discovered, .controlled, .sent, .intercepted, .wire, .fault, .log:
      .information
    case .read, .write, .notify, .indicate, .channelIn, .channelOut, .clientIn, .clientOut,
      .wireIn, .wireOut, .plain, .frame:
      .debug
    }
  }

  /// The central that it is about; nil: none, or any.
  fileprivate var central: DeviceAddress? {
    switch self {
    case .connected(let central, _), .disconnected(let central, _), .link(let central, _),
      .identified(let central, _), .paired(let central),
      .bonded(let central), .pairingFailed(let central, _), .encrypted(let central, _),
      .passkeyShown(let central, _):
      central
    case .opened(let central, _), .closed(let central, _, _), .channelIn(let central, _, _),
      .discovered(let central, _, _), .clientIn(let central, _, _, _), .clientOut(let central, _, _, _):
      central
    case .subscribed(let central, _), .unsubscribed(let central, _), .read(let central, _, _, _),
      .write(let central, _, _, _, _), .frame(let central, _, _, _, _):
      central
    case .sent(let value): value.central
    case .oneSided(_, let event): event.central
    case .fault(let strike): strike.central
    case .onAir, .offAir, .address, .notify, .indicate, .channelOut, .wireIn, .wireOut, .plain, .controlled,
      .intercepted,
      .wire,
      .log,
      .warning, .error:
      nil
    }
  }
}
