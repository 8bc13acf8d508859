import Bluetooth
import Definitions

/// `parameters interval=50ms latency=2 timeout=4s`, `phy 2M`, `phy tx=2M rx=coded`, `refuse parameters`
extension LineParser {
  private static let parameterNames = ["interval", "latency", "timeout"]

  func parameters(_ words: inout Words) throws(Diagnostic) -> ConnectionParameters {
    var (interval, latency, timeout): (UInt16?, UInt16, UInt16) = (nil, 0, 400)
    let whole = words.range
    while let token = words.next() {
      switch token.name {
      case "interval": interval = try number(of: 1250, in: token, words)
      case "latency": latency = try number(token, words)
      case "timeout": timeout = try number(of: 10_000, in: token, words)
      default: throw words.error(.notParameter(known: Self.parameterNames), at: token.range)
      }
    }
    guard let interval else { throw words.missing(.interval) }
    let wanted = PreferredConnectionParameters(
      interval: interval...interval, latency: latency, supervisionTimeout: timeout)
    guard wanted.isPossible else { throw words.error(.impossibleParameters, at: whole) }
    return ConnectionParameters(interval: interval, latency: latency, supervisionTimeout: timeout)
  }

  /// A duration as a number of units.
  ///
  /// - Parameter unit: in microseconds.
  private func number(of unit: Int, in token: Token, _ words: Words) throws(Diagnostic) -> UInt16 {
    guard let microseconds = token.text.flatMap({ DurationText.parse($0, perMillisecond: 1000) }) else {
      throw words.error(.notDuration(afterPlus: false), at: token.contentRange)
    }
    guard microseconds % unit == 0, let number = UInt16(exactly: microseconds / unit) else {
      throw words.error(.betweenUnits(unit: unit), at: token.contentRange)
    }
    return number
  }

  private func number(_ token: Token, _ words: Words) throws(Diagnostic) -> UInt16 {
    if let number = token.text.flatMap({ UInt16($0) }) { return number }
    throw words.error(.impossibleParameters, at: token.contentRange)
  }

  func phys(_ words: inout Words) throws(Diagnostic) -> Directions<PHY> {
    let first = try words.next(.phy)
    guard first.name != nil else {
      let phy = try phy(first, words)
      return Directions(sent: phy, received: phy)
    }
    var phys = Directions(sent: PHY.le1M, received: .le1M)
    var next: Token? = first
    while let token = next {
      switch token.name {
      case "tx": phys.sent = try phy(token, words)
      case "rx": phys.received = try phy(token, words)
      default: throw words.error(.notParameter(known: ["tx", "rx"]), at: token.range)
      }
      next = words.next()
    }
    return phys
  }

  private func phy(_ token: Token, _ words: Words) throws(Diagnostic) -> PHY {
    if let phy = token.text.flatMap({ PHY(word: $0) }) { return phy }
    throw words.error(.unknownPHY(token.text ?? ""), at: token.contentRange)
  }

  func refuseParameters(_ words: inout Words) throws(Diagnostic) -> Step.Action {
    let token = try words.next(.parameters)
    guard token.word == "parameters" else { throw words.error(.notRefuseParameters, at: token.range) }
    return .onLink(.refuseParameters)
  }
}
