import Behavior
import Definitions
import DeviceModel

struct ControlReader {
  let definition: PeripheralDefinition
  init(_ definition: PeripheralDefinition) { self.definition = definition }
  func assignment(_ name: String, _ text: String) throws(Diagnostic) -> ControlEvent.Assignment {
    if let index = definition.settings.firstIndex(where: { $0.name == name }) {
      do { return ControlEvent.Assignment(.setting(index), try definition.settings[index].kind.parse(text)) } catch {
        throw Diagnostic(.error, error.message, at: SourceRange(line: 1, column: 1, length: 1))
      }
    }
    throw Diagnostic(.error, "no \(name)", at: SourceRange(line: 1, column: 1, length: 1))
  }
  func operation(_ name: String, _ text: String?) throws(Diagnostic) -> ControlEvent {
    throw Diagnostic(.error, "no \(name)", at: SourceRange(line: 1, column: 1, length: 1))
  }
}
