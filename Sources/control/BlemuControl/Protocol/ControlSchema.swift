package import BlemuJSON

/// The control protocol as a JSON Schema: of the requests that a device takes, one on a line.
package enum ControlSchema {
  /// The schema (https://json-schema.org/draft/2020-12).
  package static var schema: JSONValue {
    [
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "a request to a running device, or an answer to a request of the device, on one line",
      "oneOf": [
        ["$ref": "#/$defs/request"], ["$ref": "#/$defs/answer"],
        ["type": "array", "items": ["$ref": "#/$defs/request"], "minItems": 1],
      ],
      "$defs": .object(
        [
          JSONValue.Member(
            name: "request",
            value: ["oneOf": .array(ControlMethod.allCases.map { reference($0.rawValue) })])
        ] + [JSONValue.Member(name: "answer", value: answer)]
          + ControlMethod.allCases.map { JSONValue.Member(name: $0.rawValue, value: schema(of: $0)) }),
    ]
  }

  private static func reference(_ name: String) -> JSONValue { ["$ref": .string("#/$defs/\(name)")] }

  private static func schema(of method: ControlMethod) -> JSONValue {
    let required = method.parameters.filter(\.isRequired).map { JSONValue.string($0.name) }
    var names: [JSONValue] = ["jsonrpc", "method"]
    if !required.isEmpty { names.append("params") }
    return [
      "description": .string(method.description.summary),
      "type": "object",
      "required": .array(names),
      "properties": [
        "jsonrpc": ["const": "2.0"],
        "id": ["type": ["string", "integer", "null"]],
        "method": ["const": .string(method.rawValue)],
        "params": object(of: method.parameters),
      ],
      "additionalProperties": false,
    ]
  }

  /// The schema of an object with these members.
  package static func object(of parameters: [ControlMethod.Parameter]) -> JSONValue {
    let required = parameters.filter(\.isRequired).map { JSONValue.string($0.name) }
    return (["type": "object"] as JSONValue).adding([
      "required": required.isEmpty ? nil : .array(required),
      "properties": .object(
        parameters.map { parameter in
          JSONValue.Member(
            name: parameter.name,
            value: parameter.type.schema.adding(["description": .string(parameter.summary)]))
        }),
      "additionalProperties": false,
    ])
  }

  /// What a program answers to a request 'intercepted'.
  private static var answer: JSONValue {
    [
      "description":
        "The answer to a request 'intercepted': a value, an ATT error, or nothing; then the rules go on.",
      "type": "object",
      "required": ["jsonrpc", "id"],
      "properties": [
        "jsonrpc": ["const": "2.0"],
        "id": ["type": "string"],
        "result": object(of: ControlMethod.answerParameters),
        "error": ["type": "object"],
      ],
      "oneOf": [["required": ["result"]], ["required": ["error"]]],
      "additionalProperties": false,
    ]
  }
}
