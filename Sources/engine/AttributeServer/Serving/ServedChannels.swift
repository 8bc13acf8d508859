import Behavior
import Bluetooth
import EventLoop
import Framing
import Peripheral

/// An open credit-based channel to one central: whole SDUs in order.
@EventLoop
package protocol SDUChannel: AnyObject {
  /// The most bytes of an SDU that the central takes.
  var mtu: Int { get }
  /// Whether SDUs wait for credits or for the controller.
  var isCongested: Bool { get }

  /// Sends an SDU of at most ``mtu`` bytes, or lets it wait in order.
  func send(_ sdu: [UInt8])
  /// Closes the channel at once. Its end is reported as for every other.
  func close()
}

/// The channels of a device that centrals have opened. A transport reports what happens to them.
@EventLoop
package final class ServedChannels {
  private struct Served {
    let central: Central
    /// Its index in the definition.
    let number: Int
    let channel: any SDUChannel
    /// Whether it closes once nothing waits.
    var isClosing = false
  }

  package weak var host: (any TransportHost)?
  private var all: [Served] = []
  /// The numbers of those of which the device knows that bytes pile up.
  private var congested: Set<Int> = []

  private func index(of number: Int, _ central: Central) -> Int? {
    all.firstIndex { $0.number == number && $0.central == central }
  }
}

// MARK: What centrals do

extension ServedChannels {
  package func opened(_ channel: any SDUChannel, _ number: Int, by central: Central) {
    all.append(Served(central: central, number: number, channel: channel))
    host?.receive(.channelOpened(central, channel: number))
  }

  package func received(_ sdu: [UInt8], in number: Int, from central: Central) {
    host?.receive(.channelReceived(central, channel: number, sdu))
  }

  /// No SDU waits any more.
  package func drained(_ number: Int, of central: Central) {
    if let index = index(of: number, central), all[index].isClosing { return all[index].channel.close() }
    updateCongestion(of: number)
  }

  /// - Parameters:
  ///   - reason: why, in words; nil: the central has closed it.
  ///   - unsent: how many bytes still waited.
  package func closed(_ number: Int, of central: Central, _ reason: String?, unsent: Int) {
    guard let index = index(of: number, central) else { return }
    all.remove(at: index)
    let name = host?.name(ofChannel: number) ?? ""
    if unsent > 0 { host?.warn("\(name): dropped \(unsent) bytes for \(central): the channel has closed") }
    host?.receive(.channelClosed(central, channel: number, reason: reason))
    updateCongestion(of: number)
  }

  private func updateCongestion(of number: Int) {
    let isNow = all.contains { $0.number == number && $0.channel.isCongested }
    guard isNow != congested.contains(number) else { return }
    if isNow { congested.insert(number) } else { congested.remove(number) }
    host?.channelCongestionChanged(isNow, of: number)
  }
}

// MARK: What the device does

extension ServedChannels {
  /// Sends bytes to one central, or to all that have opened a channel, in as many SDUs as each needs.
  package func transmit(_ bytes: [UInt8], in number: Int, to central: Central?) -> SendOutcome {
    var outcome = SendOutcome.nobodySubscribed
    for served in all where served.number == number && !served.isClosing {
      guard central == nil || served.central == central else { continue }
      if bytes.isEmpty { served.channel.send([]) }
      for sdu in Chunker(bytes, size: served.channel.mtu) { served.channel.send(Array(sdu)) }
      outcome = .notified
    }
    updateCongestion(of: number)
    return outcome
  }

  /// Closes a channel of one central, or of all, after the SDUs that wait.
  package func close(_ number: Int, of central: Central?) {
    for index in all.indices where all[index].number == number && !all[index].isClosing {
      guard central == nil || all[index].central == central else { continue }
      all[index].isClosing = true
    }
    for served in all where served.number == number && served.isClosing && !served.channel.isCongested {
      served.channel.close()
    }
  }
}
