@testable import Definitions
@testable import DeviceModel

/// Values with the names of their fields, as a test writes them: `month=1 data=A5 06`, `-` for what is absent.
func described(_ values: [Value?], of message: MessageTemplate) -> String {
  zip(message.fields, values).map { "\($0.name)=\($1?.description ?? "-")" }.joined(separator: " ")
}

func described(_ frame: [UInt8], by message: MessageTemplate) -> String {
  message.match(frame).map { described($0, of: message) } ?? "another message"
}

extension FieldEncoding {
  func decode(_ bytes: ArraySlice<UInt8>) -> Value? { decode(bytes.span) }
}

/// A message of hex bytes.
func message(_ template: String) throws -> MessageTemplate {
  try MessageTemplate(name: "m", template: template)
}

/// A message of text.
func textMessage(_ template: String, ignoringCase: Bool = false) throws -> MessageTemplate {
  try MessageTemplate(name: "m", template: template, form: .text(ignoringCase: ignoringCase))
}

/// The mistake of a template; nil where there is none.
func mistake(in template: String, form: MessageTemplate.Form = .bytes) -> String? {
  do {
    _ = try MessageTemplate(name: "m", template: template, form: form)
    return nil
  } catch {
    return error.message
  }
}
