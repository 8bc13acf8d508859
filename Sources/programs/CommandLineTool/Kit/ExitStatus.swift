/// Exit statuses; errors have those of sysexits.h.
package enum ExitStatus: Int32, CaseIterable, Sendable {
  case success = 0
  case failed = 1
  /// EX_USAGE
  case usage = 64
  /// EX_DATAERR
  case badDefinition = 65
  /// EX_NOINPUT
  case noDefinition = 66
  /// EX_UNAVAILABLE
  case unavailable = 69
  /// EX_SOFTWARE
  case bug = 70
  /// EX_CANTCREAT
  case cannotCreate = 73
  /// EX_IOERR
  case lostOutput = 74
  /// EX_NOPERM
  case noPermission = 77
  /// 128 + SIGINT, as for a program that the signal ends.
  case interrupted = 130
}

extension ExitStatus {
  /// A sentence for the help, the manual page and the documentation.
  package var meaning: String {
    switch self {
    case .success: "Success."
    case .failed:
      "A test failed, two devices differ, an expectation was not met, or a running device cannot do now what was asked of it."
    case .usage: "The command line has a mistake."
    case .badDefinition:
      "A definition, a transcript, a stand, a listing or the file of --state has mistakes, or a file is not UTF-8 text."
    case .noDefinition: "There is no such definition."
    case .unavailable:
      "There is no BlueZ, no adapter, no free adapter, or no running device of this name, or blemu doctor has found a problem."
    case .bug: "blemu has a bug."
    case .cannotCreate:
      "blemu cannot create the wire side, a file or the file of --state, or that file is in use, or blemu web cannot listen."
    case .lostOutput: "blemu cannot write to standard output."
    case .noPermission: "blemu lacks permission."
    case .interrupted:
      "Ctrl-C ended the command. A running device that Ctrl-C takes off the air exits with 0."
    }
  }
}
