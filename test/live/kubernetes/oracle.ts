import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { systemClock } from "../../../core/clock.ts";
import { parseYaml } from "../../../core/kernel/input/yaml.ts";
import { agentNamespace } from "../../../core/ports/hub/agents/port.ts";
import { metalLbNamespace } from "../../../core/ports/hub/clusters/hypershift/objects.ts";
import { approvals, revocations } from "../../../core/ports/hub/credentials/hypershift/objects.ts";
import { ownAccount } from "../../../core/ports/hub/own-account.ts";
import { rightsObjects, tokenSecretName } from "../../../core/ports/hub/rights-objects.ts";
import { HubApi } from "../../../core/ports/kubernetes/api.ts";
import type { Connection } from "../../../core/ports/kubernetes/connection.ts";
import {
  type CustomKind,
  machines,
  type ObjectName,
} from "../../../core/ports/kubernetes/kube-object.ts";
import { parseKubeconfig } from "../../../core/ports/kubernetes/kubeconfig.ts";
import { eventually } from "../../support/eventually.ts";
import { folderOf } from "../../support/folder-of.ts";

/** A real Kubernetes API server, such as `test/live/kubernetes.sh` starts, and the real CRDs. */
const { KUBE_ORACLE: kubeconfig } = process.env;
const crds = folderOf("CRD_DIR");

export const missing =
  kubeconfig && crds
    ? undefined
    : "skipped: KUBE_ORACLE (test/live/kubernetes.sh) and CRD_DIR are not both set";

/** The groups of a hub's kinds, of which the CRDs are applied. */
const groups =
  /^(hypershift|agent-install|capi-provider\.agent-install)\.openshift\.io_|^(k8s\.ovn\.org|k8s\.cni\.cncf\.io|metal3\.io|metallb\.io|cluster\.open-cluster-management\.io)_/;

/** Kinds that Slipway uses on a hub, of which no CRD is in the folder: with any members. */
const open: readonly CustomKind[] = [machines, approvals, revocations];

export interface Oracle {
  /** As an administrator. */
  admin: HubApi;
  connection: Connection;
  /** How Slipway's own account connects, with the rights that `hub rights` prints. */
  slipway: Connection;
}

/** Makes a hub of the server, as an administrator does before its registration. Again is harmless. */
export async function prepared(): Promise<Oracle> {
  const connection = parseKubeconfig(readFileSync(kubeconfig ?? "", "utf8"));
  const admin = new HubApi({ connection, wall: systemClock, timeout: 30_000 });
  for (const object of definitions()) await admin.applyStrictly(object);
  for (const name of [agentNamespace, metalLbNamespace])
    await admin.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
  for (const object of rightsObjects()) await admin.apply(object);
  const secret = {
    ...{ apiVersion: "v1", kind: "Secret" },
    metadata: { namespace: ownAccount.namespace, name: tokenSecretName(ownAccount) },
  };
  const { clientCertificate: _, clientKey: __, token: ___, ...server } = connection;
  const token = await eventually(async () => {
    const { data } = tokenSchema.parse(await admin.read(secret));
    return Buffer.from(data.token, "base64").toString();
  });
  await eventually(async () => {
    for (const kind of [...open, ...served])
      if (!(await admin.serves(kind))) throw new Error(`${kind.plural} are not served yet`);
  });
  return { admin, connection, slipway: { ...server, token } };
}

const tokenSchema = z.object({ data: z.object({ token: z.string() }) });

const served: readonly Omit<CustomKind, "kind">[] = [
  { group: "hypershift.openshift.io", version: "v1beta1", plural: "hostedclusters" },
  { group: "hypershift.openshift.io", version: "v1beta1", plural: "nodepools" },
  { group: "agent-install.openshift.io", version: "v1beta1", plural: "agents" },
  { group: "k8s.ovn.org", version: "v1", plural: "clusteruserdefinednetworks" },
  { group: "metal3.io", version: "v1alpha1", plural: "baremetalhosts" },
];

const objectSchema = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
});

function* definitions(): Generator<ObjectName> {
  for (const file of readdirSync(crds ?? "").filter((name) => groups.test(name))) {
    const { documents } = parseYaml(readFileSync(join(crds ?? "", file), "utf8"));
    for (const { value } of documents) yield objectSchema.parse(value);
  }
  for (const { group, version, kind, plural } of open) {
    const schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
    yield objectSchema.parse({
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: `${plural}.${group}` },
      spec: {
        group,
        names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
        scope: "Namespaced",
        versions: [
          {
            ...{ name: version, served: true, storage: true, subresources: { status: {} } },
            schema: { openAPIV3Schema: schema },
          },
        ],
      },
    });
  }
}
