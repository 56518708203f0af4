import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import type { Site } from "../at-site/site.ts";
import { hours } from "../clock.ts";
import { AppError, logged } from "../error.ts";
import { changeObject } from "../kernel/events/rewrite.ts";
import {
  inventoryReadingKey,
  inventoryServerKey,
  inventoryServersPartition,
} from "../kernel/object/hub-keys.ts";
import { sharedTenant } from "../kernel/object/metadata.ts";
import { load } from "../kernel/object/records.ts";
import { resolve } from "../kernel/request/resolve.ts";
import type { StepDeps } from "../kernel/saga/context.ts";
import { isWritten } from "../kernel/store/optimistically.ts";
import { everyItem } from "../kernel/store/pages.ts";
import { absent, eq, exists, type Item } from "../kernel/store/store.ts";
import type {
  InventoryCursor,
  InventoryPage,
  InventoryServer,
} from "../ports/inventory/inventory.ts";
import type { InventoryRules } from "../resources/host/from-inventory.ts";
import { bringHost, type Importing, type ImportLine, leaveHost } from "./import-host.ts";

/**
 * The interval of full readings, besides the changes: an operator's decision may become unnecessary without a change of
 * the inventory.
 */
const allEvery = hours(24);

/** The most lines that a site's status shows. */
const shown = 50;

/**
 * Imports the inventory of a site into the records of hosts: all of it at first, then its changes. The progress is
 * recorded after each page, so that the import continues after a crash. Answers a line for each server that was read,
 * and logs it; lines that require operator action stay in the site's status until they are resolved. Does nothing for a
 * site without an inventory. Throws the errors of the inventory.
 */
export async function importHosts(deps: StepDeps, id: string): Promise<ImportLine[]> {
  const { site, inventory } = await deps.sites.systems(id);
  if (!inventory) return [];
  const importing = { deps, site, rules: await rulesOf(deps, site) };
  const lines: ImportLine[] = [];
  try {
    let reading = await readingOf(importing);
    for await (const page of inventory.read(reading.cursor)) {
      lines.push(...(await bringPage(importing, page, reading)));
      const next = await moved(importing, reading, page);
      // A concurrent import of this site has taken over.
      if (!next) break;
      reading = next;
    }
  } finally {
    for (const line of lines) deps.log.info({ site: id, ...line }, "a server of the inventory");
    if (lines.length > 0) await noteStanding(importing);
  }
  return lines;
}

/** `importHosts` for a sweep: an unavailable inventory is read again in the next sweep. */
export async function importGuarded(deps: StepDeps, id: string): Promise<void> {
  try {
    if (await load(deps, "site", id)) await importHosts(deps, id);
  } catch (thrown) {
    deps.log.warn({ site: id, ...logged(thrown) }, "import from the inventory failed");
  }
}

async function rulesOf(deps: StepDeps, { id, spec }: Site): Promise<InventoryRules> {
  const { inventory } = spec;
  const hub = inventory && (await resolve(deps, "hub", sharedTenant, inventory.hub));
  if (!hub) throw new AppError("Invalid", `the inventory of site ${id} names no hub that there is`);
  return { hub: hub.id, host_types: inventory.host_types, bmc: inventory.bmc };
}

const readingSchema = z.object({
  /** Counts pages, so that one of two concurrent imports stops. */
  turn: z.int(),
  /** The site's settings of its inventory; with other settings, it is read from the beginning. */
  source: z.string(),
  cursor: z.string(),
  /** When the last full reading began, in milliseconds. */
  all_at: z.int(),
  /** The servers of the full reading so far. */
  seen: z.array(z.string()),
});
type Reading = Omit<z.infer<typeof readingSchema>, "cursor"> & { cursor?: InventoryCursor };

async function readingOf({ deps, site }: Importing): Promise<Reading> {
  const source = JSON.stringify(site.spec.inventory);
  const item = await deps.store.get(inventoryReadingKey(site.id));
  const begun = { source, seen: [], all_at: deps.clock.now() };
  if (!item) return { ...begun, turn: 0 };
  const { turn, cursor, seen, all_at, source: before } = readingSchema.parse(item);
  const isOld = seen.length === 0 && deps.clock.now() >= all_at + allEvery;
  if (before !== source || isOld) return { ...begun, turn };
  return { turn, source, seen, all_at, cursor: cursor as InventoryCursor };
}

/** Records that a page was read; undefined when a concurrent import has written meanwhile. */
async function moved(
  { deps, site }: Importing,
  { turn, source, seen, all_at }: Reading,
  { cursor, isLast, isOfAll, servers }: InventoryPage,
): Promise<Reading | undefined> {
  const all = isLast || !isOfAll ? [] : [...seen, ...servers.map(({ id }) => id)];
  const next = { turn: turn + 1, source, cursor, seen: all, all_at };
  const put = { ...inventoryReadingKey(site.id), ...next };
  const same = turn === 0 ? absent : eq("turn", turn);
  return (await isWritten(deps.store, [{ put, if: same }])) ? next : undefined;
}

async function bringPage(
  importing: Importing,
  { servers, gone, isOfAll, isLast }: InventoryPage,
  { seen }: Reading,
): Promise<ImportLine[]> {
  const lines: ImportLine[] = [];
  for (const server of servers) lines.push(await bringServer(importing, server));
  const there = new Set([...seen, ...servers.map(({ id }) => id)]);
  const isGone = ({ server }: Known) =>
    isOfAll && isLast ? !there.has(server) : gone.includes(server);
  const known = gone.length > 0 || (isOfAll && isLast) ? await knownServers(importing) : [];
  for (const each of known.filter(isGone)) lines.push(...(await leaveServer(importing, each)));
  return lines;
}

const knownSchema = z.object({
  server: z.string(),
  host: z.string().optional(),
  name: z.string(),
  outcome: z.string(),
  message: z.string().optional(),
  turn: z.int(),
});
/** The recorded result of an earlier import of a server. */
type Known = z.infer<typeof knownSchema>;

async function bringServer(importing: Importing, server: InventoryServer): Promise<ImportLine> {
  const { deps, site } = importing;
  const item = await deps.store.get(inventoryServerKey(site.id, server.id));
  const known = item && knownSchema.parse(item);
  const before = known?.host === undefined ? undefined : await load(deps, "host", known.host);
  const { line, host } = await bringHost(importing, server, before);
  await noteServer(importing, known, line, host?.id);
  return line;
}

async function leaveServer(importing: Importing, known: Known): Promise<ImportLine[]> {
  const { deps, site } = importing;
  const host = known.host === undefined ? undefined : await load(deps, "host", known.host);
  if (host) {
    const line = await leaveHost(importing, known.server, host);
    await noteServer(importing, known, line, host.id);
    return [line];
  }
  const key = inventoryServerKey(site.id, known.server);
  await isWritten(deps.store, [{ delete: key, if: exists }]);
  return [];
}

/** A refused write is ignored: another import has overtaken this one. */
async function noteServer(
  { deps, site }: Importing,
  known: Known | undefined,
  { server, name, outcome, message }: ImportLine,
  host: string | undefined,
): Promise<void> {
  const turn = (known?.turn ?? 0) + 1;
  const isForPeople = forPeople.has(outcome);
  const note = {
    ...{ server, name, outcome: isForPeople ? outcome : "host" },
    ...(isForPeople && message !== undefined && { message }),
    ...(host !== undefined && { host }),
  };
  const { turn: _, ...before } = known ?? { turn: 0 };
  if (isDeepStrictEqual(before, note)) return;
  const put: Item = { ...inventoryServerKey(site.id, server), ...note, turn };
  await isWritten(deps.store, [{ put, if: known ? eq("turn", known.turn) : absent }]);
}

async function knownServers({ deps, site }: Importing): Promise<Known[]> {
  const items = await everyItem(deps.store, { pk: inventoryServersPartition(site.id) });
  return items.map((item) => knownSchema.parse(item));
}

const forPeople: ReadonlySet<string> = new Set(["unusable", "drift", "refused"]);

/** Writes the servers that require operator action into the site's status. */
async function noteStanding(importing: Importing): Promise<void> {
  const { deps, site } = importing;
  const known = await knownServers(importing);
  const standing = known.filter(({ outcome }) => forPeople.has(outcome));
  const inventory = {
    servers: known.length,
    attention: standing.length,
    items: standing.slice(0, shown).map(({ server, name, outcome, message = "" }) => ({
      ...{ server, name, outcome, message },
    })),
  };
  await changeObject(deps, "site", site.id, (now) =>
    isDeepStrictEqual(now.status.inventory, inventory)
      ? undefined
      : { ...now, status: { ...now.status, inventory } },
  );
}
