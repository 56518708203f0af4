import type { DatabaseSync } from "node:sqlite";

export interface CephUser {
  entity: string;
  /** The user's rights, by daemon. */
  caps: Record<string, string>;
  key: string;
}

export interface CephImage {
  pool: string;
  namespace: string;
  name: string;
  size: number;
}

/** The content of a Ceph cluster. Durable. */
export class CephRecords {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    database.exec(`
      CREATE TABLE IF NOT EXISTS ceph (fsid TEXT NOT NULL, password TEXT NOT NULL) STRICT;
      CREATE TABLE IF NOT EXISTS ceph_tokens (token TEXT PRIMARY KEY, ends_at REAL NOT NULL) STRICT;
      CREATE TABLE IF NOT EXISTS ceph_pools (name TEXT PRIMARY KEY) STRICT;
      CREATE TABLE IF NOT EXISTS ceph_namespaces (
        pool TEXT, name TEXT, PRIMARY KEY (pool, name)
      ) STRICT;
      CREATE TABLE IF NOT EXISTS ceph_users (
        entity TEXT PRIMARY KEY, caps TEXT NOT NULL, key TEXT NOT NULL
      ) STRICT;
      CREATE TABLE IF NOT EXISTS ceph_images (
        pool TEXT, namespace TEXT, name TEXT, size INTEGER NOT NULL,
        PRIMARY KEY (pool, namespace, name)
      ) STRICT
    `);
    this.#database = database;
  }

  /** The settings of the cluster; created for a new cluster. */
  settings(make: () => { fsid: string; password: string }): { fsid: string; password: string } {
    const row = this.#database.prepare("SELECT fsid, password FROM ceph").get();
    if (row) return { fsid: String(row.fsid), password: String(row.password) };
    const made = make();
    this.#run("INSERT INTO ceph VALUES (?, ?)", made.fsid, made.password);
    return made;
  }

  addToken(token: string, endsAt: number): void {
    this.#run("INSERT INTO ceph_tokens VALUES (?, ?)", token, endsAt);
  }

  removeToken(token: string): void {
    this.#run("DELETE FROM ceph_tokens WHERE token = ?", token);
  }

  tokenEnd(token: string): number | undefined {
    const sql = "SELECT ends_at FROM ceph_tokens WHERE token = ?";
    const row = this.#database.prepare(sql).get(token);
    return row && Number(row.ends_at);
  }

  addPool(name: string): void {
    this.#run("INSERT OR IGNORE INTO ceph_pools VALUES (?)", name);
  }

  hasPool(name: string): boolean {
    return (
      this.#database.prepare("SELECT 1 FROM ceph_pools WHERE name = ?").get(name) !== undefined
    );
  }

  namespaces(): { pool: string; name: string }[] {
    const rows = this.#database.prepare("SELECT pool, name FROM ceph_namespaces ORDER BY rowid");
    return rows.all().map(({ pool, name }) => ({ pool: String(pool), name: String(name) }));
  }

  hasNamespace(pool: string, name: string): boolean {
    const sql = "SELECT 1 FROM ceph_namespaces WHERE pool = ? AND name = ?";
    return this.#database.prepare(sql).get(pool, name) !== undefined;
  }

  addNamespace(pool: string, name: string): void {
    this.#run("INSERT INTO ceph_namespaces VALUES (?, ?)", pool, name);
  }

  removeNamespace(pool: string, name: string): void {
    this.#run("DELETE FROM ceph_namespaces WHERE pool = ? AND name = ?", pool, name);
  }

  users(): CephUser[] {
    const rows = this.#database.prepare("SELECT entity, caps, key FROM ceph_users ORDER BY rowid");
    return rows.all().map(({ entity, caps, key }) => ({
      entity: String(entity),
      caps: JSON.parse(String(caps)),
      key: String(key),
    }));
  }

  user(entity: string): CephUser | undefined {
    return this.users().find((user) => user.entity === entity);
  }

  putUser({ entity, caps, key }: CephUser): void {
    const sql = `INSERT INTO ceph_users VALUES (?, ?, ?)
      ON CONFLICT (entity) DO UPDATE SET caps = excluded.caps, key = excluded.key`;
    this.#run(sql, entity, JSON.stringify(caps), key);
  }

  removeUser(entity: string): void {
    this.#run("DELETE FROM ceph_users WHERE entity = ?", entity);
  }

  images(): CephImage[] {
    const sql = "SELECT pool, namespace, name, size FROM ceph_images ORDER BY rowid";
    return this.#database
      .prepare(sql)
      .all()
      .map(({ pool, namespace, name, size }) => ({
        pool: String(pool),
        namespace: String(namespace),
        name: String(name),
        size: Number(size),
      }));
  }

  addImage({ pool, namespace, name, size }: CephImage): void {
    this.#run("INSERT INTO ceph_images VALUES (?, ?, ?, ?)", pool, namespace, name, size);
  }

  removeImage({ pool, namespace, name }: Omit<CephImage, "size">): void {
    const sql = "DELETE FROM ceph_images WHERE pool = ? AND namespace = ? AND name = ?";
    this.#run(sql, pool, namespace, name);
  }

  #run(sql: string, ...values: (string | number)[]): void {
    this.#database.prepare(sql).run(...values);
  }
}
