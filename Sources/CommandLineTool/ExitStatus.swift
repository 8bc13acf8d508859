/// Exit statuses; errors have those of sysexits.h.
package enum ExitStatus: Int32, CaseIterable, Sendable {
  case success = 0
  /// A conversation differed from its transcript, an expectation was not met, or a device cannot do something now.
  case failed = 1
  /// EX_USAGE: the command line is wrong.
  case usage = 64
  /// EX_DATAERR: the definition, a transcript or kept settings have mistakes.
  case badDefinition = 65
  /// EX_NOINPUT: there is no such definition.
  case noDefinition = 66
  /// EX_UNAVAILABLE: no BlueZ, no adapter, none that is free, no running device of this name, or no program for `web`.
  case unavailable = 69
  /// EX_SOFTWARE: a bug in blemu.
  case bug = 70
  /// EX_CANTCREAT: the wire side, a report or a file of kept settings cannot be created, or `web` cannot listen.
  case cannotCreate = 73
  /// EX_IOERR: standard output cannot be written.
  case lostOutput = 74
  /// EX_NOPERM.
  case noPermission = 77
  /// 128 + SIGINT, as for a program that the signal ends.
  case interrupted = 130
}

extension ExitStatus {
  /// For the manual page.
  var meaning: String {
    switch self {
    case .success: "success"
    case .failed: "a test failed, an expectation was not met, or a running device cannot do something now"
    case .usage: "a mistake in the command line"
    case .badDefinition: "mistakes in the definition, in a transcript, or in the file of --state"
    case .noDefinition: "no such definition"
    case .unavailable:
      "no BlueZ, no adapter, no free adapter, no running device of this name, or no blemu-web"
    case .bug: "a bug in blemu"
    case .cannotCreate:
      "blemu cannot create the wire side, a file, or the file of --state, or that file is in use, or it cannot listen for the page"
    case .lostOutput: "blemu cannot write to standard output"
    case .noPermission: "no permission"
    case .interrupted: "interrupted"
    }
  }
}
