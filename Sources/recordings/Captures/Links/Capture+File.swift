extension Capture {
  /// Takes a file apart.
  package init(path: String) throws(CaptureFileError) { self.init(try CaptureFile.open(path)) }

  /// Takes what is left of a file apart.
  package init(_ file: CaptureFile) {
    var tracker = LinkTracker(format: file.format)
    while !tracker.isFull, let packet = file.next() { tracker.take(packet) }
    self = tracker.finish()
    format = file.format
    notes = file.notes + notes
    if devices.isEmpty { notes.append(Self.withoutDevices) }
  }

  private static let withoutDevices = CaptureNote(
    .other, "The recording has nothing of Bluetooth LE: no device advertises in it, and no link is one of LE."
  )
}
