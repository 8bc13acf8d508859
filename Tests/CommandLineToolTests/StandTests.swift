import Testing

/// Several devices in one process, in memory.
@Suite struct StandTests {
  private static let desk = """
    stand: Desk
    devices:
      belt: { definition: heart-rate-belt, on: loopback }
      module: { definition: hm-10, on: loopback, set: { local-name: Robot }, state: module.state, wire: { pty: hm10 } }

    """

  private let shell = Shell(["desk.yaml": desk, "devices.sh": functions])

  private static let functions = """
    export XDG_RUNTIME_DIR=$PWD
    await_devices() { until [ "$(blemu ps --json 2>/dev/null | grep -c '"on-air": true')" = "$1" ]; do sleep 0.01; done; }

    """

  private func run(_ lines: String) -> Shell.Result { shell.run(". ./devices.sh\n\(lines)") }

  @Test func `each device has its settings, its files, its wire side and its name`() {
    let result = run(
      """
      blemu up desk.yaml >log & stand=$!
      await_devices 2
      blemu get module local-name; test -L hm10; echo $?
      blemu act module connect; blemu act module 'subscribe FFE1'
      printf OK >hm10; blemu expect module '< FFE1 "OK"' within 60s >expected; echo $?
      kill -INT $stand; wait $stand; echo $?
      """)
    #expect(result.output == "Robot\n0\n0\n0\n")
    #expect(result.error == "")
    #expect(shell.folder.read("module.state")?.hasPrefix("definition: \"HM-10\"\n") == true)
    let log = shell.folder.read("log")?.split(separator: "\n") ?? []
    #expect(log.allSatisfy { $0.hasPrefix("belt    ") || $0.hasPrefix("module  ") })
    #expect(log.contains { $0.hasPrefix("module  ") && $0.hasSuffix("  < FFE1  4F 4B  OK") })
    #expect(log.count { $0.contains("  off the air after ") } == 2)
  }

  @Test func `one that is stopped leaves the others, and the stand ends with the last`() {
    let result = run(
      """
      blemu up desk.yaml --log json >log & stand=$!
      await_devices 2
      blemu stop belt
      await_devices 1
      blemu ps --json | grep -c '"name": "module"'
      blemu stop module; wait $stand; echo $?
      """)
    #expect(result.output == "1\n0\n")
    let log = shell.folder.read("log")?.split(separator: "\n") ?? []
    #expect(log.count { $0.contains(#""device":"belt","event":"off-air""#) } == 1)
    #expect(log.last?.contains(#""device":"module","event":"off-air""#) == true)
  }

  @Test func `a wrong name does not keep 'stop' from those after it`() {
    let result = run(
      """
      blemu up desk.yaml --log none & stand=$!
      await_devices 2
      blemu stop belt modul module; echo $?
      wait $stand; echo $?
      """)
    #expect(result.output == "69\n0\n")
    #expect(result.error == "blemu: no device 'modul' runs\n  did you mean 'module'?\n")
  }

  @Test func `one that fails is said, and stops no other`() {
    let result = run(
      """
      mkdir module.state
      blemu up desk.yaml --log none & stand=$!
      await_devices 1
      blemu get belt 'battery >= 0'
      kill $stand; wait $stand; echo $?
      """)
    #expect(result.output == "true\n65\n")
    #expect(
      result.error
        == "blemu: module: 'module.state' is not a file\n"
        + "  'module.state' is unchanged; correct it, remove it, or choose another file with --state\n")
  }

  @Test func `one whose definition is broken is said, and stops no other`() {
    shell.folder.write("blemu: 1\nname: Broken\nadvertisment: {}\n", to: "broken.yaml")
    let result = run(
      """
      sed 's/hm-10,/broken.yaml,/' desk.yaml >broken-desk.yaml
      blemu up broken-desk.yaml --log none & stand=$!
      await_devices 1
      blemu get belt 'battery >= 0'
      kill $stand; wait $stand; echo $?
      blemu up broken-desk.yaml --log none belt 2>&1 & stand=$!
      await_devices 1
      kill $stand; wait $stand; echo $?
      blemu up broken-desk.yaml blet 2>&1; echo $?
      blemu up broken-desk.yaml module 2>&1 | head -n 1
      """)
    let first = "broken-desk.yaml:4:25: error: 'broken.yaml' has mistakes\n"
    #expect(
      result.output == "true\n65\n0\nblemu: the stand has no device 'blet'\n  did you mean 'belt'?\n64\n"
        + first)
    #expect(result.error.hasPrefix(first))
    #expect(result.error.contains("broken.yaml:3:1: a definition has no key 'advertisment'"))
  }

  @Test func `only those with a name run`() {
    let result = run(
      """
      blemu up desk.yaml belt & stand=$!
      await_devices 1
      kill $stand; wait $stand
      blemu up desk.yaml blet
      """)
    #expect(result.status == 64)
    let lines = result.output.split(separator: "\n")
    #expect(!lines.isEmpty && lines.allSatisfy { $0.hasPrefix("belt  ") })
    #expect(result.error == "blemu: the stand has no device 'blet'\n  did you mean 'belt'?\n")
  }

  @Test func `one that has failed starts again, once a pause is over`() {
    let result = run(
      """
      sed 's/wire: .*}/restart: on-failure }/' desk.yaml >again.yaml
      mkdir module.state
      blemu up again.yaml >log 2>errors & stand=$!
      until grep -sq 'restarts in 2 s' log; do sleep 0.01; done
      rmdir module.state
      await_devices 2
      blemu stop module; await_devices 1
      kill $stand; wait $stand; echo $?
      """)
    #expect(result.output == "0\n")
    let log = shell.folder.read("log")?.split(separator: "\n") ?? []
    #expect(
      log.filter { $0.contains("restarts") }.map { $0.suffix(18) }
        == [
          "! restarts in 1 s", "! restarts in 2 s",
        ].map { " \($0)"[...] })
    #expect(shell.folder.read("errors")?.split(separator: "\n").count == 4)
  }

  @Test func `a signal ends the pause of one that has failed, whose status counts`() {
    let result = run(
      """
      sed 's/wire: .*}/restart: on-failure }/' desk.yaml >again.yaml
      mkdir module.state
      blemu up again.yaml module >log 2>errors & stand=$!
      until grep -sq 'restarts' log; do sleep 0.01; done
      kill $stand; wait $stand; echo $?
      """)
    #expect(result.output == "65\n")
  }

  @Test func `several on the command line have names of their own`() {
    let result = run(
      """
      blemu run hm-10@loopback bracelet@loopback --no-control --log json >alone & alone=$!
      until [ "$(grep -sc on-air alone)" = 2 ]; do sleep 0.01; done
      kill $alone; wait $alone
      blemu run hm-10@loopback hm-10@loopback --seed 7 >log & first=$!
      await_devices 2
      blemu run hm-10@loopback bracelet@loopback --log none & second=$!
      await_devices 4
      blemu ps | cut -d ' ' -f 1
      kill $first $second; wait $first && wait $second; echo $?
      """)
    #expect(result.output == "NAME\nbracelet\nhm-10\nhm-10-2\nhm-10-3\n0\n")
    #expect(result.error == "")
  }

  @Test func `two processes that start at once do not choose the same names`() {
    let result = run(
      """
      for process in 1 2 3 4; do blemu run hm-10@loopback hm-10@loopback --log none & all="$all $!"; done
      await_devices 8
      blemu ps | cut -d ' ' -f 1 | tr '\\n' ' '
      kill $all; wait
      """)
    #expect(result.output == "NAME hm-10 hm-10-2 hm-10-3 hm-10-4 hm-10-5 hm-10-6 hm-10-7 hm-10-8 ")
    #expect(result.error == "")
  }

  @Test func `a single one may have its place after its name, and a log without it`() {
    let result = run(
      """
      blemu run hm-10@loopback >log & device=$!
      await_devices 1
      kill $device; wait $device; echo $?
      head -n 1 log
      """)
    #expect(result.output == "0\nHM-10 as \"HMSoft\" on loopback (00:00:00:00:00:01), no radio\n")
  }
}
