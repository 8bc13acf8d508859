/// What an argument or the value of an option may be, for the completion of shells.
enum Words {
  /// Anything: nothing is known of it.
  case any
  /// The command takes no argument.
  case nothing
  /// One of these.
  case oneOf([String])
  case files
  case commands
  /// A command or a page; then a section of the page.
  case commandsAndPages
  /// The name of a running device; then what the command takes of it.
  case devices
  /// The name of a running device; then the words of a fault.
  case faults
  /// The name of a bundled definition.
  case bundled
  /// The name of a bundled definition, or a path.
  case definitions
  /// The same, perhaps with the adapter after an `@`.
  case placedDefinitions
  /// A stand; then the names of its devices.
  case standDevices
  /// A transcript, a definition or a folder of them.
  case transcripts
  /// A setting of the definition on the command line, and its value.
  case settings
  /// A transport, with an adapter where `hasAdapter`.
  case transports(hasAdapter: Bool)
  /// The adapter of a central, with its transport.
  case centralAdapters
}
