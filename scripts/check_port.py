"""Check that the app can listen on a port, before anything slow starts.

    python scripts/check_port.py 8501

Standard library only: it runs before the environment exists.
"""

import errno
import socket
import sys

# Wildcard and loopback of both families: some systems let a wildcard socket share a port with one
# that is bound to the loopback alone.
ADDRESSES = (
    (socket.AF_INET, "0.0.0.0"),
    (socket.AF_INET, "127.0.0.1"),
    (socket.AF_INET6, "::"),
    (socket.AF_INET6, "::1"),
)


def port_from(text: str) -> int:
    """Return the port that `text` names.

    Raises
    ------
    ValueError : `text` is no whole number from 1 to 65535.
    """
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= 65535):
        raise ValueError(
            f"PORT is {text!r}, expected a whole number from 1 to 65535. Try: make app PORT=8501"
        )
    return int(text)


def bind_error(port: int) -> OSError | None:
    """Return the error of a program that wants to listen on `port`; None if it can."""
    for family, address in ADDRESSES:
        try:
            probe = socket.socket(family, socket.SOCK_STREAM)
        except OSError:  # a machine without IPv6
            continue
        with probe:
            # Without this, a port whose last connection has just closed looks taken.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                probe.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            try:
                probe.bind((address, port))
            except OSError as error:
                # IPv6 may be switched off for an interface; only "in use" then counts as an answer.
                if family == socket.AF_INET or error.errno == errno.EADDRINUSE:
                    return error
    return None


def why_not(port: int) -> str:
    """Return as sentences why nobody can listen on `port` and what to try; "" if it is free."""
    error = bind_error(port)
    if error is None:
        return ""
    if error.errno == errno.EADDRINUSE:
        return (
            f"Port {port} is in use by another program, perhaps by this app in another window. "
            f"Try a free one: make app PORT={free_port_after(port)}"
        )
    return (
        f"Port {port} cannot be used ({error.strerror}). "
        f"Try another: make app PORT={free_port_after(8500)}"
    )


def free_port_after(port: int) -> int:
    """Return the next free port above `port`, or any free one if none is near."""
    for candidate in range(port + 1, min(port + 50, 65536)):
        if bind_error(candidate) is None:
            return candidate
    with socket.socket() as probe:
        # Port 0 lets the system choose.
        probe.bind(("", 0))
        return probe.getsockname()[1]


def main(text: str) -> int:
    try:
        fault = why_not(port_from(text))
    except ValueError as error:
        fault = str(error)
    if fault:
        print(fault, file=sys.stderr)
    return 1 if fault else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
