import System

extension ControllerFinding {
  /// What has happened, as a clause, and what to do about it.
  package var sentences: (message: String, hint: String) { sentences(on: .ofThisMachine) }

  private func sentences(on tools: MachineTools) -> (message: String, hint: String) {
    switch self {
    case .unknownHost(let host, let reason):
      ("cannot find the host '\(host)': \(reason)", "check its name, or use its address")
    case .nothingListens(let place): ("nothing listens at \(place)", Self.otherProgram)
    case .unreachable(let place, let reason): ("cannot connect to \(place): \(reason)", Self.otherProgram)
    case .doesNotAnswer(let place, let seconds):
      ("\(place) has not answered in \(seconds) s", "check the host and the port, and the firewall between")

    case .noSerialPort(let path):
      (
        "there is no serial port '\(path)'",
        "plug the board in, and look for its name: ls /dev/ttyACM* /dev/ttyUSB*"
      )
    case .notASerialPort(let path):
      ("'\(path)' is not a serial port", "choose the board's, as in /dev/ttyACM0")
    case .mayNotOpen(let path):
      (
        "this user may not open '\(path)'",
        "join the group 'dialout' (\(tools.asRoot("adduser $USER dialout"))) and log in again"
      )
    case .portInUse(let path): ("another program uses '\(path)'", "stop it, or choose another serial port")
    case .badSpeed(let path, let speed):
      ("'\(path)' does not support \(speed) bits per second", "choose the speed of the board's firmware")
    case .cannotOpen(let path, let reason):
      ("cannot open '\(path)': \(reason)", "unplug the board, and plug it in again")

    case .noAdapter(let place): ("there is no adapter \(place)", "plug it in, or choose another one")
    case .adapterIsOn(let place):
      (
        "\(place) is on: the kernel or another program uses it",
        "switch it off (bluetoothctl power off), or stop the other program"
      )
    case .adapterIsBlocked(let place):
      ("\(place) is blocked by rfkill", "unblock it: \(tools.unblocking)")
    case .mayNotTakeAdapter(let place):
      (
        "taking \(place) from the kernel needs the capability CAP_NET_ADMIN",
        "grant it (\(tools.granting("cap_net_admin,cap_net_raw"))), or \(tools.runAsRoot)"
      )
    case .cannotTakeAdapter(let place, let reason):
      ("cannot take \(place) from the kernel: \(reason)", "see the kernel's log (\(tools.asRoot("dmesg")))")

    case .gone(.tcp(let host, let port)):
      (
        "\(ControllerPlace.tcp(host: host, port: port)) has closed the connection",
        "start the program that has the controller again"
      )
    case .gone(let place): ("\(place) is gone", "plug it in again")
    case .failed(let place, let reason): ("\(place) has failed: \(reason)", "start the controller again")
    case .notHCI(let place, let byte):
      (
        "the bytes from \(place) are not HCI (first wrong byte \(Self.hexadecimal(byte)))",
        place.hintForNonsense(tools)
      )
    case .packetTooLong(let place, let length):
      ("the bytes from \(place) are not HCI (a packet of \(length) bytes)", place.hintForNonsense(tools))
    }
  }

  private static let otherProgram = "start the program that has the controller first, and check the port"

  private static func hexadecimal(_ byte: UInt8) -> String {
    "0x" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }
}

extension ControllerPlace {
  /// What to do when the bytes are not HCI.
  fileprivate func hintForNonsense(_ tools: MachineTools) -> String {
    switch self {
    case .tcp: "check the port: a controller speaks H4 there"
    case .uart(let path, let speed):
      "the speed is probably wrong: blemu used \(speed) bits per second; another one: \(path):115200"
    case .adapter: "see the kernel's log (\(tools.asRoot("dmesg"))), and plug the adapter in again"
    }
  }
}
