import { readFileSync } from "node:fs";
import * as z from "zod";
import { systemClock } from "../../../core/clock.ts";
import type { HttpFetch } from "../../../core/http.ts";
import { neutronApi, neutronFabric } from "../../../core/ports/fabric/neutron/neutron.ts";
import type { KeystoneCredential } from "../../../core/ports/openstack/keystone.ts";
import { ownerOf } from "../../../sim/fabric/ledger.ts";
import type { LedgerItem } from "../../../sim/ledger.ts";
import type { Asked } from "../../support/fabric.ts";
import { overHttp, type Side } from "../compare.ts";

/** A real cloud, such as test/live/neutron.sh starts, as its administrator asks it. */

const roles = ["both", "admin", "service", "member"] as const;
const others = ["fewer", "unrestricted", "ruled", "expired", "deleted", "disabled"] as const;
const cloudSchema = z.object({
  credentials: z.record(
    z.enum([...roles, ...others]),
    z.object({ id: z.string(), secret: z.string(), user: z.string() }),
  ),
  network_url: z.string(),
  external_network: z.string(),
  project: z.string(),
});
type Who = keyof z.infer<typeof cloudSchema>["credentials"];

/** What a look at an object needs. */
export interface Seen {
  id: string;
  description: string;
  tags: string[];
  [member: string]: unknown;
}

export class Cloud {
  readonly authUrl: string;
  readonly cloud: z.infer<typeof cloudSchema>;
  readonly physicalNetwork = "physnet1";
  readonly asked: Asked[] = [];
  readonly #sides = new Map<Who, Promise<Side>>();

  constructor(authUrl: string, file: string) {
    this.authUrl = authUrl;
    this.cloud = cloudSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  }

  static ofEnvironment(): Cloud | undefined {
    const { NEUTRON_AUTH_URL: url, NEUTRON_CLOUD: file } = process.env;
    return url && file ? new Cloud(url, file) : undefined;
  }

  get networkUrl(): string {
    return this.cloud.network_url;
  }

  get externalNetwork(): string {
    return this.cloud.external_network;
  }

  readonly #fetch: HttpFetch = (url, init) => {
    const { pathname, search } = new URL(url);
    const body: unknown = init.body === undefined ? undefined : JSON.parse(init.body);
    this.asked.push({ method: init.method, path: decodeURIComponent(pathname + search), body });
    const { redirect, method, headers, signal } = init;
    return fetch(url, { redirect, method, headers, signal, body: init.body ?? null });
  };

  options(who: Who | KeystoneCredential = "both") {
    return {
      authUrl: this.authUrl,
      credential: async () => (typeof who === "string" ? this.cloud.credentials[who] : who),
      physicalNetwork: this.physicalNetwork,
      externalNetwork: this.externalNetwork,
      wall: systemClock,
      fetch: this.#fetch,
      timeout: 60_000,
    };
  }

  fabric(who?: Who | KeystoneCredential) {
    return neutronFabric(this.options(who));
  }

  api() {
    return neutronApi(this.options());
  }

  /** Logs in with a credential, and asks Neutron with its token. */
  side(who: Who = "both"): Side {
    const side = this.#sides.get(who) ?? this.#open(who);
    this.#sides.set(who, side);
    return async (request) => (await side)(request);
  }

  async #open(who: Who): Promise<Side> {
    const identity = {
      methods: ["application_credential"],
      application_credential: this.cloud.credentials[who],
    };
    const response = await fetch(`${this.authUrl}/v3/auth/tokens`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ auth: { identity } }),
    });
    const { token } = tokenSchema.parse(await response.json());
    const url = token.catalog.find(({ type }) => type === "network")?.endpoints[0]?.url ?? "";
    const headers = { "x-auth-token": response.headers.get("x-subject-token") ?? "" };
    return overHttp(url, async () => headers);
  }

  async list(collection: string): Promise<Seen[]> {
    const { body } = await this.side()({
      method: "GET",
      path: `/v2.0/${collection.replaceAll("_", "-")}`,
    });
    // As Neutron answers it; what is otherwise throws here.
    return (body as Record<string, Seen[]>)[collection] ?? [];
  }

  /** What there is of orders; what the cloud makes for itself is not. */
  async ledger(): Promise<LedgerItem[]> {
    const items: LedgerItem[] = [];
    for (const [collection, kind] of owned)
      for (const object of await this.list(collection)) {
        if (String(object.device_owner ?? "").startsWith("network:")) continue;
        const owner = ownerOf(object);
        if (!owner) continue;
        const item = (what: string, id: string) =>
          items.push({ kind: what, id, system: "fabric", owner });
        item(kind, object.id);
        if (kind === "floating_ip") item("address", String(object.floating_ip_address));
      }
    return items;
  }

  /** Removes everything but the outside network. */
  async clear(): Promise<void> {
    const ask = this.side();
    const remove = async (collection: string, id: string) =>
      void (await ask({ method: "DELETE", path: `/v2.0/${collection}/${id}` }));
    for (const { id } of await this.list("floatingips")) await remove("floatingips", id);
    for (const port of await this.list("ports"))
      if (!String(port.device_owner).startsWith("network:")) await remove("ports", port.id);
    for (const port of await this.list("ports"))
      if (String(port.device_owner).startsWith("network:router_interface"))
        await ask({
          method: "PUT",
          path: `/v2.0/routers/${port.device_id}/remove_router_interface`,
          body: { port_id: port.id },
        });
    for (const { id } of await this.list("routers")) await remove("routers", id);
    for (const { id } of await this.list("networks"))
      if (id !== this.externalNetwork) await remove("networks", id);
    for (const { id, name } of await this.list("security_groups"))
      if (name !== "default") await remove("security-groups", id);
  }
}

const owned = [
  ["networks", "network"],
  ["subnets", "subnet"],
  ["routers", "router"],
  ["ports", "port"],
  ["floatingips", "floating_ip"],
  ["security_groups", "security_group"],
] as const;

const tokenSchema = z.object({
  token: z.object({
    catalog: z.array(
      z.object({ type: z.string(), endpoints: z.array(z.object({ url: z.string() })) }),
    ),
  }),
});
