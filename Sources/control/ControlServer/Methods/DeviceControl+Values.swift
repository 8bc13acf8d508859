import Behavior
import BlemuControl
import Definitions
import DeviceModel
import EventLoop
import BlemuJSON
import Peripheral
import Transcripts

/// Settings, variables and controls.
extension DeviceControl {
  /// The values of names and expressions.
  package func get(_ parameters: JSONValue) throws(ControlError) -> JSONValue {
    guard let context = device.peripheral.context else {
      throw ControlError(.notPossible, "the device has not started yet")
    }
    guard let texts = parameters["names"]?.elements?.compactMap(\.text) else {
      return Self.result(present(in: context))
    }
    let isPartial = parameters["partial"]?.truth ?? false
    var values: [NamedValue] = []
    for text in texts where !values.contains(where: { $0.name == text }) {
      do throws(ControlError) {
        values.append((text, try value(of: text, in: context)))
      } catch  where !isPartial {
        throw error
      } catch {}
    }
    return Self.result(values)
  }

  private typealias NamedValue = (name: String, value: Value)

  /// The values by name, and the names of those that are bytes: JSON has no type for these.
  private static func result(_ values: [NamedValue]) -> JSONValue {
    let members = values.map { JSONValue.Member(name: $0.name, value: JSONValue($0.value)) }
    let bytes = values.filter { $0.value.type == .bytes }.map { JSONValue.string($0.name) }
    return (["values": .object(members)] as JSONValue).adding(["bytes": bytes.isEmpty ? nil : .array(bytes)])
  }

  /// All settings, variables and the state.
  private func present(in context: EvaluationContext) -> [NamedValue] {
    let settings = zip(definition.settings, context.settings)
    let variables = zip(definition.variables, context.variables)
    let slots = (Array(settings) + Array(variables)).map { NamedValue($0.name, $1) }
    return slots + (definition.states.isEmpty ? [] : [NamedValue("state", .text(context.state))])
  }

  private func value(of text: String, in context: EvaluationContext) throws(ControlError) -> Value {
    let expression: DeviceExpression
    do { expression = try DeviceExpression(text, in: names) } catch { throw ControlError(error, in: text) }
    do { return try expression.expression.evaluate(in: context) } catch {
      throw ControlError(.notPossible, "'\(text)' has no value: \(error)")
    }
  }

  /// Sets settings and variables: all of them, or none if one is wrong.
  package func set(_ parameters: JSONValue) throws(ControlError) -> JSONValue {
    var assignments: [ControlEvent.Assignment] = []
    for member in parameters["values"]?.members ?? [] {
      assignments.append(try assignment(member.name, member.value))
    }
    guard !assignments.isEmpty else { throw ControlError(.badParameters, "'values' has no value") }
    return try perform(.set(assignments))
  }

  private func assignment(
    _ name: String, _ value: JSONValue
  ) throws(ControlError) -> ControlEvent.Assignment {
    do {
      return try ControlReader(definition).assignment(
        name, value.valueText, isBytes: value.hexOfBytes != nil)
    } catch {
      throw ControlError(error)
    }
  }

  /// Operates a control.
  package func press(_ parameters: JSONValue) throws(ControlError) -> JSONValue {
    let (name, value) = (parameters["control"]?.text ?? "", parameters["value"])
    let event: ControlEvent
    do {
      event = try ControlReader(definition).operation(
        name, value?.valueText, isBytes: value?.hexOfBytes != nil)
    } catch {
      throw ControlError(error)
    }
    return try perform(event)
  }
}

extension JSONValue {
  /// A scalar as people write it in a definition, or the hex digits of bytes.
  var valueText: String {
    switch self {
    case .object where hexOfBytes != nil: hexOfBytes ?? ""
    case .string(let text): text
    case .integer(let number): "\(number)"
    case .decimal(let number): DecimalText.write(number)
    case .boolean(let truth): "\(truth)"
    case .null, .array, .object: line
    }
  }
}
