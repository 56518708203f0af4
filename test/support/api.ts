import type { Profile } from "../../core/kernel/object/view.ts";
import { createApp } from "../../functions/api/app.ts";
import type { RateLimits } from "../../functions/api/rate-limits.ts";
import type { Principal } from "../../functions/identity/principal.ts";
import { type TestDeps, testDeps } from "./deps.ts";
import { addFleet } from "./fleet.ts";

/** The API over an in-memory store, asked without sockets. */

export const people = {
  admin: { user: "root", tenant: "", roles: ["provider-admin"] },
  ann: { user: "ann", tenant: "tenant-a", roles: ["tenant-user"] },
  auditor: { user: "otto", tenant: "", roles: ["provider-viewer"] },
  amy: { user: "amy", tenant: "tenant-a", roles: ["tenant-admin"] },
  // Members of projects, by what a test makes them.
  mia: { user: "mia", tenant: "tenant-a", roles: [] },
  vic: { user: "vic", tenant: "tenant-a", roles: [] },
  bob: { user: "bob", tenant: "tenant-b", roles: ["tenant-admin"] },
  eve: { user: "eve", tenant: "tenant-c", roles: ["tenant-admin"] },
  hub: { user: "hub-1", tenant: "", roles: ["agent"], hub: "hub-1" },
  portal: { user: "portal", tenant: "", roles: ["portal"] },
} satisfies Record<string, Principal>;
export type Person = keyof typeof people;

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
type Json = any;

export interface Answer {
  status: number;
  headers: Headers;
  body: Json;
  text: string;
}

export type Body = NonNullable<RequestInit["body"]>;

interface Sent {
  body?: Body;
  headers?: Record<string, string>;
  duplex?: "half";
}

export interface Api {
  deps: TestDeps;
  ask(
    person: Person | "nobody",
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  /** With a body as it is. */
  send(person: Person | "nobody", method: string, path: string, init: Sent): Promise<Answer>;
  /** Everything that is stored but the audit, to see that nothing was written. */
  dump(): string;
}

export const v1 = "/api/fulfillment/v1";
export const priv = "/api/private/v1";

function openApi(deps: TestDeps, profile: Profile, limits?: RateLimits): Api {
  const app = createApp(deps, {
    profile,
    limits,
    origins: ["*"],
    issuers: ["https://issuer.example.com"],
    principal: (c) => people[c.req.header("X-Person") as Person],
    source: (c) => c.req.header("X-Source"),
  });
  return {
    deps,
    ask: (person, method, path, body, headers = {}) =>
      send(person, method, path, {
        headers,
        ...(body === undefined
          ? {}
          : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      }),
    send,
    dump: () => {
      const records = deps.store.stream(undefined, 100_000);
      const others = records.filter(({ key }) => !key.pk.startsWith("audit"));
      return JSON.stringify([others, [...deps.secretValues]]);
    },
  };

  async function send(person: Person | "nobody", method: string, path: string, init: Sent) {
    const { headers, ...rest } = init;
    const who = person === "nobody" ? {} : { "X-Person": person };
    const response = await app.request(path, { method, headers: { ...who, ...headers }, ...rest });
    const text = await response.text();
    const isJson =
      /json/.test(response.headers.get("Content-Type") ?? "") &&
      text.trim().split("\n").length === 1;
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text ? JSON.parse(text) : text,
    };
  }
}

const image = "quay.io/openshift-release-dev/ocp-release:4.17.0-x86_64";

/** One of each kind that `catalogApi` has. */
export const inCatalog = {
  host_type: { metadata: { name: "small" }, title: "Small" },
  cluster_version: {
    metadata: { name: "4-17-0" },
    spec: { version: "4.17.0", image, is_default: true },
  },
  cluster_template: {
    id: "ocp_small",
    metadata: { name: "ocp-small" },
    title: "Small cluster",
    parameters: [
      { name: "vlan", type: "integer", default: 100 },
      { name: "owner", type: "string", required: true },
    ],
    node_sets: {
      workers: { host_type: "small", size: 2 },
      gpu: { host_type: { name: "large" }, size: 1 },
    },
  },
};

/** With two host types, two versions and a template in the catalog; `hosts`: how many are registered, by type. */
export async function catalogApi(
  deps = testDeps(),
  profile: Profile = "slipway",
  limits?: RateLimits,
  hosts: Record<string, number> = { small: 1000, large: 1000 },
): Promise<Api> {
  const api = openApi(deps, profile, limits);
  const put = async (kind: string, body: unknown) => {
    const answer = await api.ask("admin", "POST", `${priv}/${kind}`, body);
    if (answer.status !== 200) throw new Error(answer.text);
  };
  await put("host_types", inCatalog.host_type);
  await put("host_types", { metadata: { name: "large" }, title: "Large" });
  await put("cluster_versions", inCatalog.cluster_version);
  await put("cluster_versions", {
    metadata: { name: "4-12-0" },
    spec: { version: "4.12.0", image, state: "CLUSTER_VERSION_STATE_OBSOLETE" },
  });
  await put("cluster_templates", inCatalog.cluster_template);
  if (Object.keys(hosts).length > 0) await addFleet(deps, hosts);
  return api;
}

/** A valid order; members of `spec` in place of those here. */
export const order = (name: string, spec: object = {}, metadata: object = {}) => ({
  metadata: { name, ...metadata },
  spec: { template: { name: "ocp-small" }, template_parameters: { owner: "me" }, ...spec },
});

export const pullSecret = (password: string): string => {
  const auth = Buffer.from(`user:${password}`).toString("base64");
  return JSON.stringify({ auths: { "quay.io": { auth } } });
};
