import BlueZLimits
import DeviceModel

extension BlueZTransport {
  package var limits: any TransportLimits { BlueZLimits { .installed } }
}
