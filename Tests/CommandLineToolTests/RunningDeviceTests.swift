import Testing

/// What commands for running devices say where something is wrong.
@Suite struct RunningDeviceTests {
  private static let bell = """
    blemu: 1
    name: Bell
    advertisement: { local-name: Bell }
    settings: { level: { type: integer, default: 1, min: 0, max: 9 } }
    variables: { count: { type: integer, default: 0 } }
    controls: { bell: { do: { log: it rings } } }
    rules:
      - { on: start, do: { start: minute, every: 1min } }
      - { on: { timer: minute }, do: [{ set: { count: count + 1 } }, { log: tick }] }
    """

  /// Runs lines while a device, `lamp` or `bell`, is on the air, in memory.
  private func run(_ lines: String, _ device: String = "lamp") -> Shell.Result {
    let shell = Shell([
      "lamp.yaml": "blemu: 1\nname: Lamp\nadvertisement: { local-name: Lamp }\n", "bell.yaml": Self.bell,
    ])
    return shell.run(
      """
      export XDG_RUNTIME_DIR=$PWD
      blemu run \(device).yaml --on loopback --log none & device=$!
      until blemu ps --json 2>/dev/null | grep -q '"on-air": true'; do sleep 0.01; done
      \(lines)
      status=$?
      kill $device; wait $device
      exit $status
      """)
  }

  @Test func `a stopped device does not stop 'ps'`() {
    let result = run("kill -STOP $device; blemu ps; kill -CONT $device")
    #expect(result.output == "NAME  DEVICE  ON  ADDRESS  UP  CENTRALS  IN  OUT\n")
    #expect(result.error == "blemu: 'lamp' does not answer; its process may be suspended\n")
    #expect(result.status == 0)
  }

  @Test func `a stopped device does not stop 'get'`() {
    let result = run("kill -STOP $device; blemu get lamp; status=$?; kill -CONT $device; (exit $status)")
    #expect(
      result.error
        == "blemu: 'lamp' does not answer\n  its process may be suspended; 'kill -CONT' resumes it\n")
    #expect(result.status == 69)
  }

  @Test func `what a device that was killed has left is no device, and its name is free`() {
    let result = run(
      """
      kill -KILL $device; wait $device 2>&-
      blemu ps
      blemu get lamp 2>&1
      blemu run lamp.yaml --on loopback --log none --name lamp & device=$!
      until blemu ps 2>/dev/null | grep -q '^lamp'; do sleep 0.01; done
      """)
    #expect(
      result.output == """
        NAME  DEVICE  ON  ADDRESS  UP  CENTRALS  IN  OUT
        blemu: no device 'lamp' runs
          no device is running; 'blemu run DEFINITION' starts one

        """)
    #expect(result.status == 0)
  }

  @Test(arguments: [
    (
      "blemu press lamp button --json", 64,
      #"{"error": {"code": -32602, "message": "the definition has no control 'button'", "data": {"hint": "it has no controls"}}}"#
    ),
    (
      "blemu get lmap --json", 69,
      #"{"error": {"message": "no device 'lmap' runs", "data": {"hint": "did you mean 'lamp'?"}}}"#
    ),
    (
      "blemu set lamp --json", 64,
      #"{"error": {"message": "'set' needs a NAME=VALUE", "data": {"hint": "'blemu help set' explains the command, 'blemu ps' lists the running devices"}}}"#
    ),
  ])
  func `a failure is an object, too, with --json`(line: String, status: Int32, output: String) {
    let result = run(line)
    #expect(result.output == output + "\n")
    #expect(result.error.hasPrefix("blemu: "))
    #expect(result.status == status)
  }

  @Test func `a folder that cannot be opened for its lock takes no socket`() {
    let shell = Shell(["lamp.yaml": "blemu: 1\nname: Lamp\nadvertisement: { local-name: Lamp }\n"])
    let result = shell.run(
      """
      mkdir -m 300 own
      as=
      if [ $(id -u) = 0 ]; then
        chown 65534 own; chmod 711 .; cp "$(command -v blemu)" .; PATH=$PWD:$PATH
        as='setpriv --reuid 65534 --regid 65534 --clear-groups'
      fi
      $as blemu run lamp.yaml --on loopback --control own/x.sock
      """)
    #expect(
      result.error
        == "blemu: cannot listen at 'own': Permission denied\n  choose a path in a folder of your own with --control\n"
    )
    #expect(result.status != 0)
  }

  @Test func `both sides of an expectation are in its object`() {
    let result = run("blemu expect lamp connect --json")
    #expect(result.output.hasPrefix(#"{"error": {"code": -32001, "message": "'connect' did not come"#))
    #expect(result.output.contains(#""comparison": ""#))
    #expect(result.status == 1)
  }

  /// The first press has rung the bell; the second command does nothing of the kind.
  @Test(arguments: [
    ("blemu expect bell '* \"it rings\"'", 1), ("blemu expect bell '* \"it rings\"' from start", 0),
    ("blemu expect bell '* \"it rings\"' from 3", 0), ("blemu expect bell '* \"it rings\"' from 4", 1),
    ("blemu expect bell '* \"it rings\"' after 2", 0), ("blemu expect bell '* \"it rings\"' from now", 1),
    ("blemu expect bell 'set level=3'", 0),
    ("blemu expect bell 'set level=3' && blemu expect bell 'set level=3'", 1),
    ("blemu expect bell 'set level=3' from now", 1), ("blemu expect bell 'set level=3' from never", 64),
  ])
  func `a script's expectation counts what has come since its last command`(
    expectation: String, status: Int32
  ) {
    let result = run(
      """
      blemu press bell bell
      blemu expect bell '* "it rings"' >/dev/null || { kill $device; exit 98; }
      blemu expect bell '* "it rings"' >/dev/null 2>&1 && { kill $device; exit 97; }
      blemu set bell level=3
      \(expectation)
      """, "bell")
    #expect(result.status == status, "\(result)")
  }

  @Test func `an expectation says which event came too early`() {
    let result = run("blemu press bell bell; blemu set bell level=3; blemu expect bell 'press bell'", "bell")
    #expect(
      result.error.hasSuffix(
        "  event 2 would meet it, but came before the last act or expectation: 'after 1' counts it\n"
      ), "\(result)")
    #expect(result.status == 1)
  }

  @Test func `time passes at once`() {
    let result = run(
      """
      blemu advance bell 10min
      blemu expect bell '* "tick"' exactly 10
      blemu advance bell 24h
      blemu get bell count
      blemu advance bell 1y
      """, "bell")
    #expect(result.output.hasSuffix("\n1450\n"), "\(result)")
    #expect(
      result.error
        == "blemu: '1y' is not a value of 'TIME'\n  a number with ms, s, min, h or d, as in 10min; at most a year\n"
    )
    #expect(result.status == 64)
  }

  @Test func `the words of a line may be separate`() {
    let result = run(
      """
      blemu act lamp connect mtu=50
      blemu reset lamp && blemu advertise lamp off &&
        blemu expect lamp reset advertise off '*' centrals == 0 within 5s from start >events
      """)
    #expect(result.error == "blemu: lamp: the device only advertises: no central can connect\n")
    #expect(result.status == 0)
  }

  @Test func `'logs -f' ends when it cannot write`() {
    let result = run("timeout 60 blemu logs -f lamp >/dev/full")
    #expect(result.error == "blemu: cannot write to standard output: No space left on device\n")
    #expect(result.status == 74)
  }

  private static func foreignFolder(_ name: String) -> String {
    "blemu: other users can write to 'HERE/\(name)', so its sockets may be theirs\n"
      + "  remove the folder, or name the path of a socket in place of a device\n"
  }

  @Test func `a path is for whoever names it, in any folder`() {
    let result = run("chmod 777 blemu; blemu get ./blemu/lamp.sock --json")
    #expect(result == Shell.Result(status: 0, output: "{\"values\": {}}\n", error: ""))
  }

  @Test(arguments: [
    (
      "blemu get lmap", 69,
      "blemu: no device 'lmap' runs\n  did you mean 'lamp'?\n"
    ),
    (
      "blemu set", 64,
      "blemu: 'set' needs a NAME\n  'blemu help set' explains the command, 'blemu ps' lists the running devices\n"
    ),
    ("blemu send lamp wire 01", 64, "blemu: lamp: Lamp has no wire side\n  the device sends nothing\n"),
    (
      "blemu run lamp.yaml --on loopback --name $(printf %070d)", 64,
      "blemu: '\(String(repeating: "0", count: 70))' is too long for the name of a device\n  a name has at most 64 characters\n"
    ),
    (
      "mkdir own; touch own/blemu; XDG_RUNTIME_DIR=$PWD/own blemu run lamp.yaml --on loopback --name x 2>&1 | sed s:$PWD:HERE: >&2; false",
      1,
      "blemu: 'HERE/own/blemu' is a file, not a folder for sockets\n  remove it, or choose another path with --control\n"
    ),
    (
      "mkdir -p own; mkdir -m 777 own/blemu; XDG_RUNTIME_DIR=$PWD/own blemu run lamp.yaml --on loopback --name x 2>&1 | sed s:$PWD:HERE: >&2; false",
      1,
      "blemu: other users can write to 'HERE/own/blemu', and could control the device\n  remove the folder, or choose another path with --control\n"
    ),
    ("chmod 777 blemu; blemu ps 2>&1 | sed s:$PWD:HERE: >&2; false", 1, Self.foreignFolder("blemu")),
    ("chmod 770 blemu; blemu get lamp 2>&1 | sed s:$PWD:HERE: >&2; false", 1, Self.foreignFolder("blemu")),
    (
      "mkdir own; ln -s ../blemu own/blemu; XDG_RUNTIME_DIR=$PWD/own blemu get lamp 2>&1 | sed s:$PWD:HERE: >&2; false",
      1, Self.foreignFolder("own/blemu")
    ),
    ("blemu set lamp level", 64, "blemu: 'level' is not NAME=VALUE\n  as in blemu set NAME level=3\n"),
    ("blemu set lamp a=4 b=5 a=5", 64, "blemu: 'a' is given twice\n  remove one of them\n"),
    (
      "blemu run lamp.yaml --on loopback --name lamp 2>&1 | sed s:$PWD:HERE: >&2; false", 1,
      """
      blemu: another device listens at 'HERE/blemu/lamp.sock'
        choose another name, with --name or in the stand; 'blemu ps' lists the running devices

      """
    ),
  ])
  func `a mistake says what to do`(line: String, status: Int32, error: String) {
    let result = run(line)
    #expect(result.error == error)
    #expect(result.status == status)
  }
}
