import BlemuJSON

/// The events of a device.
extension Device {
  /// Returns the events of the journal, oldest first, or those after the one with this number.
  public func journal(after number: Int = 0) async throws -> [Event] {
    try await pages(after: number, "json").map(Event.init)
  }

  /// Returns the same as the lines of the log.
  public func journalText(after number: Int = 0) async throws -> String {
    try await pages(after: number, "text").compactMap(\.text).map { $0 + "\n" }.joined()
  }

  /// Returns the same as a transcript, which `blemu test` runs: what the central, the wire side and people have done, and what
  /// the device has sent. Most events are a line of it.
  public func transcript() async throws -> String {
    let head = try await call(.journal, ["format": "transcript", "most": 1])["head"]?.text ?? ""
    return head
      + (try await pages(after: 0, "transcript")).compactMap(\.text).filter { !$0.isEmpty }.map { $0 + "\n" }
      .joined()
  }

  private func pages(after number: Int, _ format: String) async throws -> [JSONValue] {
    var (after, entries) = (number, [JSONValue]())
    while true {
      let page = try await call(.journal, ["after": .integer(after), "format": .string(format)])
      let events = page["events"]?.elements ?? []
      entries += events
      let last = page["after"]?.wholeNumber ?? after
      guard !events.isEmpty, last > after, last < (page["last"]?.wholeNumber ?? 0) else { return entries }
      after = last
    }
  }

  /// All events of the journal and those that come, or those after the one with this number.
  ///
  /// ```swift
  /// for try await event in device.events() where event.kind == "notify" { … }
  /// ```
  ///
  /// It ends when the device does. It has a connection of its own. Events that nobody has asked for yet wait in the journal;
  /// the device disconnects a program that is still behind when the journal forgets them, and the sequence ends.
  public func events(after number: Int = 0) -> Events { Events(of: self, after: number) }
}

extension Device {
  /// The events of a device, as they come.
  public struct Events: AsyncSequence, Sendable {
    public typealias Element = Event

    private let device: Device
    private let start: Int

    init(of device: Device, after start: Int) { (self.device, self.start) = (device, start) }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(of: device, after: start) }
  }
}

extension Device.Events {
  /// Waits for each event.
  public final class AsyncIterator: AsyncIteratorProtocol {
    private let device: Device
    private let start: Int
    private var link: DeviceLink?

    init(of device: Device, after start: Int) { (self.device, self.start) = (device, start) }

    deinit { link?.close() }

    /// The next event; nil: the device has ended.
    public func next(isolation actor: isolated (any Actor)?) async throws -> Device.Event? {
      try await connected(isolation: actor).nextEvent().map(Device.Event.init)
    }

    private func connected(isolation actor: isolated (any Actor)?) async throws -> DeviceLink {
      if let link { return link }
      let link = try await DeviceLink.connect(to: device.name, patience: device.patience)
      do { _ = try await link.call(.watch, ["after": .integer(start)]) } catch {
        link.close()
        throw error
      }
      self.link = link
      return link
    }
  }
}
