extension Command {
  /// The commands, in the order in which the overview shows them.
  static let all: [Command] = [
    .run, .up, .check, .show, .play, .test, .list, .new,
    .ps, .web, .logs, .get, .set, .press, .send, .wire, .act, .expect, .fault, .advance, .journal,
    .advertise, .disconnect, .reset, .stop,
    .schema, .completion, .man, .help, .version,
  ]
}
