import CCommit
import Glibc
import WebServer

exit(WebProgram.run(CommandLine.arguments, commit: blemu_commit().map { String(cString: $0) }))
