import Framing

/// Values, one after the other, with the places at which each begins.
struct JoinedValues {
  /// Of one conversation each: the bytes, and which values they are.
  struct Run {
    let bytes: [UInt8]
    /// Where each value begins, and last the end of the bytes.
    let starts: [Int]
    /// The indices of the values in the stream.
    let values: [Int]

    /// The index in the stream of the value that has this byte.
    func value(at place: Int) -> Int {
      var (low, high) = (0, values.count)
      while low + 1 < high {
        let middle = (low + high) / 2
        if starts[middle] <= place { low = middle } else { high = middle }
      }
      return values.isEmpty ? 0 : values[low]
    }

    func begins(with start: [UInt8], at place: Int) -> Bool {
      place + start.count <= bytes.count
        && start.indices.allSatisfy { bytes[place + $0] == start[$0] }
    }
  }

  let runs: [Run]

  init(_ values: [ValueStream.Item]) {
    var runs: [Run] = []
    var begin = 0
    while begin < values.count {
      let conversation = values[begin].conversation
      let end = values[begin...].firstIndex { $0.conversation != conversation } ?? values.count
      runs.append(Run(values, begin..<end))
      begin = end
    }
    self.runs = runs
  }
}

extension JoinedValues.Run {
  init(_ items: [ValueStream.Item], _ range: Range<Int>) {
    var bytes: [UInt8] = []
    var starts: [Int] = []
    let values = range.filter { !items[$0].bytes.isEmpty }
    for index in values {
      starts.append(bytes.count)
      bytes += items[index].bytes
    }
    self.init(bytes: bytes, starts: starts + [bytes.count], values: values)
  }
}

/// The frames of values, cut as the engine cuts them.
struct FrameCut {
  private(set) var frames: [StreamAnalysis.Frame] = []
  /// The indices of the values with bytes in no frame.
  private(set) var unframed: [Int] = []
  /// Runs of bytes in no frame.
  private(set) var rests: [[UInt8]] = []

  /// - Parameter encoding: of the items.
  init(_ items: [ValueStream.Item], by rule: FramingRule?, _ encoding: StreamEncoding?) {
    self.init(encoding?.plain(items) ?? items, by: rule)
    guard let encoding else { return }
    let found = frames
    frames = []
    for var frame in found {
      if let plain = encoding.plain(frame: frame.bytes) {
        frame.bytes = plain
        frames.append(frame)
      } else if !frame.bytes.isEmpty {
        unframed += Array(frame.values)
      }
    }
    unframed = unframed.distinct
  }

  init(_ items: [ValueStream.Item], by rule: FramingRule?) {
    guard let rule else {
      frames = items.indices.map {
        StreamAnalysis.Frame(
          items[$0].bytes, at: items[$0].time, conversation: items[$0].conversation, values: $0..<($0 + 1))
      }
      return
    }
    for run in JoinedValues(items).runs { cut(run, of: items, by: rule) }
  }

  private mutating func cut(_ run: JoinedValues.Run, of items: [ValueStream.Item], by rule: FramingRule) {
    var framer = Framer(rule)
    var place = 0
    var rest: [UInt8] = []
    func end() {
      if !rest.isEmpty { rests.append(rest) }
      rest = []
    }
    func take(_ output: FramerOutput, in value: Int) {
      switch output {
      case .frame(let bytes):
        end()
        let first = run.value(at: place)
        place += bytes.count + rule.cut
        frames.append(
          StreamAnalysis.Frame(
            bytes, at: items[value].time, conversation: items[value].conversation, values: first..<(value + 1)
          ))
      case .discarded(let bytes, _):
        rest += bytes
        unframed += Array(run.value(at: place)...run.value(at: place + bytes.count - 1))
        place += bytes.count
      }
    }
    for value in run.values {
      for output in framer.append(items[value].bytes, at: items[value].time) { take(output, in: value) }
    }
    if let last = run.values.last { for output in framer.finish() { take(output, in: last) } }
    end()
    unframed = unframed.distinct
  }

  /// How many of the bytes are in frames.
  var covered: Int { frames.reduce(0) { $0 + $1.bytes.count } }
}

extension FramingRule {
  /// The bytes of a frame's delimiter that the framer leaves out.
  fileprivate var cut: Int {
    if case .delimited(let delimiter) = shape, !delimiter.isKept { delimiter.bytes.count } else { 0 }
  }
}
