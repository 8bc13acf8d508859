import Behavior
import Bluetooth
import DeviceModel
import EventLoop

/// A fault that strikes requests: it refuses them, or holds their responses.
@EventLoop
final class RequestFault: RunningFault {
  override func fate(of request: FaultGate.Candidate, by central: Central?) -> RequestFate? {
    guard gate.judge(request) != nil else { return nil }
    let fate = kind.requestFate
    var refusal: ATTError?
    if case .refused(let error, _) = fate { refusal = error }
    strike(request.bytes, at: request.request, by: central, refused: refusal)
    return fate
  }
}
