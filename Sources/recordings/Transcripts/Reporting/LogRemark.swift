import Framing

/// A log entry or warning that may explain a failure.
package struct LogRemark: Sendable {
  package var time: Instant
  package var text: String

  package init(time: Instant, text: String) {
    self.time = time
    self.text = text
  }
}

extension Arrival {
  /// The text that shows a message of a rule.
  package var remark: String { "* " + String(decoding: bytes, as: UTF8.self) }
}
