import Devices

extension Command {
  static let run = Command(
    "run", .onTheAir, arguments: "DEFINITION[@PLACE]…", words: .placedDefinitions,
    summary: "Puts one or more devices on the air.",
    options: [
      Option(
        "--on", takes: "TRANSPORT",
        "selects the transport: bluez[:ADAPTER], with an adapter by name or address (default: the first that can be a peripheral and is free); exact[:ADAPTER], which blemu takes from the kernel for its own Bluetooth host, and which needs privileges; or loopback, in memory without a radio",
        words: .transports(hasAdapter: true)),
      .take,
      Option(
        "--pty", takes: "PATH", "connects the wire side to a pseudo-terminal, linked at PATH", words: .files),
      Option(
        "--exec", takes: "PROGRAM [ARGUMENT…]",
        "connects the wire side to the standard input and output of a program, and logs its standard error",
        takesAll: true, words: .files),
      Option(
        "--restart", takes: "WHEN",
        "selects when blemu restarts that program: never, on-failure (default) or always",
        words: .oneOf(["never", "on-failure", "always"])),
      Option(
        "--tcp", takes: "[HOST:]PORT",
        "connects the wire side to a TCP port for one peer at a time (default HOST: 127.0.0.1)"),
      Option(
        "--serial", takes: "DEVICE[:BAUD]",
        "connects the wire side to a serial port (default BAUD: from the definition, otherwise 9600)",
        words: .files),
      Option(
        "--stdio", "connects the wire side to standard input and output; the log goes to standard error"),
      .set,
      Option(
        "--state", takes: "FILE",
        "keeps settings that rules change, and bonds, in FILE for the next run; --set overrides the file",
        words: .files),
      Option(
        "--forget-bonds", "removes the bonds from the file of --state; centrals have to pair again"),
      Option(
        "--capture", takes: "FILE",
        "records what the device hears and says on the air in a new FILE, for Wireshark: .pcapng, or .btsnoop or .log as Android has it. "
          + "With bluez, this is what the adapter and Linux exchange, and needs privileges",
        words: .files),
      .fault, .seed,
      .holdClock, .linkTime, .log,
      .deviceName, .controlSocket, .noControl,
    ],
    notes: [
      "--exec takes all following words, up to '--' or the end: blemu run hm-10 --exec python3 -u robot.py",
      "Use only one of --pty, --exec, --tcp, --serial and --stdio. The other end may disconnect and connect again.",
      "PLACE is an adapter, or a value of --on. Several devices run in one process. The options \(SeveralDevices.options.joined(separator: ", ")) apply to all of them. "
        + "If a device fails, the others keep running.",
    ],
    examples: [
      Example("blemu run hm-10", "puts an HM-10 on the air, until Ctrl-C"),
      Example(
        "blemu run hm-10 --on exact --pty hm10",
        "uses the handles and MTU of a real HM-10, and puts its UART at the pseudo-terminal hm10"),
      Example(
        "blemu run bluno --set local-name=Robot --state bluno.state",
        "gives a Bluno another name, and keeps the changes that phones make for the next run"),
      Example(
        "blemu run hm-10 --on exact --capture hm-10.pcapng",
        "records all packets, with the names of the messages in them"),
      Example(
        "blemu run bracelet --fault 'drop out on serial every 3rd' --seed 7",
        "drops every third value that the bracelet sends"),
      Example(
        "blemu run hm-10@loopback bracelet@loopback",
        "runs two devices in memory; hm-10@hci0 bracelet@exact:hci1 puts them on the air"),
    ],
    needsPrivileges: { arguments in
      if arguments["--capture"] != nil { return true }
      let places = arguments.positional.map { (try? PlacedDefinition($0))?.place }
      return ([arguments["--on"]] + places).contains { (try? TransportSpecification($0))?.isExact == true }
    }
  ) { arguments throws(CommandError) in
    let command = try RunCommand(arguments)
    return BlemuTool.run(command.devices, log: command.log, named: command.devices.count > 1) {
      () throws(CommandError) in
      try RunCommand(arguments).devices
    }
  }
}

/// `blemu run DEFINITION[@PLACE]…`
struct RunCommand {
  fileprivate let devices: [DeviceSpecification]
  fileprivate let log: LogStyle

  init(_ arguments: Arguments) throws(CommandError) {
    log = try LogStyle(arguments["--log"])
    devices =
      arguments.positional.count > 1
      ? try SeveralDevices(arguments).devices : [try DeviceSpecification(arguments)]
  }
}
