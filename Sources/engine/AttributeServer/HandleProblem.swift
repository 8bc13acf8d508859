import Bluetooth
import DeviceModel

/// A handle that an attribute cannot have.
package struct HandleProblem: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// Earlier attributes need it; `last` is the last handle before.
    case taken(AttributeHandle, last: AttributeHandle)
    /// The service has attributes up to `last`, after its end.
    case endsEarly(AttributeHandle, last: AttributeHandle)
    /// There are more attributes than handles.
    case tooMany
  }

  package var kind: Kind
  /// nil: the whole device.
  package var place: DefinitionPlace?
}

extension HandleProblem: CustomStringConvertible {
  package var description: String {
    switch kind {
    case .taken(let handle, let last):
      "0x\(handle.hexadecimal(digits: 4)) is not free: the attributes before it go up to "
        + "0x\(last.hexadecimal(digits: 4))"
    case .endsEarly(let handle, let last):
      "the service cannot end at 0x\(handle.hexadecimal(digits: 4)): its attributes go up to "
        + "0x\(last.hexadecimal(digits: 4))"
    case .tooMany: "the attributes need more handles than there are (0xFFFF)"
    }
  }
}
