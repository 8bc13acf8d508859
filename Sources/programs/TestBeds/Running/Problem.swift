import Bluetooth
import Framing
import DeviceModel
import Transcripts

/// The reason why a section fails.
enum Problem: Error, Sendable {
  /// The output differs from the expected one.
  case differs(String)
  /// Output from another source arrived first.
  case outOfOrder(String)
  case missing(within: Duration)
  /// The device sent bytes that a central cannot join into a frame.
  case unfinished([UInt8])
  /// No rule logged it, or the device has not sent or received it.
  case notNoted(Arrival.Source, within: Duration)
  /// A condition is false with these values.
  case notTrue(values: String)
  case noValue(EvaluationError)
  /// No line expects the output.
  case unexpected(String)
  case mistimed(found: Duration, expected: ClosedRange<Duration>, since: Int, on: TestBedTiming)
  case late(found: Duration, limit: Duration, since: Int, on: TestBedTiming)
  /// - Parameter isPaired: whether the central has paired before.
  case refused(ATTError, isPaired: Bool)
  case notRefused(ATTError)
  case refusedWith(ATTError, not: ATTError)
  /// Pairing has failed, and no line expects it.
  case pairingFailed(PairingFailure)
  case pairingDidNotFail(PairingFailure)
  case pairingFailedWith(PairingFailure, not: PairingFailure)
  case didConnect(ConnectionFailure)
  case notConnected(ConnectionFailure, not: ConnectionFailure)
  /// The device paired, but does not keep the keys.
  case notBonded
  case notAdvertising
  case advertising
  case impossible(String)
}

extension Problem: CustomStringConvertible {
  var description: String {
    switch self {
    case .differs(let difference): difference
    case .outOfOrder(let arrival): "something else arrived first: \(arrival)"
    case .missing(let limit): "nothing arrived within \(Phrase.duration(limit))"
    case .unfinished(let bytes):
      "the device sent \(bytes.count) \(bytes.count == 1 ? "byte" : "bytes") that are not a whole frame: \(HexText.format(bytes))"
    case .notNoted(.sent, let limit): "the device did not send this within \(Phrase.duration(limit))"
    case .notNoted(.received, let limit): "the device did not receive this within \(Phrase.duration(limit))"
    case .notNoted(_, let limit): "the log did not say this within \(Phrase.duration(limit))"
    case .notTrue(let values): "this is not true" + (values.isEmpty ? "" : ": \(values)")
    case .noValue(let error): "this has no value: \(error)"
    case .unexpected(let arrival): "no line expects this: \(arrival)"
    case .mistimed(let found, let expected, let line, let timing) where found < .zero:
      "arrived \(Phrase.duration(.zero - found)) before line \(line) ended, not "
        + "\(Phrase.durations(expected)) after it\(timing.allowance)"
    case .mistimed(let found, let expected, let line, let timing):
      "arrived \(Phrase.duration(found)) after line \(line), not \(Phrase.durations(expected))\(timing.allowance)"
    case .late(let found, let limit, let line, let timing):
      "arrived \(Phrase.duration(found)) after line \(line), not within \(Phrase.duration(limit))"
        + timing.allowance
    case .refused(let error, isPaired: false) where error.asksForEncryption:
      "refused: \(error); put 'pair' before this line, or expect it with '! \(error.name)'"
    case .refused(let error, isPaired: true) where error.asksForEncryption:
      "refused: \(error); this pairing does not protect the link well enough"
    case .refused(let error, _): "refused: \(error)"
    case .pairingFailed(.confirmValueFailed):
      "pairing failed: the passkey is wrong; 'pair' alone enters the right one"
    case .pairingFailed(let failure): "pairing failed: \(failure)"
    case .pairingDidNotFail(let failure): "paired; pairing did not fail with \(failure.name)"
    case .pairingFailedWith(let found, let expected):
      "pairing failed with \(found.name), not with \(expected.name)"
    case .didConnect(let failure): "connected; this did not fail with \(failure.rawValue)"
    case .notConnected(let found, let expected):
      "failed with \(found.rawValue), not with \(expected.rawValue)"
    case .notBonded: "paired, but the device does not keep the keys ('bonding: false')"
    case .notRefused(let error): "accepted, not refused with \(error.name)"
    case .refusedWith(let found, let expected): "refused with \(found.name), not with \(expected.name)"
    case .notAdvertising: "the device is not advertising"
    case .advertising: "the device is advertising"
    case .impossible(let message): message
    }
  }
}

extension TestBedTiming {
  /// The extra time that a slow machine gets.
  fileprivate var allowance: String {
    guard answer > .zero else { return "" }
    return
      " (plus \(Phrase.duration(lateness)) because this machine took up to \(Phrase.duration(answer)) to answer)"
  }
}
