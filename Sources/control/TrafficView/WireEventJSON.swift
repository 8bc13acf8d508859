import Behavior
import Framing
import Peripheral

/// Formats an event of an attachment for programs.
extension JSONFormat {
  func fill(_ object: inout JSONObject, _ event: WireEvent) {
    switch event {
    case .opened(let name): fill(&object, "opened", peer: name)
    case .closed(let name): fill(&object, "closed", peer: name)
    case .refused(let name): fill(&object, "refused", peer: name)
    case .baudRate(let rate):
      object.set("change", word: "baud-rate")
      object.set("baud", rate)
    case .started(let program, let process):
      fill(&object, "started", program: program)
      object.set("process", Int(process))
    case .ended(let program, let end, let pause):
      fill(&object, "ended", program: program)
      fill(&object, end)
      if let pause { object.set("restart-milliseconds", Int(pause.wholeMilliseconds)) }
    case .said(let program, let line):
      fill(&object, "said", program: program)
      object.set("message", line)
    }
  }

  private func fill(_ object: inout JSONObject, _ change: StaticString, peer: String?) {
    object.set("change", word: change)
    object.set("peer", peer)
  }

  private func fill(_ object: inout JSONObject, _ change: StaticString, program: String) {
    object.set("change", word: change)
    object.set("program", program)
  }

  private func fill(_ object: inout JSONObject, _ end: ProgramEnd) {
    switch end {
    case .status(let status): object.set("status", Int(status))
    case .signal(let signal): object.set("signal", Int(signal))
    }
  }
}
