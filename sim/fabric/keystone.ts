import type { DatabaseSync, StatementSync } from "node:sqlite";
import * as z from "zod";
import type { Clock } from "../../core/clock.ts";

interface KeystoneOptions {
  database: DatabaseSync;
  /** Real time, for the expiry of tokens and credentials. */
  wall: Clock;
  random: () => number;
  /** The lifetime of a token in milliseconds. */
  tokenLife: number;
  /** The roles of the site's credential. */
  roles: readonly string[];
}

/** The terms of an application credential, fixed at its creation. */
const termsSchema = z.object({
  name: z.string(),
  /** The id of its user, which is also the user's name. */
  user: z.string(),
  roles: z.array(z.string()),
  /** When the credential expires, in real time. */
  until: z.number().optional(),
  /** False once its user is disabled. */
  isEnabled: z.boolean().default(true),
  isUnrestricted: z.boolean().default(false),
  /** The only requests that it permits. */
  accessRules: z
    .array(z.object({ id: z.string(), service: z.string(), method: z.string(), path: z.string() }))
    .optional(),
});
type Terms = z.infer<typeof termsSchema>;

export interface ApplicationCredential extends Terms {
  id: string;
  secret: string;
}

export interface Token {
  token: string;
  credential: ApplicationCredential;
  issued: number;
  until: number;
}

/** The application credentials and tokens of Keystone v3. The first credential is the site's. */
export class SimulatedKeystone {
  readonly credential: ApplicationCredential;
  readonly #options: KeystoneOptions;
  readonly #run;

  constructor(options: KeystoneOptions) {
    const { database } = options;
    database.exec(`
      CREATE TABLE IF NOT EXISTS fabric_credential (id TEXT PRIMARY KEY, secret TEXT NOT NULL) STRICT;
      CREATE TABLE IF NOT EXISTS fabric_credential_terms (id TEXT PRIMARY KEY, terms TEXT NOT NULL) STRICT;
      CREATE TABLE IF NOT EXISTS fabric_issued_tokens
        (token TEXT PRIMARY KEY, credential TEXT NOT NULL, issued REAL NOT NULL, until REAL NOT NULL) STRICT;
    `);
    this.#options = options;
    this.#run = statements(database);
    const known = this.#run.siteCredential.get();
    this.credential = known
      ? this.#credentialIn(known)
      : { ...this.#newCredential(), ...this.#siteTerms() };
  }

  /** Creates another credential, by default with the terms of the site's. */
  make(terms: Partial<Terms> = {}): ApplicationCredential {
    const made = this.#newCredential();
    const all = { ...this.#siteTerms(), ...terms };
    this.#run.addTerms.run(made.id, JSON.stringify(all));
    return { ...made, ...all };
  }

  /** Deletes a credential, and so invalidates its tokens. */
  remove(id: string): void {
    this.#run.removeCredential.run(id);
  }

  find(id: string): ApplicationCredential | undefined {
    const row = this.#run.credential.get(id);
    return row && this.#credentialIn(row);
  }

  findNamed(user: string, name: string): ApplicationCredential | undefined {
    const all = this.#run.credentials.all().map((row) => this.#credentialIn(row));
    return all.find((each) => each.user === user && each.name === name);
  }

  /** Whether a credential permits logins and its tokens are valid. */
  isUsable({ isEnabled, until }: ApplicationCredential): boolean {
    return isEnabled && (until === undefined || until > this.#options.wall.now());
  }

  issue(credential: ApplicationCredential): Token {
    const issued = this.#options.wall.now();
    const until = Math.min(issued + this.#options.tokenLife, credential.until ?? Infinity);
    const token = `gAAAAA${this.#hex(80)}`;
    this.#run.addToken.run(token, credential.id, issued, until);
    return { token, credential, issued, until };
  }

  /** A token's details; undefined when it is not valid. */
  valid(token: string | undefined): Token | undefined {
    const row = this.#run.token.get(token ?? "");
    const credential = row && this.find(String(row.credential));
    if (!token || !row || !credential || !this.isUsable(credential)) return undefined;
    const until = Number(row.until);
    if (until <= this.#options.wall.now()) return undefined;
    return { token, credential, issued: Number(row.issued), until };
  }

  revoke(token: string): void {
    this.#run.removeToken.run(token);
  }

  revokeTokens(): void {
    this.#run.removeTokens.run();
  }

  #siteTerms(): Terms {
    const roles = [...this.#options.roles];
    return { name: "slipway", user: "slipway", roles, isEnabled: true, isUnrestricted: false };
  }

  #credentialIn({ id, secret, terms }: ReturnType<StatementSync["all"]>[number]) {
    const all = terms === null ? this.#siteTerms() : termsSchema.parse(JSON.parse(String(terms)));
    return { ...all, id: String(id), secret: String(secret) };
  }

  #newCredential(): { id: string; secret: string } {
    const made = { id: this.#hex(32), secret: this.#hex(64) };
    this.#run.addCredential.run(made.id, made.secret);
    return made;
  }

  #hex(length: number): string {
    const digit = () => Math.floor(this.#options.random() * 16).toString(16);
    return Array.from({ length }, digit).join("");
  }
}

function statements(database: DatabaseSync) {
  const credentials =
    "SELECT id, secret, terms FROM fabric_credential LEFT JOIN fabric_credential_terms USING (id)";
  return {
    credentials: database.prepare(credentials),
    credential: database.prepare(`${credentials} WHERE id = ?`),
    siteCredential: database.prepare(`${credentials} WHERE terms IS NULL`),
    addCredential: database.prepare("INSERT INTO fabric_credential VALUES (?, ?)"),
    removeCredential: database.prepare("DELETE FROM fabric_credential WHERE id = ?"),
    addTerms: database.prepare("INSERT INTO fabric_credential_terms VALUES (?, ?)"),
    token: database.prepare(
      "SELECT credential, issued, until FROM fabric_issued_tokens WHERE token = ?",
    ),
    addToken: database.prepare("INSERT INTO fabric_issued_tokens VALUES (?, ?, ?, ?)"),
    removeToken: database.prepare("DELETE FROM fabric_issued_tokens WHERE token = ?"),
    removeTokens: database.prepare("DELETE FROM fabric_issued_tokens"),
  };
}
