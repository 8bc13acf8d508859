extension Command {
  /// Command lines that work, for its help. Tests run them.
  var examples: [Example] {
    switch self {
    case .run:
      [
        Example(line: "blemu run hm-10", summary: "puts an HM-10 on the air, until Ctrl-C"),
        Example(
          line: "blemu run hm-10 --on exact --pty hm10",
          summary: "likewise, with all that the real one does, and its UART at the pseudo-terminal hm10"),
        Example(
          line: "blemu run bluno --set local-name=Robot --state bluno.state",
          summary: "gives a Bluno another name, and keeps what phones change for the next run"),
        Example(
          line: "blemu run bracelet --fault 'drop out on serial every 3rd' --seed 7",
          summary: "loses every third value that the bracelet sends"),
        Example(
          line: "blemu run hm-10@loopback bracelet@loopback",
          summary: "runs two devices, here in memory; hm-10@hci0 bracelet@exact:hci1 puts them on the air"),
      ]
    case .up:
      [
        Example(line: "blemu up desk.yaml", summary: "runs all devices of the stand, until Ctrl-C"),
        Example(line: "blemu up desk.yaml scale --log json", summary: "runs one, with a log for programs"),
      ]
    case .check:
      [
        Example(line: "blemu check lamp.yaml", summary: "reports the mistakes in your definition"),
        Example(line: "blemu check .", summary: "reports the mistakes in all definitions of this folder"),
        Example(
          line: "blemu check --on loopback --format json lamp.yaml",
          summary: "reports them to a program, whatever BlueZ can serve"),
      ]
    case .show:
      [
        Example(line: "blemu show heart-rate-belt", summary: "shows its advertising, attributes and rules"),
        Example(line: "blemu show --source hm-10 > my.yaml", summary: "makes a copy to change"),
        Example(
          line: "blemu show hm-10 --on exact --set local-name=Demo",
          summary: "shows all handles, and the advertising with another name"),
      ]
    case .play:
      [
        Example(line: "blemu play bracelet", summary: "connects you to a fitness bracelet in memory"),
        Example(
          line: "blemu play lamp.yaml --record lamp-new.transcript",
          summary: "saves what you type, and the device's answers, as a transcript"),
      ]
    case .test:
      [
        Example(
          line: "blemu test lamp.yaml", summary: "runs the transcripts beside your definition, in memory"),
        Example(
          line: "blemu test --filter iBeacon hm-10",
          summary: "runs the sections with 'iBeacon' in their title"),
        Example(
          line: "blemu test --report results.xml hm-10 bracelet",
          summary: "runs those of two bundled definitions, and writes a report"),
        Example(
          line: "blemu test --on bluez:hci0 --central bluez:hci1 hm-10",
          summary: "runs them on the air, between two adapters"),
      ]
    case .ps: [Example(line: "blemu ps", summary: "lists names, adapters, addresses and counts")]
    case .web:
      [
        Example(line: "blemu web", summary: "serves the page for all devices that run"),
        Example(line: "blemu web hm-10 --listen 8080", summary: "does so for one, at another port"),
      ]
    case .logs: [Example(line: "blemu logs -f hm-10", summary: "prints the log of hm-10, and follows it")]
    case .get:
      [
        Example(line: "blemu get hm-10", summary: "prints all settings and variables"),
        Example(line: "blemu get hm-10 'local-name + \"!\"'", summary: "prints the value of an expression"),
      ]
    case .set:
      [
        Example(
          line: "blemu set hm-10 local-name=Robot",
          summary: "gives the module another name, and advertises it")
      ]
    case .press:
      [
        Example(line: "blemu press heart-rate-belt strap", summary: "takes the belt off, or puts it on"),
        Example(line: "blemu press heart-rate-belt heart-rate=120", summary: "moves a slider"),
      ]
    case .act:
      [
        Example(line: "blemu act hm-10 connect", summary: "connects a central in memory"),
        Example(line: "blemu act hm-10 '> FFE1 \"AT\"'", summary: "lets it write"),
      ]
    case .send:
      [
        Example(line: "blemu send hm-10 FFE1 4F 4B", summary: "notifies two bytes"),
        Example(line: "blemu send hm-10 FFE1 --text OK", summary: "does so with text"),
        Example(
          line: "blemu send bracelet serial day-total packets=5",
          summary: "notifies a message of the definition"),
      ]
    case .wire:
      [
        Example(
          line: "blemu wire hm-10 --text 'AT+NAME?'",
          summary: "lets the microcontroller behind the module ask its name")
      ]
    case .expect:
      [
        Example(
          line: "blemu expect hm-10 connect '> FFE1 41 54' within 30s",
          summary: "waits up to 30 s until a central has connected and then written AT"),
        Example(
          line: "blemu expect hm-10 '! \"not sent\" ...' never",
          summary: "fails if the log has shown that a value was not sent"),
      ]
    case .fault:
      [
        Example(line: "blemu fault hm-10 drop on FFE1 every 3rd", summary: "loses each third value"),
        Example(line: "blemu fault hm-10", summary: "lists the faults, with how often each has struck"),
        Example(line: "blemu fault hm-10 --remove-all", summary: "lets all go well again"),
      ]
    case .advance:
      [Example(line: "blemu advance hm-10 10min", summary: "lets ten minutes of its life pass at once")]
    case .journal: [Example(line: "blemu journal hm-10 --json", summary: "prints an object for each event")]
    case .advertise: [Example(line: "blemu advertise hm-10 off", summary: "hides the module from scans")]
    case .disconnect: [Example(line: "blemu disconnect hm-10", summary: "ends all connections of the module")]
    case .reset: [Example(line: "blemu reset hm-10", summary: "resets the module")]
    case .stop: [Example(line: "blemu stop hm-10", summary: "ends it, as Ctrl-C does")]
    case .schema:
      [
        Example(
          line: "blemu schema > blemu.schema.json", summary: "writes the schema of definitions into a file"),
        Example(line: "blemu schema stand", summary: "prints that of stands"),
        Example(
          line: "blemu schema control", summary: "prints that of the requests that a running device takes"),
      ]
    case .completion:
      [
        Example(
          line: "source <(blemu completion bash)", summary: "loads the script into this bash; likewise in zsh"
        ),
        Example(line: "blemu completion fish | source", summary: "loads it into this fish"),
      ]
    case .man:
      [Example(line: "blemu man | man -l -", summary: "shows the manual page where it is not installed")]
    case .help:
      [Example(line: "blemu help run", summary: "lists the options of 'run'; so does 'blemu run --help'")]
    case .list:
      [
        Example(line: "blemu list", summary: "lists the names that other commands take"),
        Example(line: "blemu list heart", summary: "lists those with this word in name or summary"),
      ]
    case .new:
      [
        Example(
          line: "blemu new lamp", summary: "makes lamp/lamp.yaml, lamp/lamp.transcript and lamp/README.md"),
        Example(
          line: "blemu new my-module --from hm-10", summary: "makes a module like the HM-10, to be changed"),
      ]
    case .version: []
    }
  }
}
