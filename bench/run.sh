#!/bin/bash
# bench/run.sh [quick|smoke]   measures Shoal beside other servers and the machine's own limits, as root or with sudo.
#
# Roughly an hour of measuring on a quiet machine, quick a quarter of it; smoke shows in some minutes that everything works,
# and its figures mean nothing. Results: out/*.json (every round), out/tables.md, out/targets.md, out/bounds.md. Everything that
# is started is ended by its pid. LOCK=FILE: measure only while holding this flock, where others measure too.
set -euo pipefail
cd "$(dirname "$0")"

rounds=3 seconds=1.5 sizes=1000,10000,100000,1000000 big=$((1 << 30)) fill=400 skip=none
case ${1:-} in
"") ;;
quick) rounds=2 seconds=1 sizes=1000,10000 fill=60 ;;
smoke) rounds=1 seconds=0.2 sizes=500 big=$((64 << 20)) fill=30 skip=put-4k-churn ;;
*) echo "usage: bench/run.sh [quick|smoke]" >&2; exit 2 ;;
esac
small=$((64 << 20))

../packaging/install build test bench
[ -x ../.build/release/shoal ] || make -C .. release

mkdir -p out
left_out=out/left-out.txt
: >"$left_out"
wanted="shoal shoal-power nginx floor-log floor-log-sync floor-file seaweed rclone juicefs ministack"
python3 peers.py install $wanted 2> >(tee -a "$left_out" >&2)
ready=$(python3 peers.py ready $wanted)

trap 'python3 peers.py stop' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
common=(--disk "$PWD/.run" --limit 60 ${LOCK:+--lock "$LOCK"})

# Fails only without Shoal; whatever else does not start says why.
started=$(python3 peers.py start $ready 2> >(tee -a "$left_out" >&2))
python3 peers.py versions $ready | tee out/versions.txt

# The servers among those started, as arguments.
servers() {
    local name
    for name in "$@"; do
        if grep -qx "$name" <<<"$started"; then python3 peers.py args "$name"; fi
    done
}
measure() {
    local name=$1
    shift
    echo "== $name"
    python3 bench.py "$@" --rounds "$rounds" "${common[@]}" --json "out/$name.json" >/dev/null
}

null=()
if grep -qx nginx <<<"$started"; then null=(--null http://127.0.0.1:18402/null); fi

python3 bounds.py --dir .run --mib $((big >> 20)) ${LOCK:+--lock "$LOCK"} --json out/bounds.json >out/bounds.md
measure small $(servers shoal nginx floor-log floor-file seaweed rclone juicefs ministack) "${null[@]}" \
    --only 'checks,put-4k*,get-4k*,head*,delete*,boto3-4k' --skip "$skip" --seconds "$seconds" --big "$small" \
    --boto3 .tools/clients/bin/python
# Durable and not durable in the same rounds; the latter under a name of its own, apart from the run above.
measure power $(servers shoal | sed 's/=shoal=/=shoal-process=/') $(servers shoal-power floor-log-sync) \
    --only 'put-4k-c1,put-4k-c64' --seconds "$seconds" --big "$small"
measure big $(servers shoal nginx floor-log floor-file seaweed rclone juicefs ministack) \
    --only 'put-64m*,put-1g*,get-64m,get-1g,range*' --skip put-1g-trailer,put-1g-sdk --seconds "$seconds" --big "$big"
measure growth $(servers shoal nginx seaweed rclone ministack) --only grow --sizes "$sizes" --plain-keys 100000 \
    --limit 120 --fill-budget "$fill" --big "$small"
mapfile -t starts < <(python3 peers.py starts $started)
measure startup $(servers $started) "${starts[@]}" --no-probe --only startup --big $((16 << 20))

{
    echo "# Shoal beside other servers"
    echo
    sed 's/^/* /' out/versions.txt
    sed 's/^/* /' "$left_out"
    for part in small power big growth startup; do
        printf '\n## %s\n\n' "$part"
        python3 bench.py --report "out/$part.json"
    done
    printf '\n## Bounds of this machine\n\n'
    cat out/bounds.md
} >out/tables.md
# A missed target is a finding, not a failure of the run.
python3 compare.py out/small.json out/power.json out/big.json out/growth.json out/startup.json | tee out/targets.md ||
    echo "A target is missed."
echo "All tables: bench/out/tables.md"
