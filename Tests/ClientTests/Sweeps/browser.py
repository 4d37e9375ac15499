"""Headless Chromium: a page that uploads with XMLHttpRequest and tells this script how it ended.

    browser.py put          one presigned PUT
    browser.py multipart    create, three parts and completion with presigned URLs; whatever fails, the upload is aborted
"""
import http.server
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import urllib.parse

from photo import PART, TYPE, abort_link, complete_link, create_link, part_links, parts, put_link

KEY = {"put": "photo.jpg", "multipart": "film.mov"}[sys.argv[1]]
PAGE = b"""<!doctype html><meta charset="utf-8"><title>upload</title><script>
function send(method, url, body, type) {
  return new Promise((done, fail) => {
    const request = new XMLHttpRequest();
    request.open(method, url);
    if (type) request.setRequestHeader("Content-Type", type);
    request.onload = () => request.status < 300 ? done(request) : fail(Error("status " + request.status));
    request.onerror = () => fail(Error("network error"));
    request.send(body);
  });
}
const ask = (path) => send("GET", path).then((request) => JSON.parse(request.responseText));
const bytes = (size) => new Uint8Array(size).map((_, index) => index % 251);
async function put() {
  await send("PUT", await ask("/links/put"), bytes(262144), "%TYPE%");
}
async function multipart() {
  const created = await send("POST", await ask("/links/create"));
  const upload = created.responseXML.querySelector("UploadId").textContent;
  const links = await ask("/links/parts?" + encodeURIComponent(upload));
  try {
    const rows = [];
    for (const [index, link] of links.parts.entries()) {
      const size = index < links.parts.length - 1 ? %PART% : 1000;
      const part = await send("PUT", link, bytes(size));
      rows.push("<Part><PartNumber>" + (index + 1) + "</PartNumber><ETag>" + part.getResponseHeader("ETag") + "</ETag></Part>");
    }
    const body = "<CompleteMultipartUpload>" + rows.join("") + "</CompleteMultipartUpload>";
    const done = await send("POST", links.complete, body);
    if (!done.responseText.includes("<CompleteMultipartUploadResult")) throw Error("the completion was not confirmed");
  } catch (error) {
    await send("DELETE", links.abort).catch(() => {});
    throw error;
  }
}
%WHAT%().then(() => "", (error) => error.message).then((flaw) => send("POST", "/done", flaw));
</script>""".replace(b"%TYPE%", TYPE.encode()).replace(b"%PART%", str(PART).encode()).replace(
    b"%WHAT%", sys.argv[1].encode())


class Site(http.server.BaseHTTPRequestHandler):
    ended = threading.Event()
    flaw = "the page did not end"

    def do_GET(self):
        path, _, query = self.path.partition("?")
        if path == "/":
            return self.answer(PAGE, "text/html")
        if path == "/links/put":
            return self.answer(json.dumps(put_link(KEY)).encode())
        if path == "/links/create":
            return self.answer(json.dumps(create_link(KEY)).encode())
        if path == "/links/parts":
            upload = urllib.parse.unquote(query)
            links = {
                "parts": part_links(KEY, upload), "complete": complete_link(KEY, upload),
                "abort": abort_link(KEY, upload)}
            return self.answer(json.dumps(links).encode())
        self.send_error(404)

    def do_POST(self):
        Site.flaw = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        self.answer(b"")
        Site.ended.set()

    def answer(self, body, kind="application/json"):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words):
        pass


assert len(parts()) == 3
site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
threading.Thread(target=site.serve_forever, daemon=True).start()
with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
    browser = subprocess.Popen(
        [
            os.environ.get("CHROMIUM", "chromium"), "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
            "--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update",
            "--disable-extensions", "--no-proxy-server", f"--user-data-dir={profile}",
            f"http://127.0.0.1:{site.server_port}/",
        ],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        while not Site.ended.wait(0.2) and browser.poll() is None:
            pass
    finally:
        browser.kill()
        browser.wait()
if Site.flaw:
    sys.exit(Site.flaw)
