import Framing

/// The checksum of a packet.
extension FrameComparison {
  func checkMismatch(with format: PacketFormat) -> FrameMismatch? {
    guard let check = format.check else { return nil }
    let (width, isBeforeTail) = (check.checksum.width, !format.tail.isEmpty)
    let distance = check.size + format.tail.count
    let place = distance - width + 1..<distance + 1
    let parts = backParts.filter { place.overlaps($0.place) }
    guard parts.contains(where: { $0.distance >= distance }) else { return nil }  // the place is not known
    if parts.count == 1, case .checksum(let index) = parts[0].instruction,
      case let found = program.checks[index], parts[0].distance == distance, found.checksum.width == width
    {
      return mismatch(of: found.checksum, found.from, found.through, with: check, distance)
    }
    let isChecksum = parts.contains { if case .checksum = $0.instruction { true } else { false } }
    if isChecksum { return .misplacedCheck(check, isBeforeTail: isBeforeTail) }
    guard parts.allSatisfy(\.isConstant) else { return nil }
    guard let bytes = onlyBytes else { return .missingCheck(check, isBeforeTail: isBeforeTail) }
    return mismatch(of: bytes, with: check, distance)
  }

  /// A checksum in its place.
  private func mismatch(
    of found: Checksum, _ from: Int, _ through: Int?, with check: CheckField, _ distance: Int
  ) -> FrameMismatch? {
    guard found.algorithm == check.checksum.algorithm, found.byteOrder == check.checksum.byteOrder else {
      return .otherCheck(found: found, expected: check.checksum)
    }
    let skipped = min(from, check.start)..<max(from, check.start)
    let isSame = skipped.allSatisfy { front.indices.contains($0) && front[$0] == .exactly(0) }
    let last = size.map { $0 - distance - 1 }
    if isSame, through == nil || last == nil || through == last { return nil }
    return .coverage(found, from: from, through: through == last ? nil : through, expectedFrom: check.start)
  }

  /// Constant bytes in its place.
  private func mismatch(of bytes: [UInt8], with check: CheckField, _ distance: Int) -> FrameMismatch? {
    let position = bytes.count - distance
    guard position >= check.start else { return nil }
    let found = Array(bytes[position..<position + check.checksum.width])
    guard let expected = try? check.checksum.compute(bytes[check.start..<position]) else { return nil }
    return found == expected ? nil : .checkValue(check.checksum, found: found, expected: expected)
  }
}

extension TemplateEnding.Part {
  /// The distances of its bytes from the end.
  fileprivate var place: Range<Int> { distance - size + 1..<distance + 1 }

  fileprivate var isConstant: Bool {
    switch instruction {
    case .literal, .pad: true
    default: false
    }
  }
}
