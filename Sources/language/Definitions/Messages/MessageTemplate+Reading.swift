import DeviceModel
import Framing

extension MessageTemplate {
  /// Reads a template: literals, fields `{name: type}`, checksums `{xor8}`, computed lengths `{size: u8}`, blocks.
  ///
  /// - Parameter checksums: the definition's own.
  package convenience init(
    name: String, template: String, form: Form = .bytes, checksums: [Checksum] = []
  ) throws(TextError) {
    let nodes = try TemplateReader.read(template, form: form, checksums: checksums)
    if nodes.isEmpty { throw TextError(.emptyMessage, 0..<1) }
    let compiler = try TemplateCompiler(nodes, form: form)
    self.init(name: name, source: template, form: form, fields: compiler.fields, program: compiler.program)
  }
}

extension MessageTemplate.Inline {
  /// Reads a template whose holes hold expressions.
  init(_ template: String, form: MessageTemplate.Form, checksums: [Checksum] = []) throws(TextError) {
    let nodes = try TemplateReader.read(template, form: form, isInline: true, checksums: checksums)
    let compiler = try TemplateCompiler(nodes, form: form, isInline: true)
    self.init(source: template, holes: compiler.holes, form: form, program: compiler.program)
  }
}
