import Bluetooth
import DefinitionWriter
import Framing

extension LearntDefinition {
  /// Adds rules with which the device does what it did in the recording: after each request, after a subscription and after the
  /// connection, it sends the recorded values at the recorded times, refuses, or disconnects.
  ///
  /// - A request with several recorded effects steps through them and then starts again, in each connection from the first one
  ///   on.
  /// - If the recorded connections differ, the effect is that which the request had after the same requests on the same
  ///   connection. If the history does not determine it, or is unlike all recorded ones, the steps go on from connection to
  ///   connection.
  /// - A value that was read with several results gives one after the other, and then keeps the last.
  /// - If a request comes before the effects of the one before are over, both go on: nothing is lost.
  /// - An unknown request gets the effects of a known one of the same length with the same bytes up to the opcode; otherwise
  ///   none. The log says so.
  ///
  /// - Parameter explained: the handles of the values whose requests and values other rules deal with.
  package mutating func addRecordedAnswers(
    of conversations: [Conversation], _ table: ObservedTable, except explained: Set<AttributeHandle> = []
  ) {
    let history = RecordedHistory(conversations, table)
    var writer = ReplayWriter(self, table, history)
    writer.addReads(conversations, except: explained)
    writer.add(RecordedRefusals(conversations, table))
    writer.add(RecordedScripts(conversations, table, history, except: explained))
    self = writer.definition
    if writer.isCut {
      origin.append("The recording is longer than a definition can be: the rest of its values is left out.")
    }
  }
}
