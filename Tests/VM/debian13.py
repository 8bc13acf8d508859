"""Runs Python in Debian 13 (tools/debian), which has later clients than this machine."""
import os


def python(*arguments):
    """Returns the command that runs this Python."""
    # The mounts vanish with the process.
    enter = 'for folder in dev proc run sys; do mount --rbind "/$folder" "$0/$folder"; done; exec chroot "$0" "$@"'
    return ["unshare", "--mount", "sh", "-ec", enter, os.environ["DEBIAN13"], "/clients/bin/python", *map(str, arguments)]
