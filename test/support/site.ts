import type { DatabaseSync } from "node:sqlite";
import { onTestFinished } from "vitest";
import { siteDirectory } from "../../core/at-site/directory.ts";
import type { SiteNetwork } from "../../core/at-site/site.ts";
import { targetPartition } from "../../core/kernel/object/keys.ts";
import { objectIn } from "../../core/kernel/object/records.ts";
import type { Operation } from "../../core/kernel/saga/operation.ts";
import type { Sagas } from "../../core/kernel/saga/settle.ts";
import { openSqliteStore, SqliteStore } from "../../core/kernel/store/sqlite/sqlite.ts";
import { guestDirectory } from "../../core/ports/guest/directory.ts";
import { kinds } from "../../core/resources/generated/kinds.ts";
import { serverDirectory } from "../../core/resources/host/directory.ts";
import { hubDirectory } from "../../core/resources/hub/directory.ts";
import { createApp } from "../../functions/api/app.ts";
import { principalOf } from "../../functions/identity/principal.ts";
import { siteController } from "../../functions/site-controller/app.ts";
import { depsOf, heldHubs, heldSecrets, heldStore } from "../../local/as-deployed.ts";
import { withFaults, withFaultyPhases } from "../../local/faults.ts";
import { seedCatalog } from "../../local/seed.ts";
import { openDatabase } from "../../sim/database.ts";
import type { World } from "../../sim/world.ts";
import type { WorldOptions } from "../../sim/world-options.ts";
import { sagas } from "../../statemachines/index.ts";
import { type Laptop, type LaptopOptions, openLaptop, type Stop } from "./laptop.ts";
import { memorySecrets } from "./memory-secrets.ts";
import { type Outside, sent } from "./outside.ts";
import { seeded } from "./random.ts";
import { copied, databaseFiles, heldNow, readDatabases, type SavedSite } from "./saved-site.ts";
import { testWorld } from "./sim-world.ts";
import { reportFrom } from "./site-reports.ts";

/** All of local mode in virtual time and in process: the API, the sagas, the simulated hubs. */
export interface Site {
  laptop: Laptop;
  world: World;
  /** What the secret store holds, by reference. */
  secrets: Map<string, string>;
  /** What was asked of systems outside and changes something there: `METHOD path`, in order. */
  calls: string[];
  /** Asks the public API as a user of tenant-a, unless told otherwise. */
  api(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  admin(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Asks the public API as a user of tenant-b. */
  neighbour(method: string, path: string, body?: unknown): Promise<Answer>;
  /** The API as clients reach it. The token of a request is believed: its payload has the claims. */
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** Orders a cluster and answers its id. */
  order(name: string, spec?: object): Promise<string>;
  cluster(id: string): Promise<Wire>;
  /** Runs until the last operation on the cluster has ended, and answers that. */
  settled(id: string): Promise<Wire>;
  /** What exists outside and belongs to an order. */
  owned(): string[];
  /** Ends Slipway and its agents; the world goes on. */
  stop(): Promise<void>;
  /** The site as it is at this moment, for others to go on from as after a crash. Only of one that is a copy. */
  saved(): SavedSite;
}

export interface Answer {
  status: number;
  headers: Headers;
  body: Wire;
}

// biome-ignore lint/suspicious/noExplicitAny: answers of the API, as a client without types sees them
export type Wire = any;

export interface SiteOptions {
  /** Whether the hubs' agents report; without them only the sweeps see what happens. */
  reports?: boolean;
  /** Whether what happens on the hubs is reported at the moment. */
  hasNews?: () => boolean;
  /** Other sagas than the product's: the same with something broken in them. */
  sagas?: Sagas;
  /** Of the world and of its site's pools, where they are not as usual. */
  world?: Partial<WorldOptions>;
  network?: Partial<SiteNetwork>;
  /** The file of the state machines' executions; in memory unless told. */
  workflows?: string;
  /** A site that was stopped: this one goes on in its world, with its secrets. */
  after?: Site;
  /** A site that was put aside: this one goes on from a copy of it. */
  from?: SavedSite;
  /** Stands between Slipway and the systems outside. */
  outside?: Outside;
  /** Stands between machines and the site controller. */
  machines?: Outside;
  /** Stands around every invocation of the worker. */
  invoke?: (step: string, work: () => Promise<unknown>) => Promise<unknown>;
  store?: SqliteStore;
  /** Whether the site has a DHCP server beside its fabric. */
  dhcp?: boolean;
  /** What the secret store holds; nothing, or what that of the site before held, unless told. */
  secrets?: Map<string, string>;
  /** Milliseconds between sweeps of the due index, where they are not as on a laptop. */
  dueEvery?: number;
  logTime?: LaptopOptions["logTime"];
  /** What takes deliveries of webhooks; nothing does unless told. */
  webhooks?: LaptopOptions["webhooks"];
  /** Whether hubs and sites are swept in their turn. */
  sweeps?: boolean;
  /** What is to be stopped at the end of the test; whoever has no test keeps it and calls it. */
  atEnd?: (stop: Stop) => void;
}

/** Opens a site whose catalogue is there. */
export async function openSite(options: SiteOptions = {}): Promise<Site> {
  const { reports = true } = options;
  const isItsOwn = itsOwn.some((option) => options[option] !== undefined);
  return openAt(isItsOwn ? options : { ...options, from: await seededSite(reports) });
}

/** With one of these a site is not as others are at first, or its databases are not its own. */
const itsOwn = [
  "world",
  "network",
  "workflows",
  "after",
  "from",
  "store",
  "secrets",
  "dhcp",
] as const;

/** Sites with their catalogue and nothing else, by whether their hubs report: made once a process. */
const seededSites = new Map<boolean, Promise<SavedSite>>();

function seededSite(reports: boolean): Promise<SavedSite> {
  const making =
    seededSites.get(reports) ?? saveSite(async () => {}, { reports }).then(({ saved }) => saved);
  seededSites.set(reports, making);
  return making;
}

/** A site that was put aside, and what is to be known of it. */
export interface Made<T> {
  saved: SavedSite;
  brought: T;
}

/** Opens a site, has it brought to where others are to start, and puts it aside. */
export async function saveSite<T>(
  bring: (site: Site) => Promise<T>,
  options: Pick<SiteOptions, "reports"> = {},
): Promise<Made<T>> {
  const stops: Stop[] = [];
  const atEnd = (stop: Stop) => void stops.unshift(stop);
  const files = databaseFiles(atEnd);
  try {
    const secrets = new Map<string, string>();
    const store = openSqliteStore(files.store);
    atEnd(() => store.close());
    const world = { database: openDatabase(files.world) };
    const { workflows } = files;
    const site = await openAt({ ...options, world, store, workflows, secrets, atEnd });
    const brought = await bring(site);
    // A database is whole in its file when it is closed. The folder goes last.
    while (stops.length > 1) await stops.shift()?.();
    const databases = readDatabases(files);
    return { saved: { at: site.laptop.clock.now(), secrets, databases }, brought };
  } finally {
    for (const stop of stops) await stop();
  }
}

async function openAt(options: SiteOptions): Promise<Site> {
  const { atEnd = onTestFinished, hasNews, after, from } = options;
  const copy = from && { ...copied(from), at: from.at };
  const { world, clock } = after
    ? { world: after.world, clock: after.laptop.clock }
    : await openedWorld(options.world, copy, atEnd);
  const calls: string[] = [];
  const fetch: typeof world.fetch = (input, init) => {
    const request = new Request(input, init);
    const { method, url } = request;
    if (method !== "GET") calls.push(`${method} ${decodeURIComponent(new URL(url).pathname)}`);
    return options.outside
      ? sent(request, options.outside, (url, init) => world.fetch(url, init))
      : world.fetch(input, init);
  };
  const store = options.store ?? (copy ? new SqliteStore(copy.store) : openSqliteStore(":memory:"));
  const stored = options.secrets ?? after?.secrets ?? new Map(from?.secrets);
  const secrets = heldSecrets(memorySecrets(stored));
  const held = heldStore(store);
  const hubs = heldHubs(hubDirectory({ store: held, kinds, secrets, clock, wall: clock, fetch }));
  const sites = siteDirectory({
    kinds,
    store: held,
    secrets,
    wall: clock,
    fetch,
    authority: world.site.askAuthority,
  });
  const servers = serverDirectory({ store: held, kinds, secrets, sites, hubs, wall: clock, fetch });
  const guests = guestDirectory({ hubs, wall: clock, fetch });
  const faulty = withFaults(world.faults, clock);
  const table = options.sagas ?? sagas;
  const laptop = openLaptop({
    sagas: options.invoke ? table : withFaultyPhases(table, faulty),
    hubs,
    sites,
    servers,
    guests,
    clock,
    store,
    held,
    secrets,
    workflows: options.workflows ?? copy?.workflows ?? ":memory:",
    // Not the numbers again that made what is there.
    random: seeded(from?.at ?? 1),
    invoke: options.invoke ?? faulty,
    atEnd,
    ...(options.logTime ? { logTime: options.logTime } : {}),
    ...(options.webhooks ? { webhooks: options.webhooks } : {}),
    ...(options.dueEvery === undefined ? {} : { dueEvery: options.dueEvery }),
    ...(options.sweeps === undefined ? {} : { sweeps: options.sweeps }),
  });
  const app = createApp(depsOf("api", laptop.deps), {
    profile: "slipway",
    principal: ({ env }: { env: { claims?: Record<string, unknown> } }) =>
      env.claims && principalOf(env.claims),
  });
  const machines = siteController(depsOf("site-controller", laptop.deps));
  world.network.siteController = async (request) => {
    const send = async () => machines.fetch(request);
    return options.machines ? options.machines(request, send) : send();
  };
  if (!after && !from)
    await seedCatalog({
      app,
      secrets,
      world,
      ...(options.network && { network: options.network }),
      ...(options.dhcp && { dhcp: options.dhcp }),
    });
  const agents: (() => void)[] = [];
  if (options.reports !== false)
    for (const hub of world.hubs())
      agents.push(await reportFrom(hub, laptop, { atEnd, ...(hasNews && { hasNews }) }));
  await laptop.pass(1000);

  const ask = async (
    claims: Record<string, unknown>,
    base: string,
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer> => {
    const init = {
      method,
      ...(headers ? { headers } : {}),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
    const response = await app.request(`${base}/${path}`, init, { claims });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parsed(text) };
  };
  const user = { sub: "alice", organization: ["tenant-a"], roles: ["tenant-admin"] };
  const api: Site["api"] = (method, path, body, headers) =>
    ask(user, "/api/fulfillment/v1", method, path, body, headers);
  const cluster = async (id: string) => (await api("GET", `clusters/${id}`)).body;
  /** Whatever was last asked of a cluster; an archived one has it still. */
  const lastOperation = async (id: string): Promise<Operation | undefined> => {
    const { items } = await store.query({
      index: "g3",
      pk: targetPartition(id),
      reverse: true,
      limit: 1,
    });
    return items[0] && objectIn<"operation">(kinds, items[0]);
  };
  return {
    laptop,
    world,
    secrets: stored,
    calls,
    api,
    cluster,
    fetch: async (url, init) => {
      const [, payload = ""] = new Headers(init.headers).get("authorization")?.split(".") ?? [];
      const claims = parsed(Buffer.from(payload, "base64url").toString());
      return app.request(url, init, { claims: claims || undefined });
    },
    admin: (method, path, body) =>
      ask({ sub: "root", roles: ["provider-admin"] }, "/api/private/v1", method, path, body),
    neighbour: (method, path, body) =>
      ask(
        { sub: "bob", organization: ["tenant-b"], roles: ["tenant-admin"] },
        "/api/fulfillment/v1",
        method,
        path,
        body,
      ),
    async order(name, spec = {}) {
      const order = { metadata: { name }, spec: { template: { id: "ocp_4_17_small" }, ...spec } };
      const { status, body } = await api("POST", "clusters", order);
      if (status !== 200) throw new Error(`the order was refused: ${JSON.stringify(body)}`);
      return body.id;
    },
    async settled(id) {
      let last: Operation | undefined;
      await laptop.until(async () => {
        last = await lastOperation(id);
        return /SUCCEEDED|FAILED|CANCELLED|STUCK/.test(last?.status.state ?? "");
      }, `the end of the operation on ${id}`);
      await laptop.pass(2000);
      return (await api("GET", `operations/${last?.id}`)).body;
    },
    async stop() {
      for (const stop of agents) stop();
      await laptop.stop();
    },
    saved() {
      if (!copy) throw new Error("only a site that is a copy can be put aside as it is");
      return { at: clock.now(), secrets: new Map(stored), databases: heldNow(copy) };
    },
    owned: () =>
      world.ledger().flatMap((item) => (item.owner === null ? [] : [`${item.kind} ${item.id}`])),
  };
}

async function openedWorld(
  options: SiteOptions["world"],
  from: { at: number; world: DatabaseSync } | undefined,
  atEnd: (stop: Stop) => void,
) {
  const { world, clock, database } = await testWorld(
    from ? { ...options, database: from.world } : options,
    from?.at,
  );
  atEnd(async () => {
    await world.stop();
    database.close();
  });
  return { world, clock };
}

function parsed(text: string): Wire {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
