import Bluetooth
import Captures
import Framing

/// Makes a definition of what recordings show of a device.
package struct Learner: Sendable {
  /// How the device is to answer.
  package enum Style: String, CaseIterable, Sendable {
    /// By messages and rules that explain the recording, where they do; else as recorded.
    case model
    /// As recorded.
    case recording
  }

  /// What the recordings are of.
  package enum Source: Sendable {
    /// A device and its app, by any recorder.
    case conversation
    /// A device that blemu has asked for everything, and to whose advertising it has listened without a pause.
    ///
    /// - Parameter isSilentWhileConnected: whether the device did not advertise while blemu was connected; nil: it is not known.
    case survey(isSilentWhileConnected: Bool?)
  }

  package internal(set) var device: CapturedDevice
  package var source = Source.conversation
  /// The attributes. A listing may complete them.
  package var table: ObservedTable
  /// What was said on each link, in order.
  package internal(set) var conversations: [Conversation]
  /// What of the recordings is not learnt, a sentence each.
  private let remarks: [String]

  /// - Parameter device: what it did in all recordings.
  package init(_ device: CapturedDevice) {
    self.device = device
    let links = TableVersions(of: device.connections).choose(from: device.connections)
    var pauses = LongPauses()
    let connections = links.connections.map { pauses.cut(from: $0) }
    self.device.connections = connections
    remarks = [links.remark, pauses.remark].compactMap(\.self)
    table = ObservedTable(connections: connections, supposes: true)
    conversations = connections.map { [table] in Conversation(connection: $0).fitted(to: table) }
  }

  /// The address that stands in values and advertising data for that of any device with the definition.
  package var ownAddress: DeviceAddress? { source.isSurvey ? device.publicAddress : nil }

  /// A device and how it was learnt.
  package struct Lesson: Sendable {
    package var definition: LearntDefinition
    /// The characteristics that rules explain, by the handles of their values; the others answer as recorded.
    package var explained: Set<AttributeHandle> = []
    /// How what the device sends from characteristics becomes frames, by the handles of their values.
    package var cuts: [AttributeHandle: StreamCut] = [:]
    /// How what the central writes to characteristics is encoded, by the handles of their values.
    package var encodings: [AttributeHandle: StreamEncoding] = [:]
    /// The messages that come in several values, which layers join and cut.
    package var fragmentations: [Fragmentation] = []
  }

  /// - Parameters:
  ///   - name: that of the device.
  ///   - origin: where the recordings come from, a line each.
  ///   - conversations: those to learn from.
  ///   - excluded: the characteristics that must answer as recorded, by the handles of their values.
  ///   - joins: whether messages that come in fragments are learnt as a whole.
  package func learn(
    _ style: Style, name: String, origin: [String], from conversations: [Conversation],
    except excluded: Set<AttributeHandle> = [], joiningFragments joins: Bool = true
  ) -> Lesson {
    var lesson = Lesson(definition: LearntDefinition(name: name, summary: source.summary))
    lesson.definition.origin = origin + remarks
    lesson.definition.addServices(table, address: ownAddress)
    lesson.definition.addAdvertisement(of: device, table, isHeardContinuously: source.isSurvey)
    lesson.definition.addLink(device.connections, centrals: source.centrals)
    var conversations = conversations
    if style == .model {
      let receipts = Receipt.all(in: conversations, table, except: excluded)
      for receipt in receipts { lesson.definition.add(receipt) }
      conversations = conversations.without(receipts)
      if joins { lesson.fragmentations = [Fragmentation](of: conversations, table) }
      conversations = conversations.joined(by: lesson.fragmentations)
      let values = [ValueStream](conversations, table)
      lesson.definition.addStandardMessages(of: values)
      let streams = [StreamAnalysis](of: values)
      for analysis in streams {
        switch analysis.stream.direction {
        case .fromCentral: lesson.encodings[analysis.stream.handle] = analysis.encoding
        case .fromDevice where analysis.pieceSize != nil: break
        case .fromDevice: lesson.cuts[analysis.stream.handle] = analysis.cut
        }
      }
      lesson.explained = lesson.definition.addModel(
        streams, of: conversations, table, except: excluded)
      // What is cut or encoded at a layer is not so on the air.
      let plain = lesson.explained.subtracting(lesson.fragmentations.map(\.handle))
      lesson.cuts = lesson.cuts.filter { plain.contains($0.key) }
      lesson.encodings = lesson.encodings.filter { plain.contains($0.key) }
    }
    lesson.definition.addRecordedAnswers(of: conversations, table, except: lesson.explained)
    lesson.definition.addLayers(lesson.fragmentations, of: conversations)
    lesson.definition.tidy()
    lesson.definition.origin += strayValues
    return lesson
  }

  /// The device as a central sees it before it uses it: its advertising, attributes and link, and no rules.
  package func face(name: String) -> LearntDefinition {
    var definition = LearntDefinition(name: name, summary: "Relayed from a device.")
    definition.addServices(table, address: ownAddress)
    definition.addAdvertisement(of: device, table, isHeardContinuously: true)
    definition.addLink(device.connections)
    return definition
  }

  /// What the device sent from attributes that are no values of characteristics, a sentence for each handle.
  private var strayValues: [String] {
    let sent = conversations.flatMap(\.exchanges).filter { exchange in
      if case .value = exchange.kind {
        table.characteristic(of: exchange.handle)?.valueHandle != exchange.handle
      } else {
        false
      }
    }
    return Dictionary(grouping: sent, by: \.handle).sorted { $0.key < $1.key }.map { handle, values in
      "\(values.count) values came from 0x\(handle.hexadecimal(digits: 4)), which is no value of a known characteristic: "
        + "a definition cannot send them."
    }
  }
}

extension Learner.Source {
  fileprivate var isSurvey: Bool { if case .survey = self { true } else { false } }

  fileprivate var summary: String { isSurvey ? "Cloned from a device." : "Learnt from a recording." }

  /// How many centrals may connect; nil: it is not known.
  fileprivate var centrals: Int? {
    if case .survey(isSilentWhileConnected: true) = self { 1 } else { nil }
  }
}
