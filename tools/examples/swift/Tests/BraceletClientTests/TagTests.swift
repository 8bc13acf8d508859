import BlemuControl
import Testing

@Test func `a phone and its tag`() async throws {
  try await withRunningDevice("itag", settings: ["level": 80]) { tag in
    let phone = tag.central()
    try await phone.connect()
    try await phone.subscribe(to: "button")
    try await tag.press("button")
    try await tag.expect("< button pressed")
    try await phone.write("alert strength=2", to: "alert")
    try await tag.expect("> alert alert strength=2", #"* "BEEP""#)
    try await tag.set(["level": 20])
    #expect(try await phone.read("battery") == [20])
  }
}
