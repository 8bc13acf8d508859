/// Exit statuses, those of sysexits.h where something went wrong.
package enum ExitStatus: Int32, Sendable {
  case success = 0
  /// A conversation went another way than its transcript.
  case failed = 1
  /// EX_USAGE: the command was typed wrong.
  case usage = 64
  /// EX_DATAERR: the definition, a transcript or kept settings have mistakes.
  case badDefinition = 65
  /// EX_NOINPUT: there is no such definition.
  case noDefinition = 66
  /// EX_UNAVAILABLE: no BlueZ, no adapter, or none that is free.
  case unavailable = 69
  /// EX_SOFTWARE: a bug of ours.
  case bug = 70
  /// EX_CANTCREAT: the wire side, a report or a file of kept settings cannot be made.
  case cannotCreate = 73
  /// EX_NOPERM.
  case noPermission = 77
  /// 128 and SIGINT, as of a program that the signal ends.
  case interrupted = 130
}
