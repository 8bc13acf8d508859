import Behavior
import Peripheral

/// Formats an event of an attachment for people.
extension WireEvent {
  var sentence: String {
    switch self {
    case .opened(let name?): "wire side: \(name) connected"
    case .opened(nil): "wire side: opened"
    case .closed(let name?): "wire side: \(name) disconnected"
    case .closed(nil): "wire side: closed"
    case .refused(let name): "wire side: \(name) refused; another peer is connected"
    case .baudRate(let rate): "wire side: \(rate) baud"
    case .started(let program, let process): "wire side: \(program) started as process \(process)"
    case .ended(let program, let end, let pause): "wire side: \(program) \(end.words)" + Self.restart(pause)
    case .said(let program, let line): "\(program): \(line)"
    }
  }

  private static func restart(_ pause: Duration?) -> String {
    guard let pause else { return "" }
    let tenths = pause.components.seconds * 10 + pause.components.attoseconds / 100_000_000_000_000_000
    return "; restarting in \(tenths / 10).\(tenths % 10) s"
  }
}

extension ProgramEnd {
  fileprivate var words: String {
    switch self {
    case .status(let status): "exited with status \(status)"
    case .signal(let signal): "was terminated by signal \(signal)"
    }
  }
}
