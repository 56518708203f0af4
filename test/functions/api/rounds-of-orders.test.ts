import { beforeEach, describe, expect, it } from "vitest";
import { AppError } from "../../../core/error.ts";
import { changeObject } from "../../../core/kernel/events/rewrite.ts";
import { controllersClaimedKey } from "../../../core/kernel/object/keys.ts";
import type { Kind } from "../../../core/kernel/object/object.ts";
import type { Principal } from "../../../functions/identity/principal.ts";
import {
  type Api,
  catalogApi,
  inCatalog,
  order,
  people,
  priv,
  pullSecret,
  v1,
} from "../../support/api.ts";
import { type Asking, askInRounds, readTwice } from "../../support/asked-in-rounds.ts";
import { addCounts, addFleet } from "../../support/fleet.ts";
import { bodies, makeNeeded, makeReal, maker, oneOfEach } from "../../support/one-of-each.ts";
import { poolAt, siteWithFabric } from "../../support/outside-pools.ts";

/** How often an order waits for what it asks outside, on each way that orders come. */

let api: Api;
const clusters = `${v1}/clusters`;

beforeEach(async () => {
  api = await catalogApi();
  await made(api.ask("ann", "POST", clusters, order("first")));
});

async function made(asked: ReturnType<Api["ask"]>) {
  const { status, text, body } = await asked;
  expect(status, text).toBe(200);
  return body;
}

interface Way extends Asking {
  path?: string;
  /** How many rounds it takes: five, unless there is a reason. */
  rounds?: number;
}

const offer = (id: string) => ({
  id,
  metadata: { name: "small" },
  title: "Small",
  template: { name: "ocp-small" },
  published: true,
  field_definitions: [
    { path: "template_parameters.owner", editable: true },
    { path: "pull_secret_secret", editable: true },
    { path: "version", default: { name: "4-17-0" } },
  ],
});
const byOffer = (catalog_item: unknown) => ({
  metadata: { name: "second" },
  spec: { catalog_item, template_parameters: { owner: "me" } },
});
const secret = {
  metadata: { name: "s" },
  data: { ".dockerconfigjson": Buffer.from(pullSecret("x")).toString("base64") },
};

const add = {
  offer: (id: string) => made(api.ask("admin", "POST", `${priv}/cluster_catalog_items`, offer(id))),
  secret: () => made(api.ask("ann", "POST", `${v1}/secrets`, secret)),
  template: (more: object) => {
    const body = { id: "own", metadata: { name: "own" }, title: "Own", ...more };
    return made(api.ask("admin", "POST", `${priv}/cluster_templates`, body));
  },
  async binding(): Promise<void> {
    await made(api.ask("admin", "POST", `${priv}/roles`, { metadata: { name: "tenant-user" } }));
    const spec = { role: "tenant-user", users: ["zoe"], groups: ["devs"] };
    await made(api.ask("amy", "POST", `${v1}/role_bindings`, { metadata: { name: "b" }, spec }));
  },
  async membership(): Promise<void> {
    await made(api.ask("amy", "POST", `${v1}/projects`, { metadata: { name: "p" } }));
    const metadata = { name: "mia", project: "p" };
    const spec = { role: "PROJECT_MEMBERSHIP_ROLE_MANAGER", users: ["mia"] };
    await made(api.ask("amy", "POST", `${v1}/project_memberships`, { metadata, spec }));
  },
  async pool(): Promise<void> {
    await poolAt(api, await siteWithFabric(api, "hall"), "outside", "203.0.113.64/30");
  },
  /** As a new tenant gets them: their prefixes are of their class and their network. */
  async defaultNetworks(): Promise<void> {
    await networkClass(await siteWithFabric(api, "hall"));
    await addFleet(api.deps, { small: 10, large: 10 }, "hall");
    const metadata = { name: "default" };
    const site = { id: "hall", parts: {} };
    const { id } = await made(
      api.ask("ann", "POST", `${v1}/virtual_networks`, { metadata, spec: {} }),
    );
    await changeObject(api.deps, "virtual_network", id, (each) => ({ ...each, made: true, site }));
    const spec = { virtual_network: "default" };
    const subnet = await made(api.ask("ann", "POST", `${v1}/subnets`, { metadata, spec }));
    await changeObject(api.deps, "subnet", subnet.id, (each) => ({ ...each, made: true, site }));
  },
  portal: () => {
    const spec = { service_accounts: [{ user: "portal", role: "tenant-user" }] };
    return made(api.ask("admin", "PATCH", `${priv}/tenants/tenant-a`, { spec }));
  },
};

/** The default class, with prefixes for networks that name none. */
const networkClass = (site: string) =>
  made(
    api.ask("admin", "POST", `${priv}/network_classes`, {
      metadata: { name: "tenants" },
      ...{ implementation_strategy: "fabric", is_default: true },
      spec: {
        ...{ site, subnet_lengths: { ipv4: 26 } },
        prefix_pools: { ipv4: { cidrs: ["10.20.0.0/16"], length: 24 } },
      },
    }),
  );

const ways: Record<string, () => Promise<Way>> = {
  "by a template": async () => ({ body: order("second") }),
  "with a pull secret of its own": async () => ({
    body: order("second", { pull_secret: pullSecret("p") }),
  }),
  "with a host type that it chooses by name": async () => ({
    body: order("second", { node_sets: { gpu: { host_type: { name: "large" }, size: 3 } } }),
  }),
  "by a template that says which version": async () => {
    const node_sets = { workers: { host_type: "small", size: 2 } };
    await add.template({ node_sets, spec_defaults: { version: { name: "4-17-0" } } });
    return { body: { metadata: { name: "second" }, spec: { template: "own" } }, rounds: 4 };
  },
  "by an offer's id": async () => {
    await add.offer("small-offer");
    return { body: byOffer({ id: "small-offer" }) };
  },
  "by an offer's name that is its id": async () => {
    await add.offer("small");
    return { body: byOffer({ name: "small" }) };
  },
  // Its name says the offer and its template, the template the host types.
  "by an offer's name that is not its id": async () => {
    await add.offer("small-offer");
    return { body: byOffer({ name: "small" }) };
  },
  "that names a secret": async () => {
    await add.secret();
    return { body: order("second", { pull_secret_secret: { name: "s" } }) };
  },
  "that names a secret by its id": async () => {
    const { id } = await add.secret();
    return { body: order("second", { pull_secret_secret: { id } }) };
  },
  "that names a secret of a project": async () => {
    await add.membership();
    const metadata = { name: "s", project: "p" };
    await made(api.ask("amy", "POST", `${v1}/secrets`, { ...secret, metadata }));
    const spec = { pull_secret_secret: "s" };
    return { who: people.mia, body: order("second", spec, { project: "p" }) };
  },
  "of the provider for a tenant": async () => ({
    who: people.admin,
    path: `${priv}/clusters`,
    body: order("second", {}, { tenant: "tenant-a" }),
  }),
  "of the provider for a tenant, with an id": async () => ({
    who: people.admin,
    path: `${priv}/clusters`,
    body: { id: "chosen", ...order("second", {}, { tenant: "tenant-a" }) },
  }),
  "of a portal for a tenant": async () => {
    await add.portal();
    return {
      who: people.portal,
      headers: { "Slipway-On-Behalf-Of": "tenant-a", "Idempotency-Key": "k" },
      body: order("second"),
    };
  },
  "of a portal for somebody": async () => {
    await add.portal();
    const headers = { "Slipway-On-Behalf-Of": "tenant-a", "Slipway-On-Behalf-Of-User": "ann" };
    return { who: people.portal, headers, body: order("second") };
  },
  "of somebody who is bound to a role": async () => {
    await add.binding();
    const who = { user: "zoe", tenant: "tenant-a", roles: [] };
    return { who, headers: { "Idempotency-Key": "k" }, body: order("second") };
  },
  "of a member of a group that is bound to a role": async () => {
    await add.binding();
    const who = { user: "zed", tenant: "tenant-a", roles: [], groups: ["devs"] };
    return { who, body: order("second") };
  },
  "of a member of a project": async () => {
    await add.membership();
    return { who: people.mia, body: order("second", {}, { project: "p" }) };
  },
  "with external IPs that come with it": async () => {
    await add.pool();
    return { body: order("second", { auto_external_ip_attachment: true }) };
  },
  "with external IPs of one of four pools": async () => {
    const hall = await siteWithFabric(api, "hall");
    for (const n of [0, 1, 2, 3])
      await poolAt(api, hall, `outside-${n}`, `203.0.113.${64 + n * 4}/30`);
    return { body: order("second", { auto_external_ip_attachment: true }) };
  },
  "by an offer's name, with a secret's name": async () => {
    await add.offer("small-offer");
    await add.secret();
    const { metadata, spec } = byOffer({ name: "small" });
    return { body: { metadata, spec: { ...spec, pull_secret_secret: { name: "s" } } } };
  },
  "in its tenant's default subnet": async () => {
    await add.defaultNetworks();
    return { body: order("second", { network_attachment: { subnet: "default" } }) };
  },
  // The tenant's record is made with it, after a look at what the former tenant of its name has left.
  "that is the first of its tenant": async () => ({ who: people.bob, body: order("second") }),
};

describe("an order waits five times, the write included,", () => {
  it.each(Object.entries(ways))("%s", async (_, way) => {
    const { path = clusters, rounds: most = 5, ...asking } = await way();
    const { status, text, rounds } = await askInRounds(api, "POST", path, asking);
    expect(status, text).toBe(200);
    expect(rounds.length, rounds.map((round) => round.join(" | ")).join("\n")).toBe(most);
    expect(rounds.at(-1)).toEqual([expect.stringMatching(/^transact /)]);
  });

  it.each([
    ["by the template's name", {}, {}, 5],
    // The hosts that there are of each hub are read once the hubs are known.
    ["by ids, which need no names,", { template: "ocp_small", version: { id: "4-17-0" } }, {}, 4],
    [
      "in a project, with node sets of its own",
      { node_sets: { gpu: { host_type: { name: "large" }, size: 3 } } },
      { project: "shop" },
      5,
    ],
  ])("%s, reads nothing twice, and waits twice to be repeated", async (_, spec, metadata, most) => {
    await made(api.ask("amy", "POST", `${v1}/projects`, { metadata: { name: "shop" } }));
    const asking = { headers: { "Idempotency-Key": "k" }, body: order("second", spec, metadata) };
    const { status, body: cluster, rounds } = await askInRounds(api, "POST", clusters, asking);
    expect(status).toBe(200);
    expect(rounds).toHaveLength(most);
    expect(readTwice(rounds)).toEqual([]);
    const again = await askInRounds(api, "POST", clusters, asking);
    expect(again.body.id).toBe(cluster.id);
    expect(again.rounds).toHaveLength(2);
  });

  it("no more often to be refused than to be accepted", async () => {
    const body = order("wrong", { template: { name: "none" } });
    const { status, rounds } = await askInRounds(api, "POST", clusters, { body });
    expect(status).toBe(400);
    expect(rounds.length).toBeLessThanOrEqual(5);
  });
});

it("waits no more than five times to make one of any other kind", async () => {
  // The first host in a deployment's life waits for the claims of former ones.
  await api.deps.store.transact([{ put: { ...controllersClaimedKey } }]);
  for (const [kind, body] of Object.entries(bodies)) {
    const { who: name, path } = maker(kind as Kind);
    const who = people[name];
    const metadata = { ...body.metadata, name: `${body.metadata?.name}-2` };
    // Others name just these.
    const isOne = [
      ...["role", "hub", "host", "external_ip_pool", "external_ip", "cluster"],
      ...["bare_metal_instance_type", "baremetal_instance_template"],
      ...["baremetal_instance_catalog_item", "subnet"],
    ].includes(kind);
    const asked = isOne ? body : { ...body, metadata };
    await makeNeeded(api, kind as Kind);
    const {
      status,
      text,
      rounds,
      body: answer,
    } = await askInRounds(api, "POST", path, {
      ...{ who, body: asked },
    });
    expect(status, text).toBe(200);
    expect(rounds.length, `${kind} ${JSON.stringify(rounds, undefined, 1)}`).toBeLessThanOrEqual(5);
    expect(rounds.at(-1)).toEqual([expect.stringMatching(/^transact /)]);
    // What others of these are in.
    if (kind === "project") await made(api.ask("amy", "POST", path, body));
    const { id } =
      kind === "virtual_network" ? await made(api.ask("amy", "POST", path, body)) : answer;
    await makeReal(api.deps, kind as Kind, id);
  }
});

it("waits no more often for a server's external IP, of one of two pools", async () => {
  api = await catalogApi();
  await oneOfEach(api);
  const hall = await siteWithFabric(api, "hall");
  const ofServer = { id: "site-1", name: "site-1" };
  for (const name of ["one", "other"]) {
    const cidr = name === "one" ? "203.0.113.64/30" : "203.0.113.128/30";
    const id = await poolAt(api, hall, name, cidr);
    await changeObject(api.deps, "external_ip_pool", id, (pool) => ({
      ...pool,
      spec: { ...pool.spec, site: ofServer },
    }));
  }
  const { spec, metadata } = bodies.baremetal_instance ?? {};
  const body = {
    metadata: { ...metadata, name: "db-2" },
    spec: { ...Object(spec), auto_external_ip_attachment: true },
  };
  const asking = { who: people.amy, body };
  const path = `${v1}/baremetal_instances`;
  const { status, text, rounds } = await askInRounds(api, "POST", path, asking);
  expect(status, text).toBe(200);
  expect(rounds, JSON.stringify(rounds, undefined, 1)).toHaveLength(5);
});

it("waits no more often for a network of the default class, with prefixes of its pool", async () => {
  await networkClass(await siteWithFabric(api, "hall"));
  const body = { metadata: { name: "n" }, spec: {} };
  const asked = await askInRounds(api, "POST", `${v1}/virtual_networks`, { body });
  expect(asked.status, asked.text).toBe(200);
  expect(asked.rounds, JSON.stringify(asked.rounds, undefined, 1)).toHaveLength(5);
});

it("waits no more often for a server of a type that several host types serve", async () => {
  api = await catalogApi();
  await oneOfEach(api);
  const type = { metadata: { name: "metal-2" }, hardware: { cpus: 64, memory_gib: 128 } };
  await made(api.ask("admin", "POST", `${priv}/host_types`, type));
  await addCounts(api.deps, "fleet-at-site-1", { "metal-2": 20 });
  const { spec, metadata } = bodies.baremetal_instance ?? {};
  const body = { metadata: { ...metadata, name: "db-2" }, spec: Object(spec) };
  const path = `${v1}/baremetal_instances`;
  const { status, text, rounds } = await askInRounds(api, "POST", path, { who: people.amy, body });
  expect(status, text).toBe(200);
  expect(rounds, JSON.stringify(rounds, undefined, 1)).toHaveLength(5);
});

// Their clusters are of their own tenant, and what they make for all tenants is of none.
it.each([
  ["clusters", order("second"), "tenant-a"],
  [
    "cluster_templates",
    { ...inCatalog.cluster_template, id: "own", metadata: { name: "own" } },
    "shared",
  ],
])("waits no more often for %s of staff who belong to a tenant", async (kind, body, tenant) => {
  const who: Principal = { user: "sam", tenant: "tenant-a", roles: ["provider-admin"] };
  const asked = await askInRounds(api, "POST", `${priv}/${kind}`, { who, body });
  expect(asked.status, asked.text).toBe(200);
  expect(asked.body.metadata.tenant).toBe(tenant);
  expect(asked.rounds.length).toBeLessThanOrEqual(5);
  expect(readTwice(asked.rounds)).toEqual([]);
});

describe("the pull secret that an order brings", () => {
  const pull_secret = pullSecret("p");
  const large = { gpu: { host_type: { name: "small" }, size: 1 } };

  it("is stored while the host types are read, and before the order", async () => {
    const body = order("second", { pull_secret });
    const { rounds } = await askInRounds(api, "POST", clusters, { body });
    expect(rounds[3]).toEqual([
      expect.stringMatching(/^put secret /),
      expect.stringMatching(/^getMany .*host_type#small/),
    ]);
  });

  it("is not stored when something else is wrong by then", async () => {
    const body = order("second", { pull_secret, version: "9-9-9" });
    const { status, rounds } = await askInRounds(api, "POST", clusters, { body });
    expect(status).toBe(400);
    expect(rounds.flat().filter((call) => call.includes("secret "))).toEqual([]);
  });

  it.each([
    ["its host type is refused", order("second", { pull_secret, node_sets: large }), 400],
    ["its name is taken", order("first", { pull_secret }), 409],
  ])("goes again when %s while it is being stored", async (_, body, refused) => {
    const { put } = api.deps.secrets;
    const puts: Promise<void>[] = [];
    // Later than everything else.
    const late: typeof put = (reference, value) => {
      const waited = new Promise((resolve) => setTimeout(resolve, 20));
      const done = waited.then(() => put(reference, value));
      puts.push(done);
      return done;
    };
    const deps = { ...api.deps, secrets: { ...api.deps.secrets, put: late } };
    const { status } = await askInRounds({ ...api, deps }, "POST", clusters, { body });
    expect(status).toBe(refused);
    expect(puts).toHaveLength(1);
    await Promise.all(puts);
    expect([...api.deps.secretValues]).toEqual([]);
  });

  it("is missing, and so is the order, when it cannot be stored", async () => {
    const put = () =>
      Promise.reject(new AppError("Unavailable", "the secret store is unreachable"));
    const deps = { ...api.deps, secrets: { ...api.deps.secrets, put } };
    const before = api.dump();
    const body = order("second", { pull_secret });
    const { status } = await askInRounds({ ...api, deps }, "POST", clusters, { body });
    expect(status).toBe(503);
    expect(api.dump()).toBe(before);
  });
});
