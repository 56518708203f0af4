import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { systemClock } from "../../../core/clock.ts";
import { parseYaml } from "../../../core/kernel/input/yaml.ts";
import { metalLbNamespace } from "../../../core/ports/hub/clusters/hypershift/objects.ts";
import { type OwnAccount, ownAccount } from "../../../core/ports/hub/own-account.ts";
import { agentNamespace } from "../../../core/ports/hub/reported-kinds.ts";
import { rightsObjects, tokenSecretName } from "../../../core/ports/hub/rights-objects.ts";
import { HubApi } from "../../../core/ports/kubernetes/api.ts";
import type { Connection } from "../../../core/ports/kubernetes/connection.ts";
import type { ObjectName } from "../../../core/ports/kubernetes/kube-object.ts";
import { parseKubeconfig } from "../../../core/ports/kubernetes/kubeconfig.ts";
import { hubKinds } from "../../../sim/kinds.ts";
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

/** The kinds of a hub that are not compiled into a server. */
const customKinds = hubKinds.filter(({ builtIn }) => !builtIn);

/** Who plays the operators of a hub, which may do all there. */
const operators: OwnAccount = { name: "operators", namespace: "hypershift" };

export interface Oracle {
  /** As an administrator. */
  admin: HubApi;
  connection: Connection;
  /** How Slipway's own account connects, with the rights that `hub rights` prints. */
  slipway: Connection;
  /** How operators connect. */
  operators: Connection;
}

/** Makes a hub of the server, as an administrator does before its registration. Again is harmless. */
export async function prepared(): Promise<Oracle> {
  const connection = parseKubeconfig(readFileSync(kubeconfig ?? "", "utf8"));
  const admin = new HubApi({ connection, wall: systemClock, timeout: 30_000 });
  for (const object of definitions()) await admin.applyStrictly(object);
  for (const name of [agentNamespace, metalLbNamespace, operators.namespace])
    await admin.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
  for (const object of [...rightsObjects(), ...operatorsRights()]) await admin.apply(object);
  const { clientCertificate: _, clientKey: __, token: ___, ...server } = connection;
  const as = async (account: OwnAccount): Promise<Connection> => {
    const metadata = { namespace: account.namespace, name: tokenSecretName(account) };
    const token = await eventually(async () => {
      const secret = await admin.read({ apiVersion: "v1", kind: "Secret", metadata });
      const { data } = tokenSchema.parse(secret);
      return Buffer.from(data.token, "base64").toString();
    });
    return { ...server, token };
  };
  await eventually(async () => {
    for (const kind of customKinds)
      if (!(await admin.serves(kind))) throw new Error(`${kind.plural} are not served yet`);
  });
  return { admin, connection, slipway: await as(ownAccount), operators: await as(operators) };
}

const tokenSchema = z.object({ data: z.object({ token: z.string() }) });

/** The operators' account with a lasting token, and all rights. */
function operatorsRights(): ObjectName[] {
  const subjects = [{ kind: "ServiceAccount", ...operators }];
  const roleRef = {
    apiGroup: "rbac.authorization.k8s.io",
    kind: "ClusterRole",
    name: "cluster-admin",
  };
  const binding = {
    ...{ apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRoleBinding" },
    ...{ metadata: { name: operators.name }, roleRef, subjects },
  };
  const own = rightsObjects(operators).filter(({ kind }) => /^(ServiceAccount|Secret)$/.test(kind));
  return [...own, binding];
}

const objectSchema = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
});

/** The real definitions of a hub's kinds; a kind of which there is none may have any members. */
function* definitions(): Generator<ObjectName> {
  const defined = new Set<string>();
  for (const file of readdirSync(crds ?? "").filter((name) => groups.test(name))) {
    const { documents } = parseYaml(readFileSync(join(crds ?? "", file), "utf8"));
    for (const { value } of documents) {
      const definition = objectSchema.parse(value);
      defined.add(definition.metadata.name);
      yield definition;
    }
  }
  for (const { group, version, kind, plural, singular, namespaced } of customKinds) {
    const name = `${plural}.${group}`;
    if (defined.has(name)) continue;
    const schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
    yield objectSchema.parse({
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name },
      spec: {
        group,
        names: { kind, plural, singular, listKind: `${kind}List` },
        scope: namespaced ? "Namespaced" : "Cluster",
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
