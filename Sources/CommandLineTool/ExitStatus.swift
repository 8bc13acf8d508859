/// Exit statuses; errors have those of sysexits.h.
package enum ExitStatus: Int32, Sendable {
  case success = 0
  /// A conversation differed from its transcript.
  case failed = 1
  /// EX_USAGE: the command line is wrong.
  case usage = 64
  /// EX_DATAERR: the definition, a transcript or kept settings have mistakes.
  case badDefinition = 65
  /// EX_NOINPUT: there is no such definition.
  case noDefinition = 66
  /// EX_UNAVAILABLE: no BlueZ, no adapter, or none that is free.
  case unavailable = 69
  /// EX_SOFTWARE: a bug in blemu.
  case bug = 70
  /// EX_CANTCREAT: the wire side, a report or a file of kept settings cannot be created.
  case cannotCreate = 73
  /// EX_IOERR: standard output cannot be written.
  case lostOutput = 74
  /// EX_NOPERM.
  case noPermission = 77
  /// 128 + SIGINT, as for a program that the signal ends.
  case interrupted = 130
}
