extension Learner {
  /// The device as a central sees it before it uses it: its advertising, attributes and link, and no rules.
  package func face(name: String) -> LearntDefinition {
    var definition = LearntDefinition(name: name, summary: "Relayed from a device.")
    definition.addServices(table, address: ownAddress)
    definition.addAdvertisement(of: device, table, isHeardContinuously: true)
    definition.addLink(device.connections)
    return definition
  }
}
