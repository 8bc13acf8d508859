extension Command {
  static let logs = Command(
    "logs", .running, arguments: "NAME", words: .devices,
    summary: "Prints the log of a running device.",
    options: [
      Option("-f", "follows: prints new lines as they come, until the device ends"),
      .after, .json,
    ],
    notes: [
      "NAME is that of 'blemu ps', or the path of a socket. The journal keeps the last 10,000 events, at most 8 MiB."
    ],
    examples: [Example("blemu logs -f hm-10", "prints the log of hm-10, and follows it")]
  ) { arguments throws(CommandError) in
    try JournalCommand(arguments, isNumbered: false).run()
  }
}
