"""Sweeps real clients and writes docs/sweep-clients.md from page.md: `make sweep-clients`.

    regenerate.py [NAME...]     only these of the sweeps below; the others keep their place empty, and no page is written
"""
import datetime
import os
import pathlib
import re
import shutil
import subprocess
import sys

FOLDER = pathlib.Path(__file__).parent
ROOT = FOLDER.parents[2]
SHOAL = os.environ.get("SHOAL", str(ROOT / ".build/release/shoal"))
PYTHON = str(ROOT / ".venv/bin/python")
REPORTS = ROOT / ".build/sweep-clients"
# curl and XMLHttpRequest wait for an answer for ever; boto3 waits 60 seconds before it tries again.
USUAL = ["--timeout", "30s", "--jobs", "4"]
PATIENT = ["--timeout", "150s", "--jobs", "8"]
# rclone waits five minutes for an answer, and tries for many before it gives up.
STUBBORN = ["--timeout", "60s", "--jobs", "8", "--attempts", "first"]
SWEEPS = {
    "boto3_put": (PATIENT, [PYTHON, "boto3_put.py"]),
    "boto3_multipart": (PATIENT, [PYTHON, "boto3_multipart.py"]),
    "curl_put": (USUAL, [PYTHON, "curl_put.py"]),
    "curl_two": (USUAL, [PYTHON, "curl_put.py", "first.jpg", "second.jpg"]),
    "curl_multipart": (USUAL, [PYTHON, "curl_multipart.py"]),
    "browser_put": (USUAL, [PYTHON, "browser.py", "put"]),
    "browser_multipart": (USUAL, [PYTHON, "browser.py", "multipart"]),
    "rclone_put": ([*STUBBORN, "--only", "PutObject"], ["sh", "rclone_copy.sh", "200000", "photo.jpg"]),
    "rclone_multipart": ([*STUBBORN, "--only", "multipart"], ["sh", "rclone_copy.sh", "10485783", "film.mov"]),
}
ENVIRONMENT = {
    **os.environ, "AWS_CONFIG_FILE": "/dev/null", "AWS_SHARED_CREDENTIALS_FILE": "/dev/null",
    "AWS_EC2_METADATA_DISABLED": "true", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(FOLDER)}


def sweep(name):
    """The matrices and the last line of a sweep, whose page stays in REPORTS; red is a finding here, and no failure."""
    flags, command = SWEEPS[name]
    REPORTS.mkdir(parents=True, exist_ok=True)
    words = [SHOAL, "sweep", *flags, "--html", str(REPORTS / f"{name}.html"), "--", *command]
    done = subprocess.run(words, cwd=FOLDER, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True)
    if done.returncode not in (0, 1) or not done.stdout:
        sys.exit(f"{name} ended with {done.returncode}")
    matrices = []
    for block in done.stdout.split("\n\n"):
        # The legend is indented.
        if block.startswith(" "):
            break
        matrices.append(block)
    return "```\n" + "\n\n".join(matrices) + "\n\n" + done.stdout.splitlines()[-1] + "\n```"


def version(*words):
    text = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    return re.search(r"\d+(\.\d+)+", text)[0]


def page(found):
    values = {
        **found, "date": datetime.date.today().isoformat(), "shoal": version(SHOAL, "--version"),
        "boto3": version(PYTHON, "-c", "import boto3; print(boto3.__version__)"),
        "curl": version("curl", "--version"), "rclone": version("rclone", "version"),
        "chromium": version(os.environ.get("CHROMIUM", "chromium"), "--version")}
    return re.sub(r"\{\{(\w+)\}\}", lambda match: values[match[1]], (FOLDER / "page.md").read_text())


def main():
    for tool in ["curl", "rclone", os.environ.get("CHROMIUM", "chromium")]:
        if not shutil.which(tool):
            sys.exit(f"{tool} is not installed: `packaging/install test browser` installs what the sweeps need")
    if not os.path.exists(PYTHON):
        sys.exit("boto3 is not installed: `packaging/clients` makes .venv with it")
    found = {}
    for name in sys.argv[1:] or SWEEPS:
        print(f"== {name}", file=sys.stderr)
        found[name] = sweep(name)
        print(found[name], flush=True)
    if not sys.argv[1:]:
        (ROOT / "docs/sweep-clients.md").write_text(page(found))


if __name__ == "__main__":
    main()
