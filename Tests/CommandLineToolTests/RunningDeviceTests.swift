import Testing

/// What commands for running devices say where something is wrong.
@Suite struct RunningDeviceTests {
  /// Runs lines while the device `lamp` is on the air, in memory.
  private func run(_ lines: String) -> Shell.Result {
    let shell = Shell(["lamp.yaml": "blemu: 1\nname: Lamp\nadvertisement: { local-name: Lamp }\n"])
    return shell.run(
      """
      export XDG_RUNTIME_DIR=$PWD
      blemu run lamp.yaml --on loopback --log none & device=$!
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
    #expect(result.error == "blemu: 'lamp' does not answer; it may be stopped\n")
    #expect(result.status == 0)
  }

  @Test func `a stopped device does not stop 'get'`() {
    let result = run("kill -STOP $device; blemu get lamp; status=$?; kill -CONT $device; (exit $status)")
    #expect(
      result.error == "blemu: 'lamp' does not answer\n  it may be stopped; 'kill -CONT' lets it go on\n")
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
          no device runs; 'blemu run DEFINITION' starts one

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
      #"{"error": {"message": "'set' needs a NAME=VALUE", "data": {"hint": "'blemu help set' explains the command, 'blemu ps' lists the devices that run"}}}"#
    ),
  ])
  func `a failure is an object, too, with --json`(line: String, status: Int32, output: String) {
    let result = run(line)
    #expect(result.output == output + "\n")
    #expect(result.error.hasPrefix("blemu: "))
    #expect(result.status == status)
  }

  @Test func `both sides of an expectation are in its object`() {
    let result = run("blemu expect lamp connect --json")
    #expect(result.output.hasPrefix(#"{"error": {"code": -32001, "message": "'connect' did not come"#))
    #expect(result.output.contains(#""comparison": ""#))
    #expect(result.status == 1)
  }

  @Test func `the words of a line may be separate`() {
    let result = run(
      """
      blemu act lamp connect mtu=50
      blemu reset lamp && blemu advertise lamp off &&
        blemu expect lamp reset advertise off '*' centrals == 0 within 5s >events
      """)
    #expect(result.error == "blemu: lamp: the device only advertises: no central can connect\n")
    #expect(result.status == 0)
  }

  @Test func `'logs -f' ends when it cannot write`() {
    let result = run("timeout 60 blemu logs -f lamp >/dev/full")
    #expect(result.error == "blemu: cannot write to standard output: No space left on device\n")
    #expect(result.status == 74)
  }

  @Test(arguments: [
    (
      "blemu get lmap", 69,
      "blemu: no device 'lmap' runs\n  did you mean 'lamp'?\n"
    ),
    (
      "blemu set", 64,
      "blemu: 'set' needs a NAME\n  'blemu help set' explains the command, 'blemu ps' lists the devices that run\n"
    ),
    ("blemu send lamp wire 01", 64, "blemu: lamp: Lamp has no wire side\n  the device sends nothing\n"),
    (
      "blemu run lamp.yaml --on loopback --name $(printf %070d)", 64,
      "blemu: '\(String(repeating: "0", count: 70))' is too long for the name of a device\n  a name has at most 64 characters\n"
    ),
    (
      "mkdir own; touch own/blemu; XDG_RUNTIME_DIR=$PWD/own blemu run lamp.yaml --on loopback --name x 2>&1 | sed s:$PWD:HERE: >&2; false",
      1,
      "blemu: 'HERE/own/blemu' is a file, and no folder for sockets\n  remove it, or choose another path with --control\n"
    ),
    ("blemu set lamp level", 64, "blemu: 'level' is not NAME=VALUE\n  as in blemu set NAME level=3\n"),
    ("blemu set lamp a=4 b=5 a=5", 64, "blemu: 'a' is given twice\n  remove one of them\n"),
    (
      "blemu run lamp.yaml --on loopback --name lamp 2>&1 | sed s:$PWD:HERE: >&2; false", 1,
      """
      blemu: another device listens at 'HERE/blemu/lamp.sock'
        choose another name, with --name or in the stand; 'blemu ps' lists the devices that run

      """
    ),
  ])
  func `a mistake says what to do`(line: String, status: Int32, error: String) {
    let result = run(line)
    #expect(result.error == error)
    #expect(result.status == status)
  }
}
