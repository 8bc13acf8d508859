import Definitions

/// What BlueZ cannot serve: a place for all that is true of BlueZ, and not of Bluetooth.
package struct BlueZRules: TransportRules {
  package init() {}

  package func check(_ file: ReadDefinition, _ log: DiagnosticLog) {
    AttributeCheck(file: file, log: log).run()
    if let node = file.root["advertisement"] {
      AdvertisingCheck(definition: file.definition, node: node, log: log).run()
    }
    ErrorCheck(file: file, log: log).run()
  }
}
