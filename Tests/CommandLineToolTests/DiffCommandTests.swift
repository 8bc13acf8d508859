import Testing

@testable import CommandLineTool

@Suite struct DiffCommandTests {
  private static let lamp = """
    blemu: 1
    name: Lamp
    link: { mtu: 64 }
    advertisement: { local-name: Lamp, interval: { min: 100ms, max: 100ms } }
    services:
      - uuid: FFE0
        characteristics:
          - uuid: FFE1
            properties: [read, notify]
            value: "01"
            descriptors: [{ uuid: 2901, text: A }]
          - { uuid: FFE2, properties: [write] }
    """
  private static let other = """
    blemu: 1
    name: Lamp
    advertisement: { local-name: Lamp, interval: { min: 200ms, max: 200ms } }
    services:
      - uuid: FFE0
        characteristics:
          - uuid: FFE1
            properties: [read, notify]
            permissions: [encrypt-read]
            value: "02"
            descriptors: [{ uuid: 2901, text: A }]
          - { uuid: FFE3, properties: [write, write-without-response] }
    """

  private let shell = Shell(["lamp.yaml": lamp, "other.yaml": other])

  @Test func `the differences stand side by side, and the exit status is 1`() {
    let result = shell.run("blemu diff lamp.yaml other.yaml")
    #expect(result.error == "")
    #expect(result.status == 1)
    #expect(
      result.output == """
                                    lamp.yaml                      other.yaml
        attributes
          FFE0 FFE1  permissions  | -                              encrypt-read
          FFE0 FFE1  value        | 01                             02
          FFE0 FFE3
            < -
            > handle 0010, properties write-without-response, write
          FFE0 FFE2               | handle 0010, properties write  -
        advertisement
          interval                | 100 ms                         200 ms
        link
          MTU                     | 64 bytes                       -

        """, "\(result.output)")
  }

  @Test func `a device is the same as itself`() {
    #expect(shell.run("blemu diff hm-10 hm-10") == .init(status: 0, output: "", error: ""))
    let all = shell.run("blemu diff --all lamp.yaml lamp.yaml")
    #expect(all.status == 0)
    #expect(all.output.contains("  FFE0 FFE1 2901  value"), "\(all.output)")
  }

  @Test func `JSON has the differences`() {
    let result = shell.run("blemu diff --json lamp.yaml other.yaml")
    #expect(result.status == 1)
    #expect(
      result.output.contains(
        """
            {"section": "advertisement", "place": "", "aspect": "interval", "a": "100 ms", "b": "200 ms"},
        """),
      "\(result.output)")
  }

  @Test func `two devices are needed, and both must be valid`() {
    #expect(shell.run("blemu diff lamp.yaml").status == 64)
    #expect(shell.run("blemu diff lamp.yaml other.yaml lamp.yaml").status == 64)
    #expect(shell.run("blemu diff lamp.yaml nothing.yaml").status == 66)
  }
}
