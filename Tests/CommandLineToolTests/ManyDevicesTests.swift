import Testing

/// 200 devices in one process, in memory.
@Suite struct ManyDevicesTests {
  private static let count = 200
  private static let stand =
    "stand: Many\ndevices:\n  d0: { definition: hm-10, on: loopback, wire: { exec: [sh, -c, ulimit -n >limit; exec cat] } }\n"
    + (1..<count).map { "  d\($0): { definition: hm-10, on: loopback }\n" }.joined()

  /// The limit of 100 descriptors is the one that the program is started with, and that it may raise.
  @Test func `each answers, and leaves no descriptor behind when it ends`() {
    let shell = Shell(["many.yaml": Self.stand])
    let result = shell.run(
      """
      export XDG_RUNTIME_DIR=$PWD
      on_air() { blemu ps --json 2>/dev/null | grep -c '"on-air": true'; }
      await_devices() { for _ in $(seq 300); do [ "$(on_air)" != "$1" ] || return; sleep 0.1; done; echo "$1 are not on the air"; }
      ulimit -S -n 100
      blemu up many.yaml --log none & stand=$!
      await_devices \(Self.count)
      blemu stop $(seq -f 'd%g' 1 \(Self.count - 1))
      await_devices 1
      for _ in $(seq 1000); do [ $(ls /proc/$stand/fd | wc -l) -gt 20 ] || break; sleep 0.1; done
      test $(ls /proc/$stand/fd | wc -l) -le 20; echo $?
      cat limit
      kill -INT $stand; wait $stand; echo $?
      ls blemu
      """)
    #expect(result.output == "0\n100\n0\n")
    #expect(result.error == "")
  }
}
