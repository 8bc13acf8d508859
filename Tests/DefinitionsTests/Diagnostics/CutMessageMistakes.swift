import Testing

@testable import Definitions

/// Messages that are cut.
@Suite struct CutMessageMistakes {
  @Test func `a message longer than a notification, where nobody can put it together`() {
    #expect(
      diagnose(
        """
        link: { mtu: 23 }
        services:
          - uuid: FFE0
            characteristics:
              - { id: inlet, uuid: FFE1, properties: [write] }
              - { id: outlet, uuid: FFE2, properties: [notify] }
              - { id: other, uuid: FFE3, properties: [write, indicate] }
        messages: { ask: "A5", report: "A5 {data: bytes(44)} {xor8}" }
        rules:
          - { on: { receive: ask, from: inlet }, do: { send: report, with: { data: address }, to: outlet } }
          - { on: { receive: ask, from: other }, do: [{ send: report, with: { data: address } }, { send: ask }] }
          - { on: { subscribe: outlet }, do: { send: report, with: { data: address } } }
        """) == """
          device.yaml:10:54: warning: 46 bytes are sent in 3 notifications, as 'link' allows 20 at once
             10 |   - { on: { receive: ask, from: inlet }, do: { send: report, with: { data: address }, to: outlet } }
                |                                                      ^~~~~~ say how a central puts them together: framing: { outlet: … }

          device.yaml:11:55: warning: 46 bytes are sent in 3 indications, as 'link' allows 20 at once
             11 |   - { on: { receive: ask, from: other }, do: [{ send: report, with: { data: address } }, { send: ask }] }
                |                                                       ^~~~~~ say how a central puts them together: framing: { other: … }
          """)
  }
}
