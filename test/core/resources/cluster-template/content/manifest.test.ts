import { describe, expect, it } from "vitest";
import { fieldOf } from "../../../../../core/kernel/input/field.ts";
import { manifestIssues } from "../../../../../core/resources/cluster-template/content/manifest.ts";
import type { ManifestSource } from "../../../../../core/resources/cluster-template/model.ts";
import type { Parameter } from "../../../../../core/resources/cluster-template/parameter.ts";

const parameters: Parameter[] = [
  { name: "n", type: "integer" },
  { name: "s", type: "string" },
];
const config = (more: ManifestSource = {}): ManifestSource => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "c", namespace: "demo" },
  ...more,
});
const fields = (manifest: ManifestSource) =>
  manifestIssues(manifest, parameters).map(({ path }) => fieldOf(path));
const messages = (manifest: ManifestSource) =>
  manifestIssues(manifest, parameters).map(({ message }) => message);

it("may hold parameters in values, labels and text", () => {
  const labels = { site: { $parameter: "s" } };
  const data = { a: "1", b: { $json: { n: { $parameter: "n" } } } };
  expect(fields(config({ metadata: { name: "c", namespace: "demo", labels }, data }))).toEqual([]);
});

describe("what a manifest is", () => {
  it.each([
    ["nothing", {}, ["apiVersion", "kind", "metadata"]],
    ["an unlikely version", config({ apiVersion: "apps" }), ["apiVersion"]],
    ["a kind in small letters", config({ kind: "configmap" }), ["kind"]],
    ["no name", config({ metadata: { namespace: "demo" } }), ["metadata.name"]],
    [
      "a name made by the server",
      config({ metadata: { generateName: "c-", namespace: "demo" } }),
      ["metadata.name", "metadata.generateName"],
    ],
    [
      "what the server writes",
      config({ metadata: { name: "c", namespace: "demo", uid: "1", finalizers: [] }, status: {} }),
      ["status", "metadata.uid", "metadata.finalizers"],
    ],
    [
      "a parameter for a kind, a version or a name",
      config({
        apiVersion: { $parameter: "s" },
        kind: { $parameter: "s" },
        metadata: { name: { $parameter: "s" }, namespace: { $parameter: "s" } },
      }),
      ["apiVersion", "kind", "metadata.name", "metadata.namespace"],
    ],
    [
      "a label of ours",
      config({
        metadata: { name: "c", namespace: "demo", labels: { "slipway.dev/cluster": "x" } },
      }),
      ["metadata.labels.slipway.dev/cluster"],
    ],
    [
      "numbers where text belongs",
      config({
        metadata: { name: "c", namespace: "demo", labels: { n: 1, on: { $parameter: "n" } } },
      }),
      ["metadata.labels.n", "metadata.labels.on"],
    ],
    [
      "labels that are no map",
      config({ metadata: { name: "c", namespace: "demo", labels: { $parameter: "s" } } }),
      ["metadata.labels"],
    ],
    ["a number that JSON loses", config({ spec: { n: [2 ** 60, 0.5] } }), ["spec.n[0]"]],
    ["a parameter that is none", config({ spec: { $parameter: "x" } }), ["spec.$parameter"]],
  ])("is refused as %s", (_, manifest, expected) => {
    expect(fields(manifest)).toEqual(expected);
  });
});

describe("where a manifest reaches", () => {
  it.each([
    ["hypershift.openshift.io/v1beta1", "HostedCluster", /belongs on the hub/],
    ["capi-provider.agent-install.openshift.io/v1beta1", "AgentMachine", /belongs on the hub/],
    ["infrastructure.cluster.x-k8s.io/v1beta1", "KubevirtMachine", /belongs on the hub/],
    ["work.open-cluster-management.io/v1", "ManifestWork", /belongs on the hub/],
    ["machine.openshift.io/v1beta1", "MachineSet", /node sets/],
    ["machineconfiguration.openshift.io/v1", "MachineConfig", /NodePool/],
    ["config.openshift.io/v1", "OAuth", /mirrors the HostedCluster/],
    ["operator.openshift.io/v1", "Network", /reverts changes/],
    ["operator.openshift.io/v1", "IngressController", /ingress/],
    ["operators.coreos.com/v1alpha1", "Subscription", /under 'operators'/],
    ["storage.k8s.io/v1", "StorageClass", /under 'storage'/],
    ["metallb.io/v1beta1", "IPAddressPool", /addresses/],
    ["v1", "Secret", /no place for secrets/],
    ["v1", "Node", /node set/],
    ["v1", "List", /not an object/],
    ["v1", "ConfigMapList", /one by one/],
    ["apiregistration.k8s.io/v1", "APIService", /shut Slipway/],
    ["admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", /shut Slipway/],
    ["authorization.k8s.io/v1", "SubjectAccessReview", /not an object/],
  ])("%s %s is refused with a reason", (apiVersion, kind, reason) => {
    expect(messages({ apiVersion, kind, metadata: { name: "x" } })).toEqual([
      expect.stringMatching(reason),
    ]);
  });

  it.each([
    ["apps/v1", "Deployment"],
    ["operators.coreos.com/v1alpha1", "CatalogSource"],
    ["operator.openshift.io/v1", "Console"],
    ["nvidia.com/v1", "ClusterPolicy"],
    ["xhypershift.openshift.io/v1", "Thing"],
  ])("%s %s is allowed", (apiVersion, kind) => {
    expect(messages({ apiVersion, kind, metadata: { name: "x", namespace: "demo" } })).toEqual([]);
  });

  it.each([
    "kube-system",
    "openshift-config",
    "openshift-ingress",
    "openshift-ingress-operator",
    "openshift-kube-apiserver",
    "metallb-system",
    "ceph-csi-rbd",
    "slipway-validation",
  ])("namespace %s is closed, and cannot be brought", (namespace) => {
    expect(fields(config({ metadata: { name: "c", namespace } }))).toEqual(["metadata.namespace"]);
    const own = { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } };
    expect(fields(own)).toEqual(["metadata.name"]);
  });

  it.each(["demo", "default", "openshift-monitoring", "openshift-nfd", "slipways"])(
    "namespace %s is open",
    (namespace) => {
      expect(fields(config({ metadata: { name: "c", namespace } }))).toEqual([]);
    },
  );

  it("says when a namespace is missing, or there is none to be in", () => {
    expect(fields(config({ metadata: { name: "c" } }))).toEqual(["metadata.namespace"]);
    const role = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole" };
    expect(fields({ ...role, metadata: { name: "r", namespace: "demo" } })).toEqual([
      "metadata.namespace",
    ]);
  });
});
