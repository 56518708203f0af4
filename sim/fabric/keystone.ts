import type { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import type { Clock } from "../../core/clock.ts";
import { rolesOf } from "./policy.ts";
import { project } from "./state.ts";

const region = "RegionOne";

interface KeystoneOptions {
  database: DatabaseSync;
  /** Real time, by which tokens expire. */
  wall: Clock;
  random: () => number;
  /** The lifetime of a token in milliseconds. */
  tokenLife: number;
  /** The roles that the credential was given. */
  roles: readonly string[];
}

const bodySchema = z.object({
  auth: z.object({
    identity: z.object({
      methods: z.tuple([z.literal("application_credential")]),
      application_credential: z.object({ id: z.string(), secret: z.string() }),
    }),
  }),
});

/** Keystone v3 with one application credential and its tokens. */
export class SimulatedKeystone {
  readonly credential: { id: string; secret: string };
  readonly #options: KeystoneOptions;
  readonly #insert;
  readonly #select;

  constructor(options: KeystoneOptions) {
    const { database } = options;
    database.exec(`
      CREATE TABLE IF NOT EXISTS fabric_credential (id TEXT PRIMARY KEY, secret TEXT NOT NULL) STRICT;
      CREATE TABLE IF NOT EXISTS fabric_tokens (token TEXT PRIMARY KEY, until REAL NOT NULL) STRICT;
    `);
    this.#options = options;
    this.#insert = database.prepare("INSERT INTO fabric_tokens VALUES (?, ?)");
    this.#select = database.prepare("SELECT until FROM fabric_tokens WHERE token = ?");
    const known = database.prepare("SELECT id, secret FROM fabric_credential").get();
    this.credential = known
      ? { id: String(known.id), secret: String(known.secret) }
      : { id: this.#hex(32), secret: this.#hex(64) };
    const { id, secret } = this.credential;
    if (!known) database.prepare("INSERT INTO fabric_credential VALUES (?, ?)").run(id, secret);
  }

  isValid(token: string | null): boolean {
    const until = this.#select.get(token)?.until;
    return until !== undefined && Number(until) > this.#options.wall.now();
  }

  /** Ends every token, like a revocation. */
  revokeTokens(): void {
    this.#options.database.exec("DELETE FROM fabric_tokens");
  }

  /** `POST /v3/auth/tokens`; the URLs of the catalog have the request's origin. */
  issue(body: unknown, origin: string): Response {
    const given = bodySchema.safeParse(body).data?.auth.identity.application_credential;
    const { id, secret } = this.credential;
    if (given && given.id !== id) return unknown(given.id);
    if (given?.secret !== secret) return unauthorized(origin);
    const token = `gAAAAA${this.#hex(80)}`;
    const now = this.#options.wall.now();
    const until = now + this.#options.tokenLife;
    this.#insert.run(token, until);
    const endpoint = (name: string) => ({
      interface: name,
      region,
      region_id: region,
      url: origin,
      id: `${name}-network`,
    });
    const answer = {
      token: {
        methods: ["application_credential"],
        issued_at: microseconds(now),
        expires_at: microseconds(until),
        project: { id: project, name: "slipway", domain: { id: "default", name: "Default" } },
        user: { id: "slipway", name: "slipway", domain: { id: "default", name: "Default" } },
        roles: rolesOf(this.#options.roles).map((name) => ({ id: name, name })),
        catalog: [
          {
            id: "network",
            type: "network",
            name: "neutron",
            endpoints: ["admin", "internal", "public"].map(endpoint),
          },
        ],
      },
    };
    return Response.json(answer, { status: 201, headers: { "x-subject-token": token } });
  }

  #hex(length: number): string {
    const digit = () => Math.floor(this.#options.random() * 16).toString(16);
    return Array.from({ length }, digit).join("");
  }
}

export function unauthorized(origin: string): Response {
  const message = "The request you have made requires authentication.";
  const error = { code: 401, message, title: "Unauthorized" };
  const headers = { "www-authenticate": `Keystone uri="${origin}"` };
  return Response.json({ error }, { status: 401, headers });
}

/** Of an id that it does not know Keystone says so. */
function unknown(id: string): Response {
  const message = `Could not find Application Credential: ${id}.`;
  return Response.json({ error: { code: 404, message, title: "Not Found" } }, { status: 404 });
}

const microseconds = (ms: number): string => new Date(ms).toISOString().replace("Z", "000Z");
