extension Language {
  /// A part of the device that a person can operate: a button, or a setting or variable with a knob.
  struct Control: LanguageObject {
    static let outline = Outline("a control", Self()) {
      [$0.label, $0.slot, $0.actions]
    }

    let label = Key.optional("label", .text(.plain), "its label; its name by default")
    let slot = Key.optional("set", .text(.identifier), "the setting or variable that it sets")
    let actions = ListKey.optional(
      "do", .actions, "the actions when it is pressed, unless a rule with 'on: { control: NAME }' handles it",
      excludes: ["set"])
  }
}
