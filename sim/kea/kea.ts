import type { DatabaseSync } from "node:sqlite";
import ipaddr from "ipaddr.js";
import { type Clock, systemClock } from "../../core/clock.ts";
import { parseTagText } from "../../core/ports/owner.ts";
import type { Faults } from "../faults.ts";
import { faulty } from "../faulty.ts";
import type { FetchHandler } from "../kubernetes/api.ts";
import type { LedgerItem, Owner } from "../ledger.ts";
import { keaApi } from "./api.ts";
import {
  type Config,
  type Lease,
  lifetime,
  type Reservation,
  type Subnet,
  usual,
} from "./config.ts";

export interface KeaOptions {
  /** From `openDatabase`; the caller closes it. */
  database: DatabaseSync;
  /** The simulated clock. */
  clock: Clock;
  /** The real clock, for connections. */
  wall?: Clock;
  faults: Pick<Faults, "take">;
  /** The loaded hook libraries; all by default. */
  hooks?: readonly string[];
}

/** DHCP's answer to a NIC. */
export interface KeaLease {
  address: string;
  gateway: string | undefined;
  dnsServers: string[];
}

/**
 * A simulated Kea 3.0: its DHCPv4 server with an HTTP socket. Commands change the configuration in memory; only
 * `config-write` writes it to the file, which a restart reads. Leases are written to their own file at once. The files,
 * and the memory of a process that was not asked to restart, are in the database.
 */
export class SimulatedKea {
  readonly username = "slipway";
  readonly password = "kea-and-leases";
  /** The hook libraries that are loaded. */
  readonly hooks: Set<string>;
  readonly #clock: Clock;
  readonly #handler: FetchHandler;
  readonly #get;
  readonly #put;
  readonly #listeners = new Set<() => void>();

  constructor({ database, clock, wall = systemClock, faults, hooks = usual.hooks }: KeaOptions) {
    database.exec(
      "CREATE TABLE IF NOT EXISTS kea (name TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT, WITHOUT ROWID",
    );
    this.#get = database.prepare("SELECT body FROM kea WHERE name = ?");
    this.#put = database.prepare("INSERT OR REPLACE INTO kea VALUES (?, ?)");
    this.hooks = new Set(hooks);
    this.#clock = clock;
    const handler = faulty(keaApi(this), {
      take: (operation) => faults.take("dhcp", operation),
      clock,
      wall,
      refuse,
    });
    this.#handler = async (request) => handler(await withCommand(request));
  }

  /** Answers a request; the URL's host and path are ignored. A fault names a command as a path: `POST /subnet4-add`. */
  readonly handle: FetchHandler = (request) => this.#handler(request);

  get config(): Config {
    return this.#read("memory") ?? this.#read("file") ?? usual.config;
  }

  /** Changes the configuration in memory. */
  change(config: Config): void {
    this.#store("memory", config);
    for (const listener of this.#listeners) listener();
  }

  /** Writes the configuration to the file. */
  write(): void {
    this.#store("file", this.config);
  }

  /** Restarts the process, which reads the file. */
  restart(): void {
    this.change(this.#read<Config>("file") ?? usual.config);
  }

  /** The leases that have not expired. */
  leases(): Lease[] {
    const now = this.#clock.now();
    return (this.#read<Lease[]>("leases") ?? []).filter(({ expires }) => expires > now);
  }

  setLeases(leases: Lease[]): void {
    this.#store("leases", leases);
  }

  /** The answer to a NIC that asks from a network with this prefix; undefined when there is none. */
  leaseOf(mac: string, prefix: string): KeaLease | undefined {
    const subnet = this.config.subnets.find((one) => one.subnet === prefix);
    if (!subnet) return undefined;
    const address = this.#addressFor(mac.toLowerCase(), subnet);
    if (address === undefined) return undefined;
    const option = (name: string) =>
      subnet["option-data"].find((one) => one.name === name)?.data?.split(/,\s*/) ?? [];
    return { address, gateway: option("routers")[0], dnsServers: option("domain-name-servers") };
  }

  /** Calls `listener` whenever DHCP's answers may have changed; the returned function unsubscribes. */
  watch(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  stop(): void {
    this.#listeners.clear();
  }

  /** Every subnet, reservation and lease. Leases have no owner. */
  ledger(): LedgerItem[] {
    const { subnets, reservations } = this.config;
    return [
      ...subnets.map((subnet) => ({
        kind: "subnet",
        id: subnet.subnet,
        system: "dhcp",
        owner: ownerIn(subnet),
      })),
      ...reservations.map((host) => ({
        kind: "reservation",
        id: `${host["hw-address"]} ${host["subnet-id"]}`,
        system: "dhcp",
        owner: ownerIn(host),
      })),
    ];
  }

  /** A NIC's reserved address, else its previous one, else the first free one. */
  #addressFor(mac: string, { id, pools }: Subnet): string | undefined {
    const leases = this.leases();
    const { reservations } = this.config;
    const here = reservations.filter((host) => host["subnet-id"] === id);
    const holder = (address: string) => leases.find((lease) => lease["ip-address"] === address);
    const isFree = (address: string) => (holder(address)?.["hw-address"] ?? mac) === mac;
    const reserved = here.find((host) => host["hw-address"] === mac)?.["ip-address"];
    const candidates =
      reserved !== undefined && isFree(reserved)
        ? [reserved]
        : [
            ...leases
              .filter((lease) => lease["hw-address"] === mac)
              .map((one) => one["ip-address"]),
            ...pools.flatMap(({ pool }) => addressesIn(pool)),
          ].filter(
            (address) =>
              isIn(pools, address) && !here.some((each) => each["ip-address"] === address),
          );
    const address = candidates.find(isFree);
    if (address === undefined) return undefined;
    const known = holder(address);
    const expires = this.#clock.now() + lifetime;
    // Clients renew at half of the lifetime, so a lease in use is not written at each read.
    if (!known || known.expires < expires - lifetime / 2) {
      const others = leases.filter((lease) => lease["hw-address"] !== mac && lease !== known);
      this.setLeases([
        ...others,
        { "ip-address": address, "hw-address": mac, "subnet-id": id, expires },
      ]);
    }
    return address;
  }

  #read<T>(name: "memory" | "file" | "leases"): T | undefined {
    const row = this.#get.get(name);
    // Safe: only `#store` writes these rows.
    return row && (JSON.parse(String(row.body)) as T);
  }

  #store(name: "memory" | "file" | "leases", value: object): void {
    this.#put.run(name, JSON.stringify(value));
  }
}

/** A refusal before any command is read. */
export const refuse = (status: number): Response =>
  Response.json({ result: status, text: "injected fault" }, { status });

/** The request with its command as the path, which faults name. */
async function withCommand(request: Request): Promise<Request> {
  const text = await request.text();
  let command = "";
  try {
    command = String(JSON.parse(text).command);
  } catch {
    // The API refuses an invalid body.
  }
  const { method, headers, signal } = request;
  return new Request(new URL(`/${command}`, request.url), {
    method,
    headers,
    signal,
    ...(method === "GET" ? {} : { body: text }),
  });
}

function ownerIn({ "user-context": context }: Subnet | Reservation): Owner | null {
  const text = context?.["slipway.dev/owner"];
  return (typeof text === "string" && parseTagText(text)) || null;
}

function boundsOf(pool: string): [number, number] {
  const [first = "", last = first] = pool.split("-").map((text) => text.trim());
  return [numberOf(first), numberOf(last)];
}

const isIn = (pools: Subnet["pools"], address: string): boolean =>
  pools.some(({ pool }) => {
    const [first, last] = boundsOf(pool);
    return first <= numberOf(address) && numberOf(address) <= last;
  });

function addressesIn(pool: string): string[] {
  const [first, last] = boundsOf(pool);
  return Array.from({ length: last - first + 1 }, (_, n) => addressOf(first + n));
}

const numberOf = (address: string): number =>
  ipaddr.IPv4.parse(address)
    .toByteArray()
    .reduce((sum, byte) => sum * 256 + byte, 0);

const addressOf = (number: number): string =>
  [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join(".");
