import Learning

extension FuzzTarget {
  /// Files of other programs that list a device's attributes: up to three, with zero bytes between them.
  static let listing = FuzzTarget(
    name: "listing",
    run: { bytes in
      let files = files(bytes)
      var listings: [DeviceListing] = []
      do throws(ListingMistake) {
        listings = try ListingReader.read(files)
      } catch {
        try guarantee(
          files.contains { $0.name == error.file }, "the mistake is in another file, '\(error.file)'")
        try guarantee(error.place.map { $0.line > 0 && $0.column > 0 } ?? true, "a mistake has no place")
      }
      for listing in listings {
        let table = listing.table
        for characteristic in table.characteristics { _ = table.id(of: characteristic) }
        let handles = table.services.compactMap(\.handle)
        try guarantee(handles == handles.sorted(), "the services are not in order")
      }
    },
    describe: {
      do { return "\(try ListingReader.read(files($0)))" } catch { return "\(error)" }
    })

  private static func files(_ bytes: [UInt8]) -> [ListingFile] {
    bytes.split(separator: 0, maxSplits: 2).enumerated().map {
      ListingFile(name: "\($0)", bytes: Array($1))
    }
  }
}
