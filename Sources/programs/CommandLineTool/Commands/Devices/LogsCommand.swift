extension Command {
  static let logs = Command(
    "logs", .running, arguments: "NAME", words: .devices,
    summary: "Prints the log of a running device.",
    options: [
      Option("-f", "follows the log: prints new lines until the device ends"),
      .after, .json,
    ],
    notes: [
      "NAME is a name from 'blemu ps', or the path of a socket. The journal keeps the last 10,000 events, at most 8 MiB."
    ],
    examples: [Example("blemu logs -f hm-10", "prints the log of hm-10, and new lines as they appear")]
  ) { arguments throws(CommandError) in
    try JournalCommand(arguments, isNumbered: false).run()
  }
}
