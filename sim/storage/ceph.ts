import type { DatabaseSync } from "node:sqlite";
import { type Clock, hours, systemClock } from "../../core/clock.ts";
import { idSource } from "../../core/id.ts";
import { parseCephName } from "../../core/ports/storage/ceph/name.ts";
import type { Faults } from "../faults.ts";
import { faulty } from "../faulty.ts";
import type { FetchHandler } from "../kubernetes/api.ts";
import type { LedgerItem, Owner } from "../ledger.ts";
import { cephApi } from "./api.ts";
import { refuse } from "./error.ts";
import { CephRecords } from "./records.ts";

export interface CephOptions {
  /** From `openDatabase`; the caller closes it. */
  database: DatabaseSync;
  /** The simulated clock. */
  clock: Clock;
  /** The real clock, for tokens and connections. */
  wall?: Clock;
  random?: () => number;
  faults: Pick<Faults, "take">;
}

const tokenLife = hours(8);

/** A simulated Ceph cluster with its manager's REST API. Durable. */
export class SimulatedCeph {
  readonly username = "admin";
  readonly password: string;
  /** The role of our user at the manager. */
  role: "administrator" | "read-only" = "administrator";
  readonly fsid: string;
  readonly monitors = ["192.168.77.11", "192.168.77.12", "192.168.77.13"];
  readonly records: CephRecords;
  readonly #wall: Clock;
  readonly #random: () => number;
  readonly #handler: FetchHandler;

  constructor(options: CephOptions) {
    const { database, clock, wall = systemClock, random = Math.random, faults } = options;
    this.#wall = wall;
    this.#random = random;
    this.records = new CephRecords(database);
    const { fsid, password } = this.records.settings(() => ({
      fsid: idSource(clock, random)(),
      password: this.#secret(12).toString("base64url"),
    }));
    this.fsid = fsid;
    this.password = password;
    if (!this.records.user("client.admin")) {
      const all = "allow *";
      const caps = { mds: all, mgr: all, mon: all, osd: all };
      this.records.putUser({ entity: "client.admin", caps, key: this.newKey() });
    }
    const take = (operation: string) => faults.take("storage", operation);
    this.#handler = faulty(cephApi(this), { take, clock, wall, refuse });
  }

  /** Answers a request; the URL's host is ignored. */
  readonly handle: FetchHandler = (request) => this.#handler(request);

  /** Creates an RBD pool unless it exists. */
  addPool(name: string): void {
    this.records.addPool(name);
  }

  newToken(): string {
    const token = this.#secret(24).toString("base64url");
    this.records.addToken(token, this.#wall.now() + tokenLife);
    return token;
  }

  isValid(token: string): boolean {
    return (this.records.tokenEnd(token) ?? 0) > this.#wall.now();
  }

  /** Creates a CephX key: its type, its creation time, its length, and the secret. */
  newKey(): string {
    const head = Buffer.alloc(12);
    head.writeUInt16LE(1, 0);
    head.writeUInt32LE(Math.floor(this.#wall.now() / 1000), 2);
    head.writeUInt16LE(16, 10);
    return Buffer.concat([head, this.#secret(16)]).toString("base64");
  }

  /** Namespaces, images, and users other than the administrator. */
  ledger(): LedgerItem[] {
    const item = (kind: string, id: string, name: string): LedgerItem => ({
      kind,
      id,
      system: "storage",
      owner: ownerOf(name),
    });
    return [
      ...this.records
        .namespaces()
        .map(({ pool, name }) => item("rbd_namespace", `${pool}/${name}`, name)),
      ...this.records
        .images()
        .map(({ pool, namespace, name }) =>
          item("rbd_image", `${pool}/${namespace}/${name}`, namespace),
        ),
      ...this.records
        .users()
        .filter(({ entity }) => entity !== "client.admin")
        .map(({ entity }) => item("ceph_user", entity, entity.replace(/^client\./, ""))),
    ];
  }

  #secret(bytes: number): Buffer {
    return Buffer.from(Array.from({ length: bytes }, () => Math.floor(this.#random() * 256)));
  }
}

const ownerOf = (name: string): Owner | null => parseCephName(name) ?? null;
