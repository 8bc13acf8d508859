import BlemuControl
import BlemuJSON

extension CommandError {
  /// What `--json` prints of it: the error of the control protocol, without a code if no device has answered; nil if it
  /// says nothing.
  var value: JSONValue? {
    if case .device(.refused(let error), _) = self { return error.value }
    guard let (message, hint) = sentences else { return nil }
    return (["message": .string(message)] as JSONValue).adding([
      "data": hint.map { ["hint": .string($0)] }
    ])
  }
}
