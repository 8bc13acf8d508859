import Bluetooth

extension LearntDefinition {
  /// Adds framing, messages and rules that describe how the device behaves, for the characteristics whose recorded values
  /// they explain.
  ///
  /// - Parameter excluded: the characteristics that must answer as recorded, by the handles of their values.
  /// - Returns: the handles of the values of these characteristics. Their rules answer requests that were never recorded.
  package mutating func addModel(
    _ streams: [StreamAnalysis], of conversations: [Conversation], _ table: ObservedTable,
    except excluded: Set<AttributeHandle> = []
  ) -> Set<AttributeHandle> {
    let model = Model(streams, conversations, table, except: excluded)
    evidence += model.streams.flatMap(\.evidence)
    let (requests, explained) = (model.explainedRequests, model.explained)
    guard !explained.isEmpty || !requests.isEmpty else { return [] }
    var writer = ModelWriter(model, self, RecordedHistory(conversations, table))
    self = writer.write(requests: requests)
    return Set(explained.union(requests).map { streams[$0].stream.handle })
  }
}
