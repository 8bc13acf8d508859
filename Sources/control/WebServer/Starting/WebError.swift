import EventLoop
import Glibc

/// Why the server does not start. Cases carry facts; ``sentences`` holds the words.
package enum WebError: Error, Hashable, Sendable {
  case unknownOption(String)
  case missingValue(String)
  case badPlace(String)
  case badName(String)
  case unknownHost(String)
  /// With an `errno`.
  case cannotListen(SocketPlace, Int32)
}

extension WebError {
  /// As in sysexits.h.
  var status: Int32 {
    switch self {
    case .unknownOption, .missingValue, .badPlace, .badName: 64  // EX_USAGE
    case .cannotListen(_, EACCES): 77  // EX_NOPERM
    case .unknownHost, .cannotListen: 73  // EX_CANTCREAT
    }
  }

  /// What happened and what to do next.
  var sentences: (message: String, hint: String) {
    switch self {
    case .unknownOption(let option): ("'web' has no option '\(option)'", "'blemu help web' lists its options")
    case .missingValue(let option): ("'\(option)' needs a value", "\(option) [ADDRESS:]PORT")
    case .badPlace(let text):
      (
        "'\(text)' is not a value of '--listen'",
        "a port, or an address and a port, as in 8080, 0.0.0.0:8080 or [::1]:8080"
      )
    case .badName(let name):
      ("'\(name)' is not a name of a device", "'blemu ps' lists the devices that run; a path has a '/'")
    case .unknownHost(let host):
      (
        "cannot find the host '\(host)'",
        "use an address of this machine, or 0.0.0.0 for all of them"
      )
    case .cannotListen(let place, EADDRINUSE):
      (
        "port \(place.port) is in use",
        "perhaps by another 'blemu web'; choose another port with --listen, or 0 for any free one"
      )
    case .cannotListen(let place, EADDRNOTAVAIL):
      (
        "\(place.host) is not an address of this machine",
        "'ip address' lists them; 0.0.0.0 means all of them"
      )
    case .cannotListen(let place, EACCES):
      (
        "port \(place.port) needs privileges", "choose a port from 1024 on, as in --listen 8080"
      )
    case .cannotListen(let place, let code):
      (
        "cannot listen on \(place.host), port \(place.port): \(String(cString: strerror(code)))",
        "choose another address or port with --listen"
      )
    }
  }

  /// As the program prints it.
  var text: String { "blemu: \(sentences.message)\n  \(sentences.hint)\n" }
}
