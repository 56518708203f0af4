import { describe, expect, it } from "vitest";
import { agentSchema } from "../../../../../../core/ports/hub/agents/assisted/schema.ts";
import { agentLabels } from "../../../../../../core/ports/hub/agents/labels.ts";
import {
  controlPlaneObjects,
  nodePool,
  subjectOf,
} from "../../../../../../core/ports/hub/clusters/hypershift/objects.ts";
import {
  hostedClusterSchema,
  nodePoolSchema,
} from "../../../../../../core/ports/hub/clusters/hypershift/schema.ts";
import { addressPoolSchema } from "../../../../../../core/ports/kubernetes/metallb.ts";
import {
  namespaceSchema,
  roleBindingSchema,
  roleSchema,
  secretSchema,
  serviceAccountSchema,
} from "../../../../../../core/ports/kubernetes/schema.ts";
import { deployment, type Order } from "../../../../../support/deployment.ts";
import { loadSchemas, violations } from "../../../../../support/structural-schema.ts";

const allObjects = (order: Order) => [
  ...controlPlaneObjects(order),
  ...order.nodeSets.map((nodeSet) => nodePool(order, nodeSet)),
];

const hostedClusterOf = (order: Order) => {
  const found = controlPlaneObjects(order).find((object) => object.kind === "HostedCluster");
  return hostedClusterSchema.parse(found);
};

it("a control plane is applied in the order its parts need each other", () => {
  const order = controlPlaneObjects(deployment()).map(
    ({ kind, metadata }) => `${kind} ${metadata.name}`,
  );
  expect(order).toEqual([
    "Namespace slipway-abcdefghij",
    "ServiceAccount slipway",
    "RoleBinding slipway-admin",
    "RoleBinding hub-access",
    "Secret pullsecret-cluster-abcdefghij",
    "Secret sshkey-cluster-abcdefghij",
    "Role capi-provider-role",
    "HostedCluster abcdefghij",
  ]);
});

it.each([
  [
    "system:serviceaccount:platform:control",
    { kind: "ServiceAccount", name: "control", namespace: "platform" },
  ],
  ["slipway", { kind: "User", apiGroup: "rbac.authorization.k8s.io", name: "slipway" }],
])("the user %s of a hub is bound as what it is", (username, subject) => {
  const objects = controlPlaneObjects(deployment(), subjectOf(username));
  const binding = objects.find(({ metadata }) => metadata.name === "hub-access");
  expect(roleBindingSchema.parse(binding).subjects).toEqual([subject]);
});

it("people on the hub see how the owner calls a cluster", () => {
  const hosted = hostedClusterOf(deployment({ givenName: "shop" }));
  expect(hosted.metadata.labels).toMatchObject({ "slipway.dev/name": "shop" });
});

it("everything that belongs to the order says so; the shared role belongs to none", () => {
  for (const { kind, metadata } of allObjects(deployment())) {
    const label = metadata.labels?.["slipway.dev/cluster"];
    expect(label, `${kind} ${metadata.name}`).toBe(
      kind === "Role" ? undefined : "0197a0de-0000-7000-8000-000000000001",
    );
  }
});

it("a NodePool looks for the agents that were labelled for its node set", () => {
  const order = deployment();
  for (const nodeSet of order.nodeSets) {
    const { spec } = nodePool(order, nodeSet);
    const { matchLabels } = spec.platform.agent.agentLabelSelector;
    expect(matchLabels).toEqual(agentLabels(order, nodeSet.name));
    expect(spec.replicas).toBe(nodeSet.size);
    expect(spec.management).toEqual({ autoRepair: false, upgradeType: "InPlace" });
  }
});

it("without an ssh key there is no secret of it and nothing refers to one", () => {
  const { sshPublicKey: _, ...order } = deployment();
  const secrets = controlPlaneObjects(order).filter(({ kind }) => kind === "Secret");
  expect(secrets).toHaveLength(1);
  expect(hostedClusterOf(order).spec.sshKey).toBeUndefined();
});

it("one worker cannot carry highly available infrastructure", () => {
  const [workers] = deployment().nodeSets;
  if (!workers) throw new Error("the deployment has node sets");
  const of = (size: number) =>
    hostedClusterOf(deployment({ nodeSets: [{ ...workers, size }] })).spec
      .infrastructureAvailabilityPolicy;
  expect(of(1)).toBe("SingleReplica");
  expect(of(2)).toBe("HighlyAvailable");
});

const schemas = {
  Namespace: namespaceSchema,
  ServiceAccount: serviceAccountSchema,
  RoleBinding: roleBindingSchema,
  Secret: secretSchema,
  Role: roleSchema,
  IPAddressPool: addressPoolSchema,
  HostedCluster: hostedClusterSchema,
  NodePool: nodePoolSchema,
};

it("our own strict schemas take every object, and nothing else in it", () => {
  for (const object of allObjects(deployment())) {
    const schema = schemas[object.kind];
    expect(schema.parse(object)).toEqual(object);
    expect(schema.safeParse({ ...object, surprise: true }).success).toBe(false);
  }
});

describe("against the real CRDs", () => {
  const crds = loadSchemas();
  if (crds.size === 0) console.log("skipped: CRD_DIR is not set");

  it.skipIf(crds.size === 0)("every custom object that we apply fits its CRD", () => {
    const agent = agentSchema.parse({
      apiVersion: "agent-install.openshift.io/v1beta1",
      kind: "Agent",
      metadata: { name: "agent-1", namespace: "hardware-inventory" },
      spec: {
        approved: true,
        role: "auto-assign",
        clusterDeploymentName: { name: "a", namespace: "b" },
      },
    });
    const custom = [...allObjects(deployment()), agent].filter(({ apiVersion }) =>
      apiVersion.includes("openshift.io/"),
    );
    expect(custom.map(({ kind }) => kind)).toEqual([
      "HostedCluster",
      "NodePool",
      "NodePool",
      "Agent",
    ]);
    for (const object of custom) {
      const schema = crds.get(`${object.apiVersion}/${object.kind}`);
      if (!schema) throw new Error(`CRD_DIR has no CRD of ${object.kind}`);
      expect(violations(schema, object)).toEqual([]);
    }
  });

  it.skipIf(crds.size === 0)("the check finds what a CRD does not allow", () => {
    const schema = crds.get("hypershift.openshift.io/v1beta1/HostedCluster");
    if (!schema) throw new Error(`CRD_DIR has no CRD of HostedCluster`);
    const object = hostedClusterOf(deployment());
    const { release: _, ...spec } = object.spec;
    const broken = { ...object, spec: { ...spec, olmCatalogPlacement: "moon", surprise: 1 } };
    expect(violations(schema, broken)).toEqual([
      ".spec.release: is required",
      expect.stringContaining(".spec.olmCatalogPlacement: must be one of"),
      ".spec.surprise: is unknown",
    ]);
  });
});
