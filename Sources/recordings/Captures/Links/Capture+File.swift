extension Capture {
  /// Takes a file apart.
  package init(path: String) throws(CaptureFileError) { self.init(try CaptureFile.open(path)) }

  /// Takes what is left of a file apart.
  package init(_ file: CaptureFile) {
    var tracker = LinkTracker(format: file.format)
    var clock = RecordedClock()
    var next = file.next()
    while !tracker.isFull, var packet = next {
      next = file.next()
      clock.correct(&packet, before: next.flatMap { $0.layer == .remark ? nil : $0.time })
      tracker.take(packet)
    }
    self = tracker.finish()
    format = file.format
    notes = file.notes + clock.notes + notes
    if devices.isEmpty { notes.append(Self.withoutDevices) }
  }

  private static let withoutDevices = CaptureNote(
    .other, "The recording has nothing of Bluetooth LE: no device advertises in it, and no link is one of LE."
  )
}
