import Bluetooth
import HCIPackets
import Testing

@testable import Host

extension HCICommand {
  /// The command in two or three words; sets by their handle.
  var words: String {
    let first = parameters.first.map { "\($0)" } ?? ""
    switch opcode {
    case .setExtendedAdvertisingParameters: return "parameters \(first)"
    case .setAdvertisingSetRandomAddress: return "address \(first)"
    case .setExtendedAdvertisingData: return "data \(first)"
    case .setExtendedScanResponseData: return "response \(first)"
    case .setExtendedAdvertisingEnable: return "\(first == "1" ? "enable" : "disable") \(parameters[2])"
    case .removeAdvertisingSet: return "remove \(first)"
    case .setAdvertisingParameters: return "parameters type \(parameters[4])"
    case .setAdvertisingData: return "data"
    case .setScanResponseData: return "response"
    case .setAdvertisingEnable: return first == "1" ? "enable" : "disable"
    case .setRandomAddress: return "random address \(first)"
    case .setScanParameters, .setExtendedScanParameters: return "scan parameters"
    case .setScanEnable, .setExtendedScanEnable: return first == "1" ? "scan" : "stop scan"
    case .createConnection, .createConnectionExtended: return "create"
    case .cancelConnection: return "cancel"
    case .clearAcceptList: return "clear list"
    case .addToAcceptList: return "list \(parameters[1])"
    case .removeFromAcceptList: return "unlist \(parameters[1])"
    default: return opcode.description
    }
  }
}

extension RadioState {
  /// Answers all commands, and returns them in words; those in the table are refused, each once.
  mutating func settle(refusing refusals: [String: HCIError] = [:]) -> [String] {
    var (words, refusals): ([String], [String: HCIError]) = ([], refusals)
    while let command = nextCommand(), words.count < 100 {
      words.append(command.words)
      let error = refusals.removeValue(forKey: command.words)
      for event in completed(command, error) { if case .refused = event { words.append("refused") } }
    }
    return words
  }

  /// The next command, where there has to be one.
  mutating func next() throws -> HCICommand {
    let command = nextCommand()
    return try #require(command)
  }

  /// Answers all commands, and returns the events.
  mutating func settledEvents() -> [RadioEvent] {
    var events: [RadioEvent] = []
    while let command = nextCommand(), events.count < 100 { events += completed(command, nil) }
    return events
  }
}
