import { parseKubeconfig } from "../../core/ports/kubernetes/kubeconfig.ts";
import { judgeInputs, refused } from "./table.ts";

/** A kubeconfig of one good context, cluster and user, with more entries in each list. */
const withMore = (contexts = "", clusters = "", users = "", current = "main") => `
apiVersion: v1
kind: Config
current-context: ${current}
contexts:
- {name: main, context: {cluster: hub, user: admin}}
${contexts}
clusters:
- {name: hub, cluster: {server: "https://api.hub.example.com:6443"}}
${clusters}
users:
- {name: admin, user: {token: abc}}
${users}
`;

const main = { server: "https://api.hub.example.com:6443", token: "abc" };

// kubectl judges the current context alone.
judgeInputs(parseKubeconfig, [
  [withMore(), main, "control"],
  [withMore("- {name: x, context: {cluster: a, namespace: b}}"), main, "kube-rs/kube#1076"],
  [withMore("- {name: x, context: {}}"), main, "kubernetes-client/javascript#147"],
  [withMore("- {name: x}"), main, "kubernetes-client/python#518"],
  [withMore("- {name: x, context: null}"), main, "kubernetes-client/python#518"],
  [withMore("", "- {name: other}"), main, "kubectl config set-cluster other"],
  [withMore("", "- {name: other, cluster: null}"), main, "kubectl config set-cluster other"],
  [withMore("", "", "- {name: other}"), main, "kubectl config set-credentials other"],
  [withMore("", "", "- {name: other, user: {exec: {command: aws}}}"), main, "aws eks"],
  [
    withMore("- {name: x, context: {}}", "", "", "x"),
    refused(/contexts\[1\]\.context\.cluster/),
    "current",
  ],
  [
    withMore("- {name: x, context: {cluster: hub}}", "", "", "x"),
    refused(/contexts\[1\]\.context\.user/),
    "current",
  ],
  [
    withMore("- {name: x, context: {cluster: hub, user: bot}}", "", "- {name: bot}", "x"),
    refused(/users\[1\]\.user\.token/),
    "current",
  ],
  [withMore("", "", "", "gone"), refused(/current-context: has no context 'gone'/), "current"],
  ["", refused(/the kubeconfig/), "empty"],
]);
