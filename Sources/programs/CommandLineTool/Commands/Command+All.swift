extension Command {
  /// The commands, group by group, in the order of the overview.
  static let all: [Command] = [
    .list, .run, .up, .relay, .doctor,
    .new, .scan, .clone, .learn, .importing, .show, .check, .schema, .mcp,
    .play, .test, .diff,
    .ps, .web, .logs, .get, .set, .press, .send, .wire, .act, .expect, .fault, .advance, .journal,
    .advertise, .disconnect, .forget, .reset, .stop,
    .help, .completion, .man, .version,
  ]
}
