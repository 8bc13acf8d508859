import Transcripts
import Centrals
import Framing
import Glibc

/// Shows what a scan hears: a table on a terminal, otherwise a line for whatever is new.
struct ScanDisplay {
  enum Style: Hashable { case table, lines, json }

  let style: Style
  /// Devices that are weaker than this are left out, dBm.
  let leastRSSI: Int8?
  /// How many lines of the table are on the screen.
  private var shownLines = 0

  init(isJSON: Bool, leastRSSI: Int8?) {
    let isTerminal = Terminal.width(of: STDOUT_FILENO) != nil
    (style, self.leastRSSI) = (isJSON ? .json : isTerminal ? .table : .lines, leastRSSI)
  }

  /// Shows what a report has told.
  func show(_ device: HeardDevice, _ news: HeardDevices.News) {
    guard news != .isSame, style != .table, isStrongEnough(device) else { return }
    Terminal.print((style == .json ? device.json.line : device.line) + "\n")
  }

  private func isStrongEnough(_ device: HeardDevice) -> Bool {
    guard let leastRSSI else { return true }
    return device.rssi.map { $0 >= leastRSSI } ?? false
  }

  /// Draws the table again: the strongest first, as many as there is room for.
  mutating func draw(_ devices: HeardDevices) {
    guard style == .table, let size = Terminal.size(of: STDOUT_FILENO) else { return }
    let all = devices.all.filter(isStrongEnough).sorted { ($0.rssi ?? .min) > ($1.rssi ?? .min) }
    var lines = all.prefix(max(1, size.rows - 2)).map(\.line)
    lines.append(
      "\(Phrase.count(all.count, "device"))"
        + (lines.count < all.count ? ", of which the \(lines.count) strongest are shown" : "")
        + "; Ctrl-C ends the scan")
    // Up to the first line, and erase from there on.
    let erasure = shownLines == 0 ? "" : "\u{1B}[\(shownLines)A\u{1B}[J"
    Terminal.print(lines.map { $0.prefix(size.columns) + "\n" }.joined(), after: erasure)
    shownLines = lines.count
  }
}
