import Behavior
import DeviceModel
import EventLoop

/// A fault that strikes values: it loses, changes or delays them.
@EventLoop
final class ValueFault: RunningFault {
  private var lines: [FaultStream: FaultLine] = [:]

  override func concerns(_ stream: FaultStream) -> Bool { gate.concerns(stream) }

  override func take(_ value: PassingValue) {
    let line = line(of: value.stream)
    defer { stage.backlogChanged(in: value.stream) }
    guard !line.takesAll, var random = gate.judge(candidate(value.bytes, in: value.stream)) else {
      return line.append(value)
    }
    switch kind.fate(of: value.bytes, in: stage.definition, &random) {
    case .untouched: line.append(value)
    case .replaced(let pieces):
      strike(value, replacement: pieces)
      if pieces.isEmpty { value.settle() }
      for piece in pieces { line.append(value.with(piece)) }
    case .delayed(let time):
      strike(value)
      line.append(value, at: stage.now.advanced(by: time))
    case .blocked(let time):
      strike(value)
      line.block(with: value, for: time)
    case .paced(let speed, let buffer):
      let room = buffer.map { max(0, $0 - line.byteCount) } ?? .max
      let isWhole = value.bytes.count <= room
      let kept = isWhole ? value : value.with(Array(value.bytes.prefix(room)))
      strike(value, replacement: isWhole ? nil : room == 0 ? [] : [kept.bytes])
      if room == 0, !isWhole { return value.settle() }
      line.append(kept, bytesPerSecond: speed)
    case .gathered(let count):
      line.gather(value, count: count) { [weak self] in self?.combine($0) }
    }
  }

  override func end() {
    for line in lines.values { line.flush() }
    lines = [:]
  }

  override func disconnected(_ central: Central) {
    for (stream, line) in lines where stream.endpoint != .wire {
      line.remove { [stage] in
        $0.stream.direction == .into || $0.stream.endpoint.isLayer
          ? $0.central == central : !stage.hasSubscribers($0.stream.endpoint)
      }
      stage.backlogChanged(in: stream)
    }
  }

  override func backlog(of characteristic: Int) -> Int {
    lines[FaultStream(endpoint: .characteristic(characteristic), direction: .out)]?.count ?? 0
  }
}

extension ValueFault {
  private func line(of stream: FaultStream) -> FaultLine {
    if let line = lines[stream] { return line }
    let line = FaultLine(stage.scheduler) { [weak self] value in
      self?.passOn(value)
      self?.stage.backlogChanged(in: value.stream)
    }
    lines[stream] = line
    return line
  }

  private func strike(_ value: PassingValue, replacement: [[UInt8]]? = nil) {
    value.course.strike()
    strike(value.bytes, in: value.stream, by: value.central, replacement: replacement)
  }

  /// Passes on the result for values that belong together. The fault has struck the first of them.
  private func combine(_ values: [PassingValue]) {
    guard let first = values.first, let last = values.last else { return }
    let combined = kind.combine(values.map(\.bytes))
    for value in values { value.course.strike() }
    strike(first, replacement: combined)
    for bytes in combined { passOn(last.with(bytes)) }
  }
}
