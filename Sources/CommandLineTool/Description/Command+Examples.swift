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
    case .schema:
      [Example(line: "blemu schema > blemu.schema.json", summary: "writes the schema into a file")]
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
