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
          MTU                     | 64 bytes                       517 bytes
        answers: not compared: write a transcript of what a central asks, or let 'blemu play lamp.yaml --record lamp.transcript' make it

        """, "\(result.output)")
  }

  /// The other lamp has another value of FFE1 and no FFE2, and sends a value to a subscriber.
  @Test(arguments: [("lamp.yaml", "echo.yaml"), ("echo.yaml", "lamp.yaml")])
  func `both answer the requests in the transcripts of one`(names: (String, String)) {
    let shell = Shell([
      "lamp.yaml": Self.lamp, "lamp.transcript": Self.transcript,
      "echo.yaml": Self.lamp.replacing(#"value: "01""#, with: #"value: "05""#)
        .replacing("FFE2", with: "FFE4")
        + "\nrules: [{ on: { subscribe: FFE1 }, do: { send: { bytes: '02' }, to: FFE1 } }]\n",
    ])
    let result = shell.run("blemu diff \(names.0) \(names.1)")
    #expect(result.error == "")
    #expect(result.status == 1)
    let rows: [(String, String?, String?)] = [
      ("FFE1  read", "01", "05"), ("FFE2  write 07", "accepted", nil), ("FFE1  value", nil, "02"),
    ]
    for (head, lamp, echo) in rows {
      let (left, right) = names.0 == "lamp.yaml" ? (lamp, echo) : (echo, lamp)
      let row = result.output.split(separator: "\n").last { $0.hasPrefix("  \(head) ") } ?? ""
      let words = row.split(separator: "|").last?.split(separator: " ").map(String.init)
      #expect(words == [left ?? "-", right ?? "-"], "\(result.output)")
    }
    #expect(
      result.output.hasSuffix(
        "answers: to the requests in the transcripts of lamp.yaml, 1 of 3 answers the same; "
          + "1 response different, 1 response missing, 1 value extra; "
          + "1 section left out, which a central alone cannot hold\n"), "\(result.output)")
  }

  private static let transcript = """
    == A central reads and writes
    connect
    read FFE1
    = 01
    > FFE2  07
    subscribe FFE1
    +1s

    == Somebody switches it off
    connect
    advertise off
    """

  private static let same =
    "answers: to the requests in the transcripts of hm-10, 2 of 2 answers the same; "
    + "67 sections left out, which a central alone cannot hold\n"

  @Test func `a device is the same as itself`() {
    #expect(shell.run("blemu diff hm-10 hm-10") == .init(status: 0, output: Self.same, error: ""))
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
