extension LearntDefinition {
  /// Adds the messages that specifications give to what was said on characteristics of the Bluetooth SIG, as far as all values
  /// of a characteristic are such messages. They name what the device sends, also where rules send bytes.
  package mutating func addStandardMessages(of streams: [ValueStream]) {
    for stream in streams {
      guard let uuid = stream.uuid else { continue }
      var rest = stream.values.map(\.bytes)
      var found: [StandardMessage] = []
      for message in StandardMessages.messages(for: uuid, stream.direction) {
        let own = rest.filter { message.fitted(to: [$0]) != nil }
        guard !own.isEmpty, let fitted = message.fitted(to: own) else { continue }
        rest.removeAll { message.fitted(to: [$0]) != nil }
        found.append(fitted)
      }
      guard rest.isEmpty else { continue }
      device.messages += found.compactMap(\.compiled).filter { message in
        !device.messages.contains { $0.name == message.name }
      }
      let names = found.map(\.name).joined(separator: ", ")
      evidence.append(
        Evidence(
          "messages of the specification: \(names)", at: stream.place, agreeing: stream.values.count,
          of: stream.values.count))
    }
  }
}
