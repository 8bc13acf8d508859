import Bluetooth

/// The effects of one request in the order of stepping, and where in the recorded history each of them belongs.
struct RecordedSteps {
  var scripts: [RecordedScript] = []
  /// Whether each connection begins with the first one.
  var isPerCentral = false
  /// The number of the effect, from 1 on, by the place to which the request leads. Empty: the history does not determine it.
  var byPlace: [Int: Int] = [:]
  /// Whether the next request has cut an effect.
  var isCut = false

  /// - Parameter occurrences: by conversation.
  init(_ occurrences: [[RecordedScript]], _ history: RecordedHistory) {
    let longest = occurrences.max { $0.count < $1.count } ?? []
    if occurrences.allSatisfy({ zip($0, longest).allSatisfy { $0.isLike($1) } }) {
      (scripts, isPerCentral) = (longest, true)
    } else if !history.isUsable || !follow(occurrences.joined()) {
      (scripts, byPlace, isCut) = (Array(occurrences.joined()), [:], false)
    }
  }

  /// Takes the longest effect of each place.
  ///
  /// - Returns: whether all others of the place are its beginning.
  private mutating func follow(_ occurrences: some Sequence<RecordedScript>) -> Bool {
    var (order, longest) = ([Int](), [Int: RecordedScript]())
    for script in occurrences {
      guard let known = longest[script.place] else {
        order.append(script.place)
        longest[script.place] = script
        continue
      }
      if known.isStart(of: script) {
        longest[script.place] = script
      } else if !script.isStart(of: known) {
        return false
      }
      if script.cues.count != known.cues.count { isCut = true }
    }
    for place in order {
      guard let script = longest[place] else { continue }
      if let index = scripts.firstIndex(where: { $0.isLike(script) }) {
        byPlace[place] = index + 1
      } else {
        scripts.append(script)
        byPlace[place] = scripts.count
      }
    }
    return true
  }
}
