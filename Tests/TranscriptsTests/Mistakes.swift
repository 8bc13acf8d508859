import Definitions
import DeviceModel
import TestSupport

@testable import Transcripts

let device = scale

/// The report of the mistakes in a transcript; empty if there are none.
func mistakes(_ text: String, in definition: PeripheralDefinition = device) -> String {
  switch TranscriptParser.parse(SourceText(name: "scale.transcript", text: text), for: definition) {
  case .success: ""
  case .failure(let mistakes): mistakes.report
  }
}
