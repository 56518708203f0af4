import { expect } from "vitest";
import { asHubId } from "../../core/id.ts";
import { changeObject } from "../../core/kernel/events/rewrite.ts";
import { definitionOf } from "../../core/kernel/object/kind.ts";
import { type Kind, pluralOf } from "../../core/kernel/object/object.ts";
import { documentationOf, type Example } from "../../core/kernel/request/documentation.ts";
import { documentations } from "../../core/resources/generated/documentations.ts";
import { rolesFor } from "../../functions/api/permissions.ts";
import { kindNames, kinds } from "../../functions/api/registry.ts";
import { type Api, inCatalog, order, priv, v1 } from "./api.ts";
import { addCounts, addFleet } from "./fleet.ts";
import { sshKey } from "./orders.ts";

/**
 * What is made here in place of the example that a kind has, whose names are those of the laptop's
 * world. In this order, since later ones refer to earlier ones.
 */
const own = {
  tenant: { metadata: { name: "tenant-a" } },
  project: { metadata: { name: "p" } },
  project_membership: {
    metadata: { name: "mia", project: "p" },
    spec: { role: "PROJECT_MEMBERSHIP_ROLE_MANAGER", users: ["mia"] },
  },
  quota: { metadata: { name: "q", tenant: "tenant-a", project: "p" }, spec: { limits: {} } },
  cluster_catalog_item: { metadata: { name: "i" }, template: "ocp_small" },
  bare_metal_instance_type: {
    ...documentationOf(documentations, "bare_metal_instance_type").example,
    metadata: { name: "bm-standard" },
  },
  baremetal_instance_template: {
    id: "rhel-server",
    metadata: { name: "rhel-server" },
    host_type: "bm-standard",
    spec_defaults: { image: { source_type: "registry", source_ref: "quay.io/images/rhel:9.6" } },
  },
  baremetal_instance_catalog_item: {
    metadata: { name: "server" },
    template: "rhel-server",
    published: true,
  },
  role: { metadata: { name: "project-manager" } },
  role_binding: {
    metadata: { name: "devs", project: "p" },
    spec: { role: "project-manager", groups: ["devs"] },
  },
  site: { id: "site-1", metadata: { name: "site-1" }, spec: {} },
  network_class: {
    metadata: { name: "overlay" },
    implementation_strategy: "overlay",
    is_default: true,
    spec: { vni_range: { first: 5000, last: 5999 } },
  },
  // The example of a subnet is in it.
  virtual_network: {
    metadata: { name: "shop", project: "p" },
    spec: { ipv4_cidr: "10.20.0.0/16" },
  },
  // The site here has no fabric.
  external_ip_pool: {
    metadata: { name: "outside" },
    spec: { ip_family: "IP_FAMILY_IPV4", cidrs: ["203.0.113.80/28"] },
  },
  hub: {
    ...documentationOf(documentations, "hub").example,
    id: "hub-1",
    metadata: { name: "hub-1" },
  },
  allocation: {
    metadata: { name: "training", tenant: "tenant-a" },
    spec: { host_type: "small", reserved: 2 },
  },
  host: {
    id: "h1",
    metadata: { name: "h1" },
    spec: {
      ...Object(documentationOf(documentations, "host").example).spec,
      host_type: "with-dpu",
      hub: "hub-1",
      bmc: { address: "redfish://10.1.0.1/redfish/v1/Systems/1", username: "u", password: "p" },
      dpus: 1,
    },
  },
  dpu: {
    ...documentationOf(documentations, "dpu").example,
    spec: {
      ...Object(documentationOf(documentations, "dpu").example).spec,
      host: { id: "h1" },
      ports: [{ name: "pf0hpf", host_mac: "52:54:00:12:34:56" }],
    },
  },
} satisfies Partial<Record<Kind, Example>>;

/** The example of a kind, in the project that there is if it can be in one. */
function exampleHere(kind: Kind): Example | undefined {
  const { example } = documentationOf(documentations, kind);
  if (!example || !definitionOf(kinds, kind).inProjects) return example;
  return { ...example, metadata: { ...Object(example.metadata), project: "p" } };
}

/** Of what was made real before. */
const later: readonly Kind[] = ["external_ip_attachment", "baremetal_instance"];

/** What each kind is made of here; those of `catalogApi` are there already. */
export const bodies: Readonly<Partial<Record<Kind, Body>>> = {
  ...own,
  ...Object.fromEntries(
    kindNames.flatMap((kind) => {
      const isMade = kind in own || kind in inCatalog || later.includes(kind);
      const example = isMade ? undefined : exampleHere(kind);
      return example ? [[kind, example]] : [];
    }),
  ),
  cluster: order("one", {}, { project: "p" }),
  external_ip_attachment: {
    metadata: { name: "front", project: "p" },
    spec: {
      external_ip: "front",
      cluster: "one",
      target_endpoint: "EXTERNAL_IP_ATTACHMENT_ENDPOINT_API",
    },
  },
  baremetal_instance: {
    metadata: { name: "db-1", project: "p" },
    spec: {
      catalog_item: "server",
      ssh_public_key: sshKey("ann"),
      network_attachments: [{ subnet: "web" }],
    },
  },
  nat_gateway: {
    metadata: { name: "way-out", project: "p" },
    spec: { virtual_network: "shop", external_ip: "out" },
  },
};
interface Body extends Example {
  metadata?: { name?: string; project?: string };
}

/** Where one of a kind is made, and who makes it: the tenant's administrator, if tenants may. */
export const maker = (kind: Kind): { who: "amy" | "admin"; path: string } =>
  rolesFor("public", kind, "create").includes("tenant-admin")
    ? { who: "amy", path: `${v1}/${pluralOf(kind)}` }
    : { who: "admin", path: `${priv}/${pluralOf(kind)}` };

/** Has what others are made of be there for them, of which nothing here runs the saga or has a fabric. */
export async function makeReal(deps: Api["deps"], kind: Kind, id: string): Promise<void> {
  const site = { id: "site-1", parts: {} };
  if (kind === "virtual_network")
    await changeObject(deps, kind, id, (network) => ({ ...network, made: true }));
  if (kind === "subnet")
    await changeObject(deps, kind, id, (subnet) => ({ ...subnet, made: true, site }));
  if (kind === "external_ip")
    await changeObject(deps, kind, id, (ip) => ({ ...ip, site: site.id }));
  if (kind === "cluster")
    await changeObject(deps, kind, id, (each) => ({ ...each, published: true, site }));
}

/** The hardware of the host types that they need. */
const typesNeeded: Partial<Record<Kind, { cpus?: number; memory_gib?: number; dpus?: number }>> = {
  host: { dpus: 1 },
  baremetal_instance: { cpus: 64, memory_gib: 128 },
};

/**
 * What others of a kind need first: a host and a server host types, a NAT gateway an address that nothing else has, and its network at the site.
 */
export async function makeNeeded(api: Api, kind: Kind): Promise<void> {
  const hardware = typesNeeded[kind];
  if (hardware) {
    const type = { metadata: hardware.dpus ? { name: "with-dpu" } : { name: "metal" }, hardware };
    const { status, text } = await api.ask("admin", "POST", `${priv}/host_types`, type);
    expect(status, text).toBe(200);
    if (kind === "baremetal_instance")
      await addFleet(api.deps, { [type.metadata.name]: 10 }, "site-1");
  }
  if (kind !== "nat_gateway") return;
  const { path } = maker("external_ip");
  const body = { metadata: { name: "out", project: "p" }, spec: { pool: "outside" } };
  const answer = await api.ask("amy", "POST", path, body);
  expect(answer.status, answer.text).toBe(200);
  await makeReal(api.deps, "external_ip", answer.body.id);
  const { items } = (await api.ask("amy", "GET", `${v1}/virtual_networks`)).body;
  const shop = items.find(({ metadata }: Body) => metadata?.name === "shop");
  const site = { id: "site-1", parts: {} };
  await changeObject(api.deps, "virtual_network", shop.id, (network) => ({ ...network, site }));
}

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
    const { who, path } = maker(kind);
    const answer = await api.ask(who, "POST", path, body);
    expect(answer.status, answer.text).toBe(200);
    ids[kind] = answer.body.id;
  };
  for (const [kind, body] of Object.entries(bodies)) {
    await makeNeeded(api, kind as Kind);
    await add(kind as Kind, body);
    await makeReal(deps, kind as Kind, ids[kind as Kind] ?? "");
    if (kind !== "project_membership") continue;
    const spec = { role: "PROJECT_MEMBERSHIP_ROLE_VIEWER", users: ["vic"] };
    await add("project_membership", { metadata: { name: "vic", project: "p" }, spec });
  }
  const cluster = await changeObject(
    deps,
    "cluster",
    ids.cluster ?? "",
    ({ site: _, ...each }) => ({
      ...each,
      published: false,
      placement: {
        hub: asHubId("hub-1"),
        at: each.event.time,
        reason: "",
        rejected: [],
        hosts: {},
      },
    }),
  );
  await addCounts(deps, "hub-1", { small: 10, large: 10 });
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
