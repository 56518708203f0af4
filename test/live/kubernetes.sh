#!/usr/bin/env bash
# Starts a real Kubernetes API server on loopback, with etcd and the controllers of namespaces, service accounts and
# garbage, all empty and thrown away at the end. No kubelet, no root. The first run builds it from its Go module
# (Go, twenty minutes and 3 GB of Go's cache); etcd comes out of the packages of Debian's unstable.
#
#   test/live/kubernetes.sh                                          prints the environment, serves until Ctrl-C
#   test/live/kubernetes.sh npx vitest run test/live/kubernetes      runs the command in it, then stops
set -euo pipefail

source "$(dirname "$0")/program.sh"
source "$(dirname "$0")/debian.sh"

version=1.36.3

build_kubernetes() {
  local version=$1 place=$2
  command -v go >/dev/null || { echo "there is no Go to build it" && return 1; }
  cd "$live/kubernetes/server"
  CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X k8s.io/component-base/version.gitVersion=v$version" \
    -o "$place/" k8s.io/kubernetes/cmd/kube-apiserver k8s.io/kubernetes/cmd/kube-controller-manager
}
installers+=(build_kubernetes)

programs="$cache/kubernetes-$version"
said=$(INSTALL_LIMIT=3600 installed "kubernetes-$version" build_kubernetes "$version" "$programs" 2>&1) ||
  skip Kubernetes "$said"
install_debian etcd etcd etcd-server

# is_ready URL: whether the server, whose certificate is its own, says so.
is_ready() {
  NODE_TLS_REJECT_UNAUTHORIZED=0 "$node" --no-warnings -e '
    fetch(process.argv[1]).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))' "$1"
}
start() {
  "$@" >"$folder/$(basename "$1").log" 2>&1 &
  pids+=($!)
}

read -r clients peers secure controllers < <(free_ports 4)
token=$("$node" -p 'require("node:crypto").randomBytes(16).toString("hex")')
umask 077
"$node" -e '
  const { generateKeyPairSync } = require("node:crypto");
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  process.stdout.write(privateKey.export({ type: "pkcs1", format: "pem" }));' >"$folder/accounts.key"
echo "$token,admin,admin,system:masters" >"$folder/tokens.csv"

start "$root/usr/bin/etcd" --data-dir "$folder/etcd" --unsafe-no-fsync \
  --listen-client-urls "http://127.0.0.1:$clients" --advertise-client-urls "http://127.0.0.1:$clients" \
  --listen-peer-urls "http://127.0.0.1:$peers" --initial-advertise-peer-urls "http://127.0.0.1:$peers" \
  --initial-cluster "default=http://127.0.0.1:$peers"
until_true 60 Kubernetes is_ready "http://127.0.0.1:$clients/health"

start "$programs/kube-apiserver" \
  --etcd-servers="http://127.0.0.1:$clients" --bind-address=127.0.0.1 --secure-port="$secure" \
  --cert-dir="$folder/certificates" --token-auth-file="$folder/tokens.csv" --authorization-mode=RBAC \
  --service-account-issuer=https://kubernetes.default.svc --service-account-key-file="$folder/accounts.key" \
  --service-account-signing-key-file="$folder/accounts.key" --service-cluster-ip-range=10.0.0.0/24 \
  --endpoint-reconciler-type=none --profiling=false
until_true 60 Kubernetes is_ready "https://127.0.0.1:$secure/readyz"

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

start "$programs/kube-controller-manager" --kubeconfig="$folder/kubeconfig" \
  --controllers=namespace-controller,garbage-collector-controller,serviceaccount-controller,serviceaccount-token-controller \
  --service-account-private-key-file="$folder/accounts.key" --root-ca-file="$folder/certificates/apiserver.crt" \
  --leader-elect=false --bind-address=127.0.0.1 --secure-port="$controllers" --cert-dir="$folder/certificates-of-controllers"
until_true 60 Kubernetes is_ready "https://127.0.0.1:$controllers/healthz"

export KUBE_ORACLE="$folder/kubeconfig"
runs "Kubernetes $version"

serve_or_run KUBE_ORACLE "$@"
