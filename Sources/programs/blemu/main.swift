import CCommit
import CommandLineTool
import Glibc

exit(BlemuTool.run(CommandLine.arguments, commit: blemu_commit().map { String(cString: $0) }))
