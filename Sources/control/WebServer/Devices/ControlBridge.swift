import BlemuControl
import BlemuJSON
import EventLoop

/// Carries lines between a page and a device: each text of the WebSocket is a line of the control protocol.
///
/// It is bounded both ways: while one side does not read, it does not read the other.
@EventLoop
final class ControlBridge {
  /// As many bytes may wait for one side before it no longer reads the other.
  static let mostUnread = 1 << 18

  private let page: WebSocket
  private let device: DeviceConnection
  private let name: String
  /// The only method that the page may call; nil: all.
  private let method: ControlMethod?

  /// Called once, when the page has gone.
  var onEnd: (() -> Void)?

  init(
    _ page: WebSocket, to device: DeviceConnection, named name: String, only method: ControlMethod? = nil
  ) {
    (self.page, self.device, self.name, self.method) = (page, device, name, method)
    page.onText = { [weak self] in self?.takeFromPage($0) }
    page.onRoom = { [weak self] in self?.device.read() }
    page.onEnd = { [weak self] in self?.handlePageEnd() }
    device.onLines = { [weak self] in self?.takeFromDevice($0) }
    device.onRoom = { [weak self] in self?.page.read() }
    device.onEnd = { page.close(.goingAway, "'\(name)' has ended, or has closed the connection") }
    device.onLongLine = { page.close(.tooLong, "an answer of '\(name)' is too long") }
    page.read()
    device.read()
  }

  private func takeFromPage(_ text: String) {
    guard !text.utf8.contains(UInt8(ascii: "\n")) else {
      return page.close(.refused, "a message is one line")
    }
    guard isAllowed(text) else { return page.close(.refused, "this page may only play a central") }
    device.send(line: text)
    if device.unread > Self.mostUnread { page.pause() }
  }

  private func isAllowed(_ text: String) -> Bool {
    guard let method else { return true }
    let message = try? JSONValue(parsing: Array(text.utf8))
    return message?["method"]?.text == method.rawValue
  }

  private func takeFromDevice(_ lines: [[UInt8]]) {
    page.send(lines)
    if page.unread > Self.mostUnread { device.pause() }
  }

  private func handlePageEnd() {
    device.end()
    onEnd?()
    onEnd = nil
  }

  /// Ends both sides, because the server ends.
  func finish() {
    page.close(.goingAway, "blemu web has ended")
    page.finish()
  }
}
