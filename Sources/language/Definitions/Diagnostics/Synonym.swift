/// Words of other languages and libraries for those of the language.
enum Synonym {
  /// Without hyphens, in lower case. The first one that is possible in its place applies.
  private static let words: [String: [String]] = [
    "int": ["integer"], "number": ["integer", "decimal"], "float": ["decimal"], "double": ["decimal"],
    "bool": ["boolean"], "string": ["text"], "str": ["text"], "hex": ["bytes"], "data": ["bytes", "value"],
    "notifications": ["notify"], "notification": ["notify"], "notifiable": ["notify"],
    "indications": ["indicate"], "readable": ["read"], "writable": ["write"], "writeable": ["write"],
    "writenr": [noResponse], "writenoresponse": [noResponse], "writenoresp": [noResponse],
    "writecommand": [noResponse], "writecmd": [noResponse], "writewithoutresp": [noResponse],
    "description": ["summary"], "devicename": ["local-name", "name"], "name": ["local-name", "id"],
    "completelocalname": ["local-name"], "serviceuuids": ["services"], "uuids": ["services"],
    "advertising": ["advertisement"], "adv": ["advertisement"], "commands": ["messages"],
    "frames": ["messages", "framing"], "tables": ["data"], "characteristic": ["characteristics"],
    "chars": ["characteristics"], "props": ["properties"], "flags": ["properties"],
    "initial": ["default", "value"], "init": ["default", "value"], "initialvalue": ["value", "default"],
    "values": ["one-of"], "enum": ["one-of"], "choices": ["one-of"], "options": ["one-of"],
    "minimum": ["min"], "maximum": ["max"], "when": ["on", "if"], "condition": ["if"], "event": ["on"],
    "trigger": ["on"], "actions": ["do"], "action": ["do"], "state": ["in", "enter"], "message": ["receive"],
    "print": ["log"], "echo": ["log"], "notify": ["send"], "reply": ["send"], "answer": ["send", "respond"],
    "write": ["send"], "indicate": ["send"], "sleep": ["wait"], "delay": ["wait"], "reject": ["refuse"],
    "error": ["refuse"], "goto": ["enter"], "assign": ["set"], "loop": ["repeat"], "times": ["repeat"],
    "fields": ["with"], "characteristicuuid": ["uuid"], "boot": ["start"],
    "startup": ["start"],
    "connected": ["connect"], "disconnected": ["disconnect"], "subscribed": ["subscribe"],
    "received": ["receive"], "written": ["write"], "sin": ["sine"], "walk": ["random-walk"],
    "linear": ["ramp"], "settings": ["set"], "transport": ["on"], "adapter": ["on"], "file": ["definition"],
    "device": ["definition"], "to": ["from"],
  ]

  private static let noResponse = "write-without-response"

  /// The one of `candidates` that a word means.
  static func meaning(
    of word: String, in candidates: [String], where isPossible: (String) -> Bool = { _ in true }
  ) -> String? {
    guard word.utf8.count <= 64 else { return nil }
    let word = plain(word)
    return candidates.first { plain($0) == word && isPossible($0) }
      ?? words[word]?.first { candidates.contains($0) && isPossible($0) }
  }

  /// `local-name`, `local_name` and `localName` are the same.
  private static func plain(_ word: String) -> String {
    word.lowercased().filter { $0 != "-" && $0 != "_" && $0 != " " }
  }
}
