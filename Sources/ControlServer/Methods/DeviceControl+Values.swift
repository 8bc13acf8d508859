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
  func get(_ parameters: JSONValue) throws(ControlError) -> JSONValue {
    guard let context = device.peripheral.context else {
      throw ControlError(.notPossible, "the device has not started yet")
    }
    guard let texts = parameters["names"]?.elements?.compactMap(\.text) else {
      return ["values": .object(present(in: context))]
    }
    let isPartial = parameters["partial"]?.truth ?? false
    var values: [JSONValue.Member] = []
    for text in texts where !values.contains(where: { $0.name == text }) {
      do throws(ControlError) {
        values.append(JSONValue.Member(name: text, value: JSONValue(try value(of: text, in: context))))
      } catch  where !isPartial {
        throw error
      } catch {}
    }
    return ["values": .object(values)]
  }

  /// All settings, variables and the state.
  private func present(in context: EvaluationContext) -> [JSONValue.Member] {
    let settings = zip(definition.settings, context.settings)
    let variables = zip(definition.variables, context.variables)
    let slots = (Array(settings) + Array(variables)).map {
      JSONValue.Member(name: $0.name, value: JSONValue($1))
    }
    return slots
      + (definition.states.isEmpty ? [] : [JSONValue.Member(name: "state", value: .string(context.state))])
  }

  private func value(of text: String, in context: EvaluationContext) throws(ControlError) -> Value {
    let expression: DeviceExpression
    do { expression = try DeviceExpression(text, in: names) } catch { throw ControlError(error, in: text) }
    do { return try expression.expression.evaluate(in: context) } catch {
      throw ControlError(.notPossible, "'\(text)' has no value: \(error)")
    }
  }

  func set(_ members: [JSONValue.Member]) throws(ControlError) -> JSONValue {
    var assignments: [ControlEvent.Assignment] = []
    for member in members { assignments.append(try assignment(member.name, member.value.valueText)) }
    guard !assignments.isEmpty else { throw ControlError(.badParameters, "'values' has no value") }
    return try perform(.set(assignments))
  }

  private func assignment(_ name: String, _ text: String) throws(ControlError) -> ControlEvent.Assignment {
    do { return try ControlReader(definition).assignment(name, text) } catch { throw ControlError(error) }
  }

  func press(_ name: String, _ value: JSONValue?) throws(ControlError) -> JSONValue {
    let event: ControlEvent
    do { event = try ControlReader(definition).operation(name, value?.valueText) } catch {
      throw ControlError(error)
    }
    return try perform(event)
  }
}

extension JSONValue {
  /// A scalar as people write it in a definition.
  var valueText: String {
    switch self {
    case .string(let text): text
    case .integer(let number): "\(number)"
    case .decimal(let number): DecimalText.write(number)
    case .boolean(let truth): "\(truth)"
    case .null, .array, .object: line
    }
  }
}
