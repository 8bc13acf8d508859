internal import CDBus

/// One of libdbus's `dbus_validate_…` functions.
typealias Validator = (UnsafePointer<CChar>?, UnsafeMutablePointer<CDBus.DBusError>?) -> dbus_bool_t

/// Whether libdbus accepts the string. Given an invalid one, other functions of libdbus abort or cut it.
func isValid(_ string: String, _ validator: Validator) -> Bool {
  !string.utf8.contains(0) && validator(string, nil) != 0
}

/// Throws unless libdbus accepts the string.
func validate(_ string: String, is what: String, _ validator: Validator) throws(DBusError) {
  guard isValid(string, validator) else { throw .invalid(what: what, value: string) }
}

func validateBusName(_ name: String) throws(DBusError) {
  try validate(name, is: "a bus name", dbus_validate_bus_name)
}

func validateInterface(_ name: String) throws(DBusError) {
  try validate(name, is: "an interface name", dbus_validate_interface)
}

func validateMember(_ name: String) throws(DBusError) {
  try validate(name, is: "a member name", dbus_validate_member)
}
