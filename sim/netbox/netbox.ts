import type { DatabaseSync } from "node:sqlite";
import { type Clock, systemClock } from "../../core/clock.ts";
import type { Faults } from "../faults.ts";
import { faulty } from "../faulty.ts";
import type { FetchHandler } from "../kubernetes/api.ts";
import type { LedgerItem, Owner } from "../ledger.ts";
import { netboxApi } from "./api.ts";
import { detail, refuse } from "./error.ts";
import { NetboxRecords } from "./records.ts";
import type { WriteRules } from "./writes.ts";

export interface NetboxOptions {
  /** From `openDatabase`; the caller closes it. */
  database: DatabaseSync;
  /** The simulated clock. */
  clock: Clock;
  /** The real clock, for connections. */
  wall?: Clock;
  faults: Pick<Faults, "take">;
  /** 4.5, 4.6 (with ETags) or 4.7 (with other error messages). */
  version?: 4.5 | 4.6 | 4.7;
  /** Whether prefixes and addresses must be unique; true by default. */
  isUnique?: boolean;
}

type Held = { custom_fields: Record<string, unknown> };

/** The owner in a holder such as `cluster/<id>`. NetBox stores no tenant of Slipway. */
function ownerIn(holder: unknown): Owner | null {
  if (typeof holder !== "string" || holder === "") return null;
  const [kind = "", id = ""] = holder.split("/");
  return { tenant: "", kind, id };
}

/** A simulated NetBox behind its REST API. Durable. */
export class SimulatedNetbox {
  /** A token of each version; version 2 has its key before the dot. */
  readonly tokens = {
    v1: "0123456789abcdef0123456789abcdef01234567",
    v2: "nbt_Q9mTz4pLw1Xc.0aTz8Bq3nYv5Gk2Jd7Lm1Rs6Wx4Pc9Ef0Uh8Io",
    readOnly: "89abcdef0123456789abcdef0123456789abcdef",
  };
  readonly records: NetboxRecords;
  readonly version: number;
  readonly #isUnique: boolean;
  readonly #handler: FetchHandler;

  constructor(options: NetboxOptions) {
    const { database, clock, wall = systemClock, faults } = options;
    this.version = options.version ?? 4.6;
    this.#isUnique = options.isUnique ?? true;
    this.records = new NetboxRecords(database, clock);
    const app = netboxApi(this);
    const take = (operation: string) => faults.take("inventory", operation);
    this.#handler = faulty(async (request) => app.fetch(request), { take, clock, wall, refuse });
  }

  /** Answers a request to the API; the URL's host is ignored. */
  readonly handle: FetchHandler = (request) => this.#handler(request);

  /** The numbers that are held, or rest; resting ones have no owner. */
  ledger(): LedgerItem[] {
    const item = (kind: string, id: string, { custom_fields: fields }: Held): LedgerItem[] => {
      if (!fields.slipway_pool) return [];
      return [{ kind, id, system: "netbox", owner: ownerIn(fields.slipway_holder) }];
    };
    return [
      ...this.records
        .list("ipam.vlan")
        .flatMap((row) => item("netbox_vlan", `${row.group ?? ""}/${row.vid}`, row)),
      ...this.records.list("ipam.prefix").flatMap((row) => item("netbox_prefix", row.prefix, row)),
      ...this.records
        .list("ipam.ipaddress")
        .flatMap((row) => item("netbox_address", row.address, row)),
    ];
  }

  get hasETags(): boolean {
    return this.version >= 4.6;
  }

  get rules(): WriteRules {
    return { records: this.records, version: this.version, isUnique: this.#isUnique };
  }

  /** Throws a refusal unless the token permits the request. The keyword must match the token's version. */
  letIn(authorization: string | undefined, method: string): void {
    const [keyword, token = ""] = authorization?.split(" ") ?? [];
    if (keyword !== "Token" && keyword !== "Bearer")
      throw detail(403, "Authentication credentials were not provided.");
    const version = token.startsWith("nbt_") ? "v2" : "v1";
    if (
      (version === "v2") !== (keyword === "Bearer") ||
      !Object.values(this.tokens).includes(token)
    )
      throw detail(403, `Invalid ${version} token`);
    if (token === this.tokens.readOnly && method !== "GET")
      throw detail(403, "You do not have permission to perform this action.");
  }
}
