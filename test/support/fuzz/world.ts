import type { Clock } from "../../../core/clock.ts";
import { publish } from "../../../core/kernel/events/publish.ts";
import type { Json, JsonObject } from "../../../core/kernel/input/shape.ts";
import type { Kind } from "../../../core/kernel/object/object.ts";
import { mustLoad } from "../../../core/kernel/object/records.ts";
import { documentationOf } from "../../../core/kernel/request/documentation.ts";
import type { Area, Verb } from "../../../core/kernel/request/permissions.ts";
import type { SqliteStore } from "../../../core/kernel/store/sqlite/sqlite.ts";
import type { Write } from "../../../core/kernel/store/store.ts";
import { documentations } from "../../../core/resources/generated/documentations.ts";
import { rolesFor, type Subject } from "../../../functions/api/permissions.ts";
import { exampleOfAction } from "../actions.ts";
import { type Api, catalogApi, inCatalog, type Person, people } from "../api.ts";
import { testDeps } from "../deps.ts";
import { bodies, type Ids, oneOfEach } from "../one-of-each.ts";
import type { Operation } from "./document.ts";
import type { Facts } from "./requests.ts";
import type { Known } from "./values.ts";

/** A world to fuzz: one of each kind, put back as it was after each request. */
export interface FuzzWorld extends Api {
  facts(operation: Operation): Promise<Facts>;
  restore(): Promise<void>;
}

/** Who waits has waited: watches answer at once. */
function hastyClock(): Clock {
  let now = Date.UTC(2026, 0, 1);
  return {
    now: () => now,
    after(ms, fn) {
      now += ms;
      setImmediate(fn);
      return { cancel: () => {} };
    },
  };
}

export async function fuzzWorld(): Promise<FuzzWorld> {
  const api = await catalogApi(testDeps({ wall: hastyClock() }));
  const { deps } = api;
  const ids = await oneOfEach(api);
  await publish(deps, await mustLoad(deps, "host_type", "small"));
  const secrets = [...deps.secretValues];
  let end = endOf(deps.store);
  return {
    ...api,
    facts: (operation) => factsFor(api, ids, operation),
    async restore() {
      end = await undo(deps.store, end);
      deps.secretValues.clear();
      for (const [reference, value] of secrets) deps.secretValues.set(reference, value);
    },
  };
}

const endOf = (store: SqliteStore, since?: string): string =>
  store.stream(since, 1e6).at(-1)?.sequence ?? since ?? "0";

/** Takes back what was written since, newest first; answers where the stream is then. */
async function undo(store: SqliteStore, since: string): Promise<string> {
  for (const { key, before } of store.stream(since, 1e6).reverse()) {
    const write: Write = before ? { put: before } : { delete: key };
    await store.transact([write]);
  }
  return endOf(store, since);
}

async function factsFor(api: Api, ids: Ids, operation: Operation): Promise<Facts> {
  const [area, subject, verb] = operation.id.split(".") as [Area, Subject, Verb];
  const allowed: readonly string[] = rolesFor(area, subject, verb);
  const everybody = Object.keys(people) as Person[];
  const able = everybody.filter((name) =>
    people[name].roles.some((role) => allowed.includes(role)),
  );
  const first = able.find((name) => people[name].tenant === "tenant-a") ?? able[0];
  return {
    people: [...(first ? [first] : []), ...everybody, "nobody"],
    ids: [ids[subject as Kind] ?? "hub-1", ...Object.values(ids), "missing"],
    known: knownOf(ids),
    body: bodyFor(area, subject, verb),
    tokens: await tokensFor(api, operation, first),
  };
}

/** Members that are names or ids of something. */
const knownOf = ({ cluster, cluster_catalog_item }: Ids): Known => ({
  template: ["ocp_small", { name: "ocp-small" }],
  host_type: ["small", { id: "large" }, "huge"],
  version: ["4-17-0", "4-12-0", 0, 1],
  catalog_item: [{ id: String(cluster_catalog_item) }],
  hub: ["hub-1", "hub-2"],
  site: ["site-1", "site-2"],
  tenant: ["tenant-a", "tenant-b", "shared"],
  project: ["p", ""],
  name: ["one", "two", "ocp-small"],
  id: [String(cluster), "new"],
  parent: ["p"],
  template_parameters: [{ owner: "me", vlan: 7 }, { owner: "me" }],
  node_sets: [{ workers: { host_type: "small", size: 3 } }, { gpu: { size: 0 } }],
  creator: ["ann", null],
});

/** What another one must not have in common with the one that is there. */
const differences: Partial<Record<Subject, Json>> = {
  cluster_version: { spec: { version: "4.18.0", image: "quay.io/ocp:4.18.0", is_default: false } },
  quota: { metadata: { tenant: "tenant-b" } },
  host: {
    spec: {
      bmc: { address: "redfish://10.0.0.2/1" },
      nics: [{ name: "eth0", mac: "52:54:00:00:00:02", switch: "leaf-1", port: "2" }],
    },
  },
};

/** A body that is accepted: of a new object, or with what an object has already. */
function bodyFor(area: Area, subject: Subject, verb: Verb): Json {
  if (verb === "report") return { heartbeat: true, news: [] };
  if (verb !== "create" && verb !== "update") return exampleOfAction(subject, verb) ?? {};
  const all = new Map<string, object>(Object.entries({ ...inCatalog, ...bodies }));
  const { id: _, ...body } = all.get(subject) as JsonObject;
  if (verb === "update") return { ...body, metadata: { labels: { a: "b" } } };
  const { belongsToTenants } = documentationOf(documentations, subject as Kind);
  const { metadata, spec, ...rest } = { ...body, ...Object(differences[subject]) };
  return {
    ...rest,
    ...(spec === undefined ? {} : { spec: { ...Object(body.spec), ...spec } }),
    metadata: {
      ...(area === "private" && belongsToTenants ? { tenant: "tenant-a" } : {}),
      ...metadata,
      name: "new",
    },
  };
}

async function tokensFor(api: Api, { id, path }: Operation, person: Person | undefined) {
  if (!/\.(list|history)$/.test(id) || !person) return [];
  const tokens: string[] = [];
  for (const query of ["limit=1", "limit=1&order=metadata.name"]) {
    const { body } = await api.ask(person, "GET", `${path}?${query}`);
    if (body.next_page_token !== undefined) tokens.push(body.next_page_token);
  }
  return tokens;
}
