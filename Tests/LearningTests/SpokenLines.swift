import Captures
import Framing
import Learning

/// Makes a link of lines such as `> 0A 03 00` (the central) and `< 0B 01` (the device), one each millisecond from 0 on.
func connection(_ lines: String) -> CapturedConnection {
  var connection = CapturedConnection(central: nil, start: nil)
  for (index, line) in lines.split(separator: "\n").enumerated() {
    let words = line.split(separator: " ")
    let bytes = words.dropFirst().compactMap { UInt8($0, radix: 16) }
    connection.events.append(
      .init(
        .attribute(bytes, from: words.first == ">" ? .central : .peripheral), at: .milliseconds(Int64(index)))
    )
  }
  return connection
}

func conversation(_ lines: String) -> Conversation { Conversation(connection: connection(lines)) }
