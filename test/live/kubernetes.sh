#!/usr/bin/env bash
# Starts a real Kubernetes API server on loopback, with etcd and the controllers of namespaces, service accounts and
# garbage, all empty and thrown away at the end. No kubelet, no root. The first run builds it from its Go module
# (Go, twenty minutes and 3 GB of Go's cache) and takes etcd out of Debian's packages unless it is installed; what
# they make is kept in the user's cache.
#
#   test/live/kubernetes.sh                                          prints the environment, serves until Ctrl-C
#   test/live/kubernetes.sh npx vitest run test/live/kubernetes      runs the command in it, then stops
set -euo pipefail

version=1.36.3
here="$(cd "$(dirname "$0")" && pwd)"
cache="${XDG_CACHE_HOME:-$HOME/.cache}/slipway/live/kubernetes/$version"
node="$here/../../node_modules/.bin/node"
[ -x "$node" ] || node=node
programs=(kube-apiserver kube-controller-manager)

build() {
  command -v go >/dev/null || { echo "needs Go, to build Kubernetes $version" >&2 && return 1; }
  echo "builds Kubernetes $version; this takes some twenty minutes, once" >&2
  local made
  mkdir -p "$cache"
  made=$(mktemp -d "$cache/build.XXXXXX")
  (cd "$here/kubernetes/server" && CGO_ENABLED=0 nice -n 15 go build -trimpath \
    -ldflags "-s -w -X k8s.io/component-base/version.gitVersion=v$version" -o "$made/" \
    "${programs[@]/#/k8s.io/kubernetes/cmd/}") || { rm -rf "$made" && return 1; }
  mv "$made"/* "$cache/"
  rmdir "$made"
}

fetch_etcd() {
  command -v apt-get >/dev/null && command -v dpkg >/dev/null || { echo "needs etcd" >&2 && return 1; }
  local folder
  mkdir -p "$cache"
  folder=$(mktemp -d "$cache/etcd.XXXXXX")
  (cd "$folder" && apt-get download -qq etcd-server && dpkg -x etcd-server_*.deb .) >&2 || { rm -rf "$folder" && return 1; }
  mv "$folder/usr/bin/etcd" "$cache/etcd"
  rm -rf "$folder"
}

for program in "${programs[@]}"; do [ -x "$cache/$program" ] || { build && break; }; done
etcd=$(command -v etcd || echo "$cache/etcd")
[ -x "$etcd" ] || fetch_etcd

folder=$(mktemp -d)
pids=()
stop() {
  # The API server before its etcd.
  for ((n = ${#pids[@]} - 1; n >= 0; n--)); do
    kill "${pids[n]}" 2>/dev/null && wait "${pids[n]}" 2>/dev/null || true
  done
  rm -rf "$folder"
}
trap stop EXIT
trap 'exit 130' INT TERM

failed() {
  tail -n 20 "$folder/$1.log" >&2
  exit 1
}
start() {
  local name=$1
  shift
  "$@" >"$folder/$name.log" 2>&1 &
  pids+=($!)
}
# Whether a URL answers 200 within a minute.
answers() {
  "$node" -e '
    const [url, ca] = process.argv.slice(1);
    const { request } = require(url.startsWith("https") ? "node:https" : "node:http");
    const end = Date.now() + 60_000;
    const again = () => (Date.now() > end ? process.exit(1) : setTimeout(ask, 200));
    const ask = () => request(url, ca ? { rejectUnauthorized: false } : {}, (answer) => {
      answer.resume();
      answer.statusCode === 200 ? process.exit(0) : again();
    }).on("error", again).end();
    ask();' "$@"
}

# Four ports that are free now.
read -r clients peers secure controllers < <("$node" -e '
  const { createServer } = require("node:net");
  const servers = Array.from({ length: 4 }, () => createServer());
  const ports = servers.map((server) => new Promise((done) => {
    server.listen(0, "127.0.0.1", () => done(server.address().port));
  }));
  Promise.all(ports).then((all) => {
    console.log(all.join(" "));
    for (const server of servers) server.close();
  });')
token=$("$node" -p 'require("node:crypto").randomBytes(16).toString("hex")')
umask 077
"$node" -e '
  const { generateKeyPairSync } = require("node:crypto");
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  process.stdout.write(privateKey.export({ type: "pkcs1", format: "pem" }));' >"$folder/accounts.key"
echo "$token,admin,admin,system:masters" >"$folder/tokens.csv"

start etcd "$etcd" --data-dir "$folder/etcd" --unsafe-no-fsync \
  --listen-client-urls "http://127.0.0.1:$clients" --advertise-client-urls "http://127.0.0.1:$clients" \
  --listen-peer-urls "http://127.0.0.1:$peers" --initial-advertise-peer-urls "http://127.0.0.1:$peers" \
  --initial-cluster "default=http://127.0.0.1:$peers"
answers "http://127.0.0.1:$clients/health" || failed etcd

start kube-apiserver "$cache/kube-apiserver" \
  --etcd-servers="http://127.0.0.1:$clients" --bind-address=127.0.0.1 --secure-port="$secure" \
  --cert-dir="$folder/certificates" --token-auth-file="$folder/tokens.csv" --authorization-mode=RBAC \
  --service-account-issuer=https://kubernetes.default.svc --service-account-key-file="$folder/accounts.key" \
  --service-account-signing-key-file="$folder/accounts.key" --service-cluster-ip-range=10.0.0.0/24 \
  --endpoint-reconciler-type=none --profiling=false
answers "https://127.0.0.1:$secure/readyz" insecure || failed kube-apiserver

"$node" -e '
  const { readFileSync } = require("node:fs");
  const [server, token, ca] = process.argv.slice(1);
  const authority = readFileSync(ca).toString("base64");
  const named = { name: "oracle" };
  process.stdout.write(JSON.stringify({
    apiVersion: "v1", kind: "Config", "current-context": "oracle",
    clusters: [{ ...named, cluster: { server, "certificate-authority-data": authority } }],
    users: [{ ...named, user: { token } }],
    contexts: [{ ...named, context: { cluster: "oracle", user: "oracle" } }],
  }));' "https://127.0.0.1:$secure" "$token" "$folder/certificates/apiserver.crt" >"$folder/kubeconfig"

start kube-controller-manager "$cache/kube-controller-manager" --kubeconfig="$folder/kubeconfig" \
  --controllers=namespace-controller,garbage-collector-controller,serviceaccount-controller,serviceaccount-token-controller \
  --service-account-private-key-file="$folder/accounts.key" --root-ca-file="$folder/certificates/apiserver.crt" \
  --leader-elect=false --bind-address=127.0.0.1 --secure-port="$controllers" --cert-dir="$folder/certificates-of-controllers"
answers "https://127.0.0.1:$controllers/healthz" insecure || failed kube-controller-manager

export KUBE_ORACLE="$folder/kubeconfig"
if [ $# -gt 0 ]; then
  "$@"
else
  echo "export KUBE_ORACLE=$KUBE_ORACLE"
  wait
fi
