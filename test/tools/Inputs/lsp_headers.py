# SPDX-License-Identifier: Apache-2.0
"""Messages with headers, as editors send them: those that are read reach the
server, an empty one is passed over, and one without a readable length ends the
server instead of having it wait. What exceeds a limit is refused."""

import json
import subprocess


def frame(method, params=None, number=None):
    message = {"jsonrpc": "2.0", "method": method, "params": params or {}}
    if number is not None:
        message["id"] = number
    text = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(text), text)


def open_document(text):
    return frame("textDocument/didOpen", {"textDocument": {
        "uri": "test:///a.mlir", "languageId": "mlir", "version": 1,
        "text": text}})


def serve(*messages):
    done = subprocess.run(["ps-lsp-server"], input=b"".join(messages),
                          capture_output=True, timeout=60)
    return done.stdout.decode()


hello = frame("initialize", {"processId": 1, "rootUri": "", "capabilities": {}}, 0)
bye = frame("shutdown", number=1), frame("exit")

answer = serve(hello, open_document("func.func @f() { return }"), *bye)
assert '"diagnostics":[]' in answer, answer

empty = b"Content-Length: 0\r\n\r\n"
answer = serve(hello, empty, open_document("func.func @f( { return }"), *bye)
assert '"message"' in answer, answer

deep = "(" * 100000
answer = serve(hello, open_document(deep), *bye)
assert "exceeds_a_limit" in answer and '"id":1' in answer, answer

answer = serve(hello, b"Content-Length: x\r\n\r\n{}")
assert '"id":0' in answer, answer
