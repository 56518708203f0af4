import { expect } from "vitest";
import { asHubId } from "../../core/id.ts";
import { type Kind, pluralOf } from "../../core/kernel/object/object.ts";
import { changeObject } from "../../core/kernel/object/rewrite.ts";
import { type Api, order, priv, v1 } from "./api.ts";

/** What each kind is made of here; those of `catalogApi` are there already. */
export const bodies = {
  tenant: { metadata: { name: "tenant-a" } },
  project: { metadata: { name: "p" } },
  project_membership: {
    metadata: { name: "mia", project: "p" },
    spec: { role: "PROJECT_MEMBERSHIP_ROLE_MANAGER", users: ["mia"] },
  },
  quota: { metadata: { name: "q", tenant: "tenant-a", project: "p" }, spec: { limits: {} } },
  cluster_catalog_item: { metadata: { name: "i" }, template: "ocp_small" },
  webhook: { metadata: { name: "w" }, spec: { url: "https://hooks.example.com/slipway" } },
  user: { metadata: { name: "ann" } },
  role: { metadata: { name: "project-manager" } },
  role_binding: {
    metadata: { name: "devs", project: "p" },
    spec: { role: "project-manager", groups: ["devs"] },
  },
  identity_provider: { metadata: { name: "login" }, spec: {} },
  secret: { metadata: { name: "s", project: "p" }, data: { a: "YQ==" } },
  site: { metadata: { name: "site-1" }, spec: {} },
  hub: {
    id: "hub-1",
    metadata: { name: "hub-1" },
    spec: {
      region: "eu",
      capacity: 5,
      base_domain: "example.com",
      kubeconfig: JSON.stringify({
        contexts: [{ name: "c", context: { cluster: "k", user: "u" } }],
        clusters: [{ name: "k", cluster: { server: "https://hub.example.com:6443" } }],
        users: [{ name: "u", user: { token: "t" } }],
      }),
    },
  },
  host: {
    metadata: { name: "h1" },
    spec: {
      host_type: "small",
      hub: "hub-1",
      bmc: { address: "redfish://10.0.0.1/1" },
      nics: [{ name: "eth0", mac: "52:54:00:00:00:01", switch: "leaf-1", port: "1" }],
    },
  },
  cluster: order("one", {}, { project: "p" }),
} satisfies Partial<Record<Kind, object>>;

/** Kinds whose objects administrators make. */
const made = new Set<Kind>(["tenant", "quota", "role", "site", "hub", "host"]);

export type Ids = Partial<Record<Kind, string>>;

/**
 * Makes one of each kind that belongs to tenant-a or to the provider, and answers their ids. The
 * cluster is on a hub whose credentials can be read; `mia` and `vic` are members of its project.
 */
export async function oneOfEach(api: Api): Promise<Ids> {
  const { deps } = api;
  const ids: Ids = {
    cluster_template: "ocp_small",
    cluster_version: "4-17-0",
    host_type: "small",
  };
  const add = async (kind: Kind, body: object) => {
    const [person, base] = made.has(kind) ? (["admin", priv] as const) : (["amy", v1] as const);
    const answer = await api.ask(person, "POST", `${base}/${pluralOf(kind)}`, body);
    expect(answer.status, answer.text).toBe(200);
    ids[kind] = answer.body.id;
  };
  for (const [kind, body] of Object.entries(bodies)) {
    await add(kind as keyof typeof bodies, body);
    if (kind !== "project_membership") continue;
    const spec = { role: "PROJECT_MEMBERSHIP_ROLE_VIEWER", users: ["vic"] };
    await add("project_membership", { metadata: { name: "vic", project: "p" }, spec });
  }
  const cluster = await changeObject(deps, "cluster", ids.cluster ?? "", (each) => ({
    ...each,
    placement: { hub: asHubId("hub-1"), at: each.event.time, reason: "", rejected: [], hosts: {} },
  }));
  ids.operation = cluster.operation ?? "";
  deps.hubClients.set("hub-1", {
    credentials: {
      readKubeconfig: async () => "kubeconfig",
      readPassword: async () => "password",
      issueCredential: async () => ({ outcome: "invalid", message: "is none" }),
      listCredentials: async () => ({ items: [] }),
      revokeCredentials: async () => ({
        state: "REVOCATION_STATE_REVOKING",
        request_timestamp: cluster.event.time,
      }),
    },
  });
  return ids;
}
