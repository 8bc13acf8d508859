import Bluetooth
import GATTClient

/// What a survey could not find out.
package enum SurveyRemark: Hashable, Sendable {
  /// It advertises as not connectable.
  case notConnectable
  /// It ended the link, or did not respond.
  ///
  /// - Parameter asked: what for, or to what.
  case lost(asked: String, GATTClientError)
  /// Its answer has no meaning.
  case wrongAnswer(asked: String, GATTClientError)
  /// The device did not come back.
  case noReturn(left: Int)
  /// The links ended too often.
  case gaveUp(left: Int)
  /// It has more attributes than are read.
  case tooManyAttributes(Int, most: Int)
  /// Which attributes can be written only the properties tell.
  case noPreparedWrites
  /// - Parameter reason: nil: the link ended meanwhile.
  case notPaired(PairingFailure?)
  /// Attributes that need a better pairing than there was.
  case needsPairing([AttributeHandle], SurveyPlan.Pairing)
}

extension SurveyRemark: CustomStringConvertible {
  /// Sentences.
  package var description: String {
    switch self {
    case .notConnectable: "The device was not connectable; only its advertisement is known."
    case .lost(let asked, let error): "When it was asked \(asked): \(error)."
    case .wrongAnswer(let asked, let error): "When it was asked \(asked), the answer was wrong: \(error)."
    case .noReturn(let left): "The device did not come back; \(Self.questions(left))"
    case .gaveUp(let left): "The device ended every link; \(Self.questions(left))"
    case .tooManyAttributes(let count, let most):
      "The device has \(count) attributes; only the first \(most) were read."
    case .noPreparedWrites:
      "The device has no prepared writes, so which writes need encryption is not known."
    case .notPaired(let reason?): "The device did not pair: \(reason)."
    case .notPaired(nil): "The link ended while the device was asked to pair."
    case .needsPairing(let handles, let pairing): Self.sentence(handles, pairing)
    }
  }

  private static func questions(_ count: Int) -> String {
    count == 1 ? "1 question was not asked." : "\(count) questions were not asked."
  }

  private static func sentence(_ handles: [AttributeHandle], _ pairing: SurveyPlan.Pairing) -> String {
    let list = handles.map { "0x" + $0.hexadecimal(digits: 4) }.joined(separator: ", ")
    let remedy =
      switch pairing {
      case .never: "clone it without '--pair never'"
      case .justWorks: "clone it with '--pair passkey'"
      case .passkey: "the pairing did not protect the link enough"
      }
    return "These attributes need a protected link, so their values are not known (\(remedy)): \(list)."
  }
}
