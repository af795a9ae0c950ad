# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium, driven over the DevTools protocol on a pair of pipes.

https://chromedevtools.github.io/devtools-protocol/ describes the methods; messages are JSON, each ended by
a NUL byte (--remote-debugging-pipe).
"""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser")
SECONDS = 60
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--hide-scrollbars",
         "--force-color-profile=srgb", "--remote-debugging-pipe"]


class Browser:
    """One browser with one page. Use it as a context."""

    def __enter__(self):
        self.profile = tempfile.TemporaryDirectory(prefix="rederive-chromium-", ignore_cleanup_errors=True)
        theirs_in, self.to = os.pipe()
        self.of, theirs_out = os.pipe()

        def take_pipes():  # Chromium reads from 3 and writes to 4
            first, second = os.dup(theirs_in), os.dup(theirs_out)
            os.dup2(first, 3)
            os.dup2(second, 4)

        self.process = subprocess.Popen(  # pylint: disable=subprocess-popen-preexec-fn
            [PROGRAM, *FLAGS, f"--user-data-dir={self.profile.name}", "about:blank"], close_fds=False, preexec_fn=take_pipes,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(theirs_in)
        os.close(theirs_out)
        self.read, self.number, self.events = b"", 0, []
        self.session = None
        targets = self.send("Target.getTargets")["targetInfos"]
        page = next(target for target in targets if target["type"] == "page")
        self.session = self.send("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.send(domain + ".enable")
        self.send("Page.setLifecycleEventsEnabled", enabled=True)
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.to)
        os.close(self.of)
        self.profile.cleanup()

    # ---- the protocol

    def _next(self, ends):
        while b"\0" not in self.read:
            if not select.select([self.of], [], [], max(0, ends - time.monotonic()))[0]:
                raise TimeoutError("Chromium does not answer")
            more = os.read(self.of, 1 << 20)
            if not more:
                raise EOFError("Chromium has ended")
            self.read += more
        line, _, self.read = self.read.partition(b"\0")
        return json.loads(line)

    def send(self, method, **params):
        """The result of a method; events that come before it are kept."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.to, data):]
        ends = time.monotonic() + SECONDS
        while True:
            said = self._next(ends)
            if said.get("id") == self.number:
                if "error" in said:
                    raise RuntimeError(f"{method}: {said['error']['message']}")
                return said["result"]
            self.events.append(said)

    def wait_for_load(self, loader):
        """Wait until the page of that loader has loaded."""
        def is_it(said):
            params = said.get("params", {})
            return said.get("method") == "Page.lifecycleEvent" and params["name"] == "load" and params["loaderId"] == loader

        ends = time.monotonic() + SECONDS
        while not any(map(is_it, self.events)):
            self.events.append(self._next(ends))

    # ---- pages

    def open(self, path, width=1280, height=900, theme="light", scripts=True, anchor=""):
        """Load a file, and wait until it is ready to be used."""
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500)
        self.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])
        self.send("Emulation.setScriptExecutionDisabled", value=not scripts)
        self.wait_for_load(self.send("Page.navigate", url="about:blank")["loaderId"])
        self.events.clear()
        self.wait_for_load(self.send("Page.navigate", url="file://" + os.path.abspath(path) + anchor)["loaderId"])
        if scripts:
            self.until("document.documentElement?.dataset.ready")

    def evaluate(self, expression):
        """The value of an expression in the page; a promise is awaited."""
        done = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in done:
            raise RuntimeError(done["exceptionDetails"].get("exception", {}).get("description", expression))
        return done["result"].get("value")

    def until(self, expression):
        """Wait until the expression is true."""
        ends = time.monotonic() + SECONDS
        while not self.evaluate(f"Boolean({expression})"):
            if time.monotonic() > ends:
                raise TimeoutError(expression)
            time.sleep(0.01)

    def key(self, key):
        """Press and release a key."""
        text = key if len(key) == 1 else ""
        code = {"Escape": 27, "Enter": 13, "Tab": 9}.get(key, ord(key[0].upper()))
        self.send("Input.dispatchKeyEvent", type="keyDown", key=key, text=text, windowsVirtualKeyCode=code)
        self.send("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def type(self, text):
        self.send("Input.insertText", text=text)

    def screenshot(self, path, whole=False):
        """Write a PNG of what is seen, or of the whole page."""
        shot = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        with open(path, "wb") as file:
            file.write(base64.b64decode(shot["data"]))

    def picture(self, left, top, width, height):
        """A PNG of a part of the page."""
        clip = {"x": left, "y": top, "width": width, "height": height, "scale": 1}
        return base64.b64decode(self.send("Page.captureScreenshot", format="png", clip=clip, captureBeyondViewport=True)["data"])

    # ---- what went wrong

    def faults(self):
        """Errors and warnings of the page since it was opened."""
        out = []
        for said in self.events:
            params = said.get("params", {})
            if said.get("method") == "Runtime.exceptionThrown":
                out.append(params["exceptionDetails"]["text"])
            elif said.get("method") == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning"):
                out.append(str(params["args"]))
            elif said.get("method") == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
                out.append(params["entry"]["text"])
        return out

    def requests(self):
        """The addresses that the page asked for, without the page itself and data in it."""
        urls = [said["params"]["request"]["url"] for said in self.events if said.get("method") == "Network.requestWillBeSent"]
        return [url for url in urls if not url.startswith("data:")][1:]
