import { eventually } from "../../support/eventually.ts";
import { overHttp, type Side } from "../compare.ts";

/** The dashboard of a real Ceph, as its administrator asks it. */
export class Dashboard {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  readonly pool: string;
  /** With a token, and the version that most endpoints have. */
  readonly ask: Side;
  #token: Promise<string> | undefined;

  constructor(url: string, username: string, password: string, pool: string) {
    this.url = url;
    this.username = username;
    this.password = password;
    this.pool = pool;
    this.ask = overHttp(url, async () => {
      this.#token ??= this.#newToken();
      return { accept: accept("1.0"), authorization: `Bearer ${await this.#token}` };
    });
  }

  /** The one that test/live/ceph.sh has started. */
  static ofEnvironment(): Dashboard | undefined {
    const { CEPH_URL, CEPH_USER, CEPH_PASSWORD, CEPH_POOL } = process.env;
    return CEPH_URL && CEPH_USER && CEPH_PASSWORD && CEPH_POOL
      ? new Dashboard(CEPH_URL, CEPH_USER, CEPH_PASSWORD, CEPH_POOL)
      : undefined;
  }

  async #newToken(): Promise<string> {
    const { username, password } = this;
    const body = JSON.stringify({ username, password });
    const headers = { accept: accept("1.0"), "content-type": "application/json" };
    const response = await fetch(`${this.url}/api/auth`, { method: "POST", headers, body });
    const { token } = (await response.json()) as { token?: string };
    if (!token) throw new Error(`no token: ${response.status}`);
    return token;
  }

  async #done(method: string, path: string, body?: object, version = "1.0"): Promise<unknown> {
    const headers = { accept: accept(version) };
    const { status, body: answer } = await this.ask({ method, path, body, headers });
    if (status < 300) return answer;
    throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`);
  }

  /** The pool and the users with their rights, as it lists them; keys are left out. */
  async everything() {
    const users = (await this.#done("GET", "/api/cluster/user")) as {
      entity: string;
      caps: object;
    }[];
    return {
      namespaces: await this.namespaces(),
      images: (await this.#images()).map(({ namespace, name }) => `${namespace ?? ""}/${name}`),
      users: users.map(({ entity, caps }) => ({ entity, caps })),
    };
  }

  /** Gives somebody the roles of a user of the dashboard, who is made where there is none. */
  async setRoles(username: string, password: string, roles: string[]): Promise<void> {
    const user = { username, name: username, email: "", roles, enabled: true };
    const { status } = await this.ask({ method: "GET", path: `/api/user/${username}` });
    if (status === 200) await this.#done("PUT", `/api/user/${username}`, user);
    else await this.#done("POST", "/api/user", { ...user, password, pwdUpdateRequired: false });
  }

  async removeLogin(username: string): Promise<void> {
    await this.#done("DELETE", `/api/user/${username}`);
  }

  async namespaces(): Promise<string[]> {
    const found = await this.#done("GET", `/api/block/pool/${this.pool}/namespace`);
    return textsIn(found, "namespace");
  }

  /** Those of orders. */
  async users(): Promise<string[]> {
    const found = textsIn(await this.#done("GET", "/api/cluster/user"), "entity");
    return found.filter((name) => name.startsWith("client.slipway-"));
  }

  async addVolume(namespace: string, name: string): Promise<void> {
    const image = { name, pool_name: this.pool, namespace, size: 1 << 22, features: ["layering"] };
    await this.#done("POST", "/api/block/image", image);
    // The dashboard's list of images may be half a minute old.
    await eventually(async () => {
      const isThere = (await this.#images()).some(
        (one) => one.namespace === namespace && one.name === name,
      );
      if (!isThere) throw new Error(`${namespace}/${name} is not in the list yet`);
    });
  }

  async #images(): Promise<{ name: string; namespace: string | null }[]> {
    const query = `pool_name=${this.pool}&offset=0&limit=-1`;
    const pools = await this.#done("GET", `/api/block/image?${query}`, undefined, "2.0");
    // As the dashboard answers it; what is otherwise throws here.
    return (pools as { value: { name: string; namespace: string | null }[] }[]).flatMap(
      ({ value }) => value,
    );
  }

  async removeVolume(namespace: string, name: string): Promise<void> {
    const spec = encodeURIComponent(`${this.pool}/${namespace}/${name}`);
    await this.#done("DELETE", `/api/block/image/${spec}`);
  }

  /** Removes everything that tests have made. */
  async clear(): Promise<void> {
    await eventually(async () => {
      for (const { name, namespace } of await this.#images())
        await this.removeVolume(namespace ?? "", name);
      for (const name of await this.namespaces())
        await this.#done("DELETE", `/api/block/pool/${this.pool}/namespace/${name}`);
    });
    for (const name of await this.users()) await this.#done("DELETE", `/api/cluster/user/${name}`);
  }
}

const accept = (version: string): string => `application/vnd.ceph.api.v${version}+json`;

function textsIn(list: unknown, member: string): string[] {
  if (!Array.isArray(list)) throw new Error(`no list: ${JSON.stringify(list)}`);
  return list.map((one) => String(one[member]));
}
