import type { DatabaseSync } from "node:sqlite";
import { type Clock, seconds, systemClock, type Timer } from "../../core/clock.ts";
import { parseTagText } from "../../core/ports/owner.ts";
import type { Faults } from "../faults.ts";
import { faulty } from "../faulty.ts";
import type { FetchHandler } from "../kubernetes/api.ts";
import type { LedgerItem } from "../ledger.ts";
import { powerDnsApi, refuse } from "./powerdns-api.ts";
import type { PowerDnsVersion } from "./powerdns-version.ts";
import { type RRset, type Zone, Zones } from "./zones.ts";

export interface PowerDnsOptions {
  /** From `openDatabase`; the caller of the constructor closes the database. */
  database: DatabaseSync;
  /** The simulated clock. */
  clock: Clock;
  /** The real clock, for connections. */
  wall?: Clock;
  random?: () => number;
  faults: Pick<Faults, "take">;
  version?: PowerDnsVersion;
}

/** The time until the secondaries have a change of the primary's database, after a NOTIFY. */
const propagation = seconds(2);

/** A simulated PowerDNS: its HTTP API and its servers' answers. Durable. */
export class SimulatedPowerDns {
  /** The key that the API expects as X-API-Key. */
  readonly key: string;
  readonly zones: Zones;
  readonly #handler: FetchHandler;
  readonly #clock: Clock;
  readonly #listeners = new Set<() => void>();
  /** The timers, by the instant for which each is set. */
  readonly #timers = new Map<number, Timer>();

  constructor(options: PowerDnsOptions) {
    const { database, clock, wall = systemClock, random = Math.random, faults } = options;
    const { version = "5.1" } = options;
    this.key = keyIn(database, random);
    this.#clock = clock;
    const onChange = () => this.#tellLater();
    this.zones = new Zones({ database, clock, system: "powerdns", propagation, onChange });
    this.#handler = faulty(powerDnsApi({ zones: this.zones, key: this.key, clock, version }), {
      take: (operation) => faults.take("dns", operation),
      clock,
      wall,
      refuse,
    });
  }

  /** Answers a request to the API; the URL's host is ignored. */
  readonly handle: FetchHandler = (request) => this.#handler(request);

  /** Creates a zone, unless it exists. Its name has no dot at the end. */
  addZone(name: string): void {
    const id = `${name}.`;
    if (!this.zones.get(id)) this.zones.add({ id, name: id, serial: 1 });
  }

  /** The current answer of the zone's servers: addresses or texts, or none. */
  resolve(name: string, type: string): string[] {
    return this.zones.resolve(name, type);
  }

  /** Calls `listener` whenever the servers' answers may have changed; the returned function unsubscribes. */
  watch(listener: () => void): () => void {
    this.#listeners.add(listener);
    // Changes may have been written shortly before the database was opened.
    this.#tellLater();
    return () => this.#listeners.delete(listener);
  }

  /** Ends the timers. */
  stop(): void {
    this.#listeners.clear();
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
  }

  /** Every record, except those that a zone always has. */
  ledger(): LedgerItem[] {
    return this.zones.list().flatMap((zone) => this.zones.sets(zone).flatMap(recordItems(zone)));
  }

  /** Notifies the listeners when a change that is written now has propagated. */
  #tellLater(): void {
    const at = this.#clock.now() + propagation;
    if (this.#listeners.size === 0 || this.#timers.has(at)) return;
    const tell = () => {
      this.#timers.delete(at);
      for (const listener of this.#listeners) listener();
    };
    this.#timers.set(at, this.#clock.after(propagation, tell));
  }
}

const recordItems =
  (zone: Zone) =>
  ({ name, type, records, comments }: RRset): LedgerItem[] => {
    if (name === zone.name) return [];
    const ownershipTag = comments
      .filter(({ account }) => account === "slipway")
      .map(({ content }) => parseTagText(content))
      .find((found) => found !== undefined);
    const owner = ownershipTag ?? null;
    return records.map(({ content }) => ({
      kind: "dns_record",
      id: `${name} ${type} ${content}`,
      system: "dns",
      owner,
    }));
  };

function keyIn(database: DatabaseSync, random: () => number): string {
  database.exec("CREATE TABLE IF NOT EXISTS powerdns (key TEXT NOT NULL) STRICT");
  const row = database.prepare("SELECT key FROM powerdns").get();
  if (row) return String(row.key);
  const digit = () => Math.floor(random() * 16).toString(16);
  const key = Array.from({ length: 32 }, digit).join("");
  database.prepare("INSERT INTO powerdns VALUES (?)").run(key);
  return key;
}
