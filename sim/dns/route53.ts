import type { DatabaseSync } from "node:sqlite";
import { type Clock, seconds, systemClock } from "../../core/clock.ts";
import { parseTagText } from "../../core/ports/owner.ts";
import type { Faults } from "../faults.ts";
import { faulty } from "../faulty.ts";
import type { FetchHandler } from "../kubernetes/api.ts";
import type { LedgerItem, Owner } from "../ledger.ts";
import { refuse, route53Api } from "./route53-api.ts";
import { TokenBucket } from "./token-bucket.ts";
import { type RRset, Zones } from "./zones.ts";

export interface Route53Options {
  /** From `openDatabase`; the caller closes it. */
  database: DatabaseSync;
  /** The simulated clock. */
  clock: Clock;
  /** The real clock, for connections. */
  wall?: Clock;
  random?: () => number;
  faults: Pick<Faults, "take">;
  /** The access key of requests; signatures are not checked. */
  accessKey: string;
}

/** The time until an accepted change is INSYNC and served. */
const propagation = seconds(30);
/** The limits of an account: requests per second, and at once. */
const requests = { rate: 10, burst: 50 };

/** An accepted change, whose age determines its status. */
export interface AcceptedChange {
  id: string;
  submittedAt: number;
}

/** A simulated Route 53 with the servers behind it. Durable, except for the count of recent requests. */
export class SimulatedRoute53 {
  readonly zones: Zones;
  readonly #database: DatabaseSync;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #handler: FetchHandler;

  constructor(options: Route53Options) {
    const { database, clock, wall = systemClock, random = Math.random, faults } = options;
    database.exec(
      "CREATE TABLE IF NOT EXISTS route53_changes (id TEXT PRIMARY KEY, at REAL NOT NULL) STRICT",
    );
    this.zones = new Zones({ database, clock, system: "route53", propagation });
    this.#database = database;
    this.#clock = clock;
    this.#random = random;
    const bucket = new TokenBucket(clock, requests);
    const api = route53Api({ service: this, bucket, accessKey: options.accessKey });
    const take = (operation: string) => faults.take("dns", operation);
    this.#handler = faulty(api, { take, clock, wall, refuse });
  }

  /** Answers a request; the URL's host is ignored. */
  readonly handle: FetchHandler = (request) => this.#handler(request);

  /** Creates a hosted zone unless it exists, and returns its id. Its name has no dot at the end. */
  addZone(name: string): string {
    const known = this.zones.list().find((zone) => zone.name === `${name}.`);
    if (known) return known.id;
    const id = this.#newId("Z");
    const zone = { id, name: `${name}.`, serial: 1 };
    this.zones.atomically(() => {
      this.zones.add(zone);
      const own = (type: string, ttl: number, content: string) =>
        this.zones.put(zone, {
          name: zone.name,
          type,
          ttl,
          records: [{ content, disabled: false }],
          comments: [],
        });
      own("NS", 172_800, "ns-1.awsdns-00.com.");
      own("SOA", 900, "ns-1.awsdns-00.com. awsdns-hostmaster.amazon.com. 1 7200 900 1209600 86400");
    });
    return id;
  }

  /** Stores a change as accepted now. */
  accept(): AcceptedChange {
    const change = { id: this.#newId("C"), submittedAt: this.#clock.now() };
    this.#database
      .prepare("INSERT INTO route53_changes VALUES (?, ?)")
      .run(change.id, change.submittedAt);
    return change;
  }

  change(id: string): AcceptedChange | undefined {
    const row = this.#database.prepare("SELECT at FROM route53_changes WHERE id = ?").get(id);
    return row && { id, submittedAt: Number(row.at) };
  }

  isInSync({ submittedAt }: AcceptedChange): boolean {
    return this.#clock.now() >= submittedAt + propagation;
  }

  /** The current answer of the servers: addresses or texts, or none. */
  resolve(name: string, type: string): string[] {
    return this.zones.resolve(name, type);
  }

  /** Every record, except those that a zone always has. */
  ledger(): LedgerItem[] {
    return this.zones.list().flatMap((zone) => {
      const sets = this.zones.sets(zone).filter(({ name }) => name !== zone.name);
      const owners = marks(sets);
      return sets.flatMap(({ name, type, records }) =>
        records.map(({ content }) => ({
          kind: "dns_record",
          id: `${name} ${type} ${content}`,
          system: "dns",
          owner: ownerOf(name, owners),
        })),
      );
    });
  }

  #newId(letter: string): string {
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    const pick = () => alphabet.charAt(Math.floor(this.#random() * alphabet.length));
    return `${letter}${Array.from({ length: 20 }, pick).join("")}`;
  }
}

const ownershipTagPrefix = "_slipway.";
/** The prefixes of an order's record names before its domain. */
const prefixes = ["api.", "api-int.", "*.apps.", ownershipTagPrefix];

/** The orders whose ownership tag is in the zone, by domain. */
function marks(sets: RRset[]): Map<string, Owner> {
  return new Map(
    sets.flatMap(({ name, type, records }) => {
      if (type !== "TXT" || !name.startsWith(ownershipTagPrefix)) return [];
      const owner = parseTagText((records[0]?.content ?? "").replace(/^"|"$/g, ""));
      return !owner ? [] : [[name.slice(ownershipTagPrefix.length), owner]];
    }),
  );
}

function ownerOf(name: string, owners: Map<string, Owner>): Owner | null {
  const prefix = prefixes.find((one) => name.startsWith(one)) ?? "";
  return owners.get(name.slice(prefix.length)) ?? null;
}
