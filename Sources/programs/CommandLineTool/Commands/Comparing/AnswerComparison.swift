import Bluetooth
import Framing
import Learning
import TestBeds

/// How two devices answer the same requests.
struct AnswerComparison {
  let result: RehearsalResult
  /// Of the device whose requests they are.
  let table: ObservedTable
  /// Whether that device is the right one of the two.
  let isSwapped: Bool
  /// A sentence without its period.
  let summary: String

  /// Of the differences, the first ones are shown.
  private static let mostRows = 10

  /// What differs, each once.
  var rows: [FactComparison.Row] {
    var rows: [FactComparison.Row] = []
    for row in result.differingResponses.map(row) + result.differingValues.map(row) where !rows.contains(row)
    {
      guard rows.count < Self.mostRows else { break }
      rows.append(row)
    }
    return rows
  }

  private func row(_ response: RehearsalResult.Response) -> FactComparison.Row {
    row(
      response.request.handle, response.request.kind.request, response.request.kind.answer,
      response.got.answer)
  }

  private func row(_ value: RehearsalResult.Value) -> FactComparison.Row {
    row(value.handle, "value", value.recorded?.kind.answer, value.got?.kind.answer)
  }

  private func row(
    _ handle: AttributeHandle, _ aspect: String, _ own: String?, _ other: String?
  ) -> FactComparison.Row {
    FactComparison.Row(
      section: "answers", place: table.name(of: handle), aspect: aspect, left: isSwapped ? other : own,
      right: isSwapped ? own : other)
  }
}

extension RehearsalResult {
  fileprivate var differingResponses: [Response] { responses.filter { $0.verdict != .asRecorded } }
  fileprivate var differingValues: [Value] { values.filter { $0.verdict != .asRecorded } }
}

extension Exchange.Kind {
  /// `write 01 02`
  fileprivate var request: String {
    if case .write(let value, _, _) = self { "write \(HexText.format(value))" } else { "read" }
  }

  /// nil: there is none.
  fileprivate var answer: String? {
    switch self {
    case .value(let value, _), .read(.success(let value)): value.isEmpty ? "empty" : HexText.format(value)
    case .write(_, _, .success): "accepted"
    case .read(.refused(let error)), .write(_, _, .refused(let error)): "refused: \(error.name)"
    case .read(.unknown), .write(_, _, .unknown): nil
    }
  }
}
