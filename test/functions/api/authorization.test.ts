import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exportSPKI, importJWK, importPKCS8, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { publish } from "../../../core/kernel/events/publish.ts";
import type { Kind } from "../../../core/kernel/object/object.ts";
import { mustLoad } from "../../../core/kernel/object/records.ts";
import type { Area, Verb } from "../../../core/kernel/request/permissions.ts";
import type { Role } from "../../../core/kernel/request/roles.ts";
import { createApp } from "../../../functions/api/app.ts";
import openApi from "../../../functions/api/generated/openapi.json" with { type: "json" };
import { rolesFor, type Subject } from "../../../functions/api/permissions.ts";
import { bearerIn } from "../../../functions/identity/bearer.ts";
import type { Claims } from "../../../functions/identity/claims.ts";
import { localVerifier } from "../../../local/gateway.ts";
import { audience, type Issuer, openIssuer } from "../../../local/issuer.ts";
import { exampleOfAction } from "../../support/actions.ts";
import { catalogApi, priv } from "../../support/api.ts";
import type { TestDeps } from "../../support/deps.ts";
import { type Ids, oneOfEach } from "../../support/one-of-each.ts";

/**
 * Every operation of the OpenAPI document as asked by everybody, with real tokens through the local
 * gateway. What is expected comes from the table of permissions, which permissions.test.ts pins.
 */

interface Operation {
  id: string;
  method: string;
  path: string;
  /** Absent: anybody may. */
  needs?: { area: Area; subject: Subject; verb: Verb };
}

const operations: Operation[] = Object.entries(openApi.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]): Operation => {
    const place = { method: method.toUpperCase(), path };
    if ("security" in operation) return { id: path, ...place };
    const [area, subject, verb] = operation.operationId.split(".");
    return {
      id: operation.operationId,
      ...place,
      needs: { area: area as Area, subject: subject as Subject, verb: verb as Verb },
    };
  }),
);

/** Claims of those who are somebody, and the role that they come to. */
const somebody = {
  "provider admin": [{ sub: "root", roles: ["provider-admin"] }, "provider-admin"],
  "provider viewer": [{ sub: "otto", roles: ["provider-viewer"] }, "provider-viewer"],
  "tenant admin": [{ sub: "amy", tenant: "tenant-a", roles: ["tenant-admin"] }, "tenant-admin"],
  "tenant user": [{ sub: "ann", tenant: "tenant-a", roles: ["tenant-user"] }, "tenant-user"],
  "project manager": [{ sub: "mia", tenant: "tenant-a" }, "project-manager"],
  "project viewer": [{ sub: "vic", tenant: "tenant-a" }, "project-viewer"],
  "tenant admin by binding": [{ sub: "tom", tenant: "tenant-a" }, "tenant-admin"],
  "provider viewer by binding": [{ sub: "pia", tenant: "tenant-a" }, "provider-viewer"],
  "project manager by group": [
    { sub: "gus", tenant: "tenant-a", groups: ["devs"] },
    "project-manager",
  ],
  "other tenant": [{ sub: "bob", tenant: "tenant-b", roles: ["tenant-admin"] }, "tenant-admin"],
  agent: [{ sub: "hub:hub-1", roles: ["agent"] }, "agent"],
  "portal without a tenant": [{ sub: "portal", roles: ["portal"] }, "portal"],
  "portal for tenant-a": [{ sub: "portal", roles: ["portal"] }, "tenant-user", "tenant-a"],
} satisfies Record<string, [Claims, Role, string?]>;
type Somebody = keyof typeof somebody;
const [root] = somebody["provider admin"];

const url = "http://127.0.0.1:1";
let folder: string;
let issuer: Issuer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "slipway-authorization-"));
  issuer = await openIssuer({ url, file: join(folder, "issuer.json") });
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Tokens that would be an administrator's, were it not for one thing each. */
const nobody: Record<string, () => Promise<string | undefined>> = {
  anonymous: async () => undefined,
  expired: () => signed({ expires: "-1h" }),
  "wrong audience": () => signed({ to: "other" }),
  "wrong issuer": () => signed({ from: "http://127.0.0.1:2" }),
  "alg none": async () => {
    const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
    const claims = { ...root, iss: url, aud: audience, exp: 4_000_000_000 };
    return `${encoded({ alg: "none", kid: "local" })}.${encoded(claims)}.`;
  },
  "HS256 with the public key": async () => {
    const [jwk = {}] = issuer.jwks.keys;
    const key = await importJWK(jwk, "RS256", { extractable: true });
    if (key instanceof Uint8Array) throw new Error("the issuer's key is no RSA key");
    const pem = await exportSPKI(key);
    return signed({ alg: "HS256", key: new TextEncoder().encode(pem) });
  },
};

async function signed({
  alg = "RS256",
  key = undefined as Uint8Array | undefined,
  from = url,
  to = audience,
  expires = "1h",
} = {}): Promise<string> {
  const own = JSON.parse(readFileSync(join(folder, "issuer.json"), "utf8")).private_key;
  return new SignJWT(root)
    .setProtectedHeader({ alg, kid: "local" })
    .setIssuer(from)
    .setAudience(to)
    .setExpirationTime(expires)
    .sign(key ?? (await importPKCS8(own, "RS256")));
}

const pageSchema = z.object({
  total: z.int(),
  items: z.array(z.object({ metadata: z.object({ tenant: z.string() }) })),
});

interface World {
  deps: TestDeps;
  /** Of each kind, one that belongs to tenant-a or to the provider. */
  ids: Ids;
  ask(
    token: string | undefined,
    operation: Operation,
    id: string,
    onBehalfOf?: string,
  ): Promise<Response>;
}

async function openWorld(): Promise<World> {
  const api = await catalogApi();
  const { deps } = api;
  const ids = await oneOfEach(api);
  for (const [role, user] of [
    ["tenant-admin", "tom"],
    ["provider-viewer", "pia"],
  ]) {
    await api.ask("admin", "POST", `${priv}/roles`, { metadata: { name: role } });
    const metadata = { name: role, tenant: "tenant-a" };
    const spec = { role, users: [user] };
    const { text } = await api.ask("admin", "POST", `${priv}/role_bindings`, { metadata, spec });
    expect(text).toContain("ROLE_BINDING_STATE_READY");
  }
  await api.ask("admin", "POST", `${priv}/tenants`, { metadata: { name: "tenant-b" } });
  const service_accounts = [{ user: "portal", role: "tenant-user" }];
  await api.ask("admin", "PATCH", `${priv}/tenants/tenant-a`, { spec: { service_accounts } });
  await publish(deps, await mustLoad(deps, "host_type", "small"));

  const verify = localVerifier(issuer);
  const app = createApp(deps, {
    profile: "slipway",
    principal: ({ req }) => {
      const token = bearerIn(req.header("Authorization"));
      return token === undefined ? undefined : verify(token);
    },
  });
  return {
    deps,
    ids,
    async ask(token, { method, path, needs }, id, onBehalfOf) {
      // What a watcher has not seen is there already, so it need not wait.
      const watches = needs?.verb === "watch" ? "?last_event_id=0" : "";
      const query = (needs && queries[needs.subject]) ?? watches;
      const body = needs ? bodyFor(needs) : {};
      const request = new Request(url + path.replace("{id}", id) + query, {
        method,
        headers: {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(onBehalfOf !== undefined && { "Slipway-On-Behalf-Of": onBehalfOf }),
        },
        ...(method === "GET" || method === "DELETE" ? {} : { body: JSON.stringify(body) }),
      });
      return app.fetch(request);
    },
  };
}

/** What is asked where a query has to be there. */
const queries: Partial<Record<Subject, string>> = {
  audit_entry: "?tenant=tenant-a",
  owner: "?kind=vlan&value=107",
};

/** What is asked: of an action its example, and of others an empty body where that does. */
const bodyFor = ({ subject, verb }: { subject: Subject; verb: Verb }): object =>
  verb === "create"
    ? { metadata: { name: "new", project: "p" } }
    : (exampleOfAction(subject, verb) ?? {});

const mayRead = (verb: Verb) =>
  ["list", "get", "history", "upgrades", "credentials", "watch"].includes(verb);
const rank = ({ method }: Operation): number => ["GET", "PATCH", "POST", "DELETE"].indexOf(method);
/** Reads first, and what takes away last. */
const inOrder = operations.toSorted((a, b) => rank(a) - rank(b));

it("has operations and people", () => {
  expect(operations.length).toBeGreaterThan(70);
  expect(Object.keys(somebody).length + Object.keys(nobody).length).toBe(19);
});

describe.each(Object.keys(nobody))("%s", (who) => {
  it("is told nothing but whose tokens are taken", async () => {
    const world = await openWorld();
    const before = JSON.stringify(world.deps.store.stream(undefined, 100_000));
    const token = await nobody[who]?.();
    for (const operation of operations) {
      const id = idFor(world, operation);
      const { status } = await world.ask(token, operation, id);
      expect(status, operation.id).toBe(operation.needs ? 401 : 200);
    }
    expect(JSON.stringify(world.deps.store.stream(undefined, 100_000))).toBe(before);
  });
});

describe.each(Object.keys(somebody) as Somebody[])("%s", (who) => {
  const [claims, role, onBehalfOf]: [Claims, Role, string?] = somebody[who];
  const may = ({ needs }: Operation) =>
    needs === undefined || rolesFor(needs.area, needs.subject, needs.verb).includes(role);

  it("may do what the table says, and nothing else", async () => {
    const world = await openWorld();
    const token = await issuer.token(claims);
    for (const operation of inOrder) {
      const response = await world.ask(token, operation, idFor(world, operation), onBehalfOf);
      const said = `${operation.id}: ${response.status} ${await response.text()}`;
      if (!may(operation)) {
        expect(response.status, said).toBe(403);
        continue;
      }
      expect([401, 403], said).not.toContain(response.status);
      const { needs } = operation;
      const isReadOfOwn = who !== "other tenant" && needs && mayRead(needs.verb);
      if (isReadOfOwn) expect(response.status, said).toBe(200);
    }
  });

  it("is answered the same for what is not theirs and for what is not there", async () => {
    const world = await openWorld();
    const token = await issuer.token(claims);
    for (const operation of operations) {
      if (!operation.path.includes("{id}") || !may(operation)) continue;
      const missing = await answerTo(world, token, operation, "missing", onBehalfOf);
      expect(missing.status, operation.id).toBe(404);
      const id = idFor(world, operation);
      if (who === "other tenant" && isOfTenant(operation))
        expect(await answerTo(world, token, operation, id), operation.id).toEqual(missing);
    }
  });
});

describe("on behalf of a tenant that does not let it", () => {
  it.each([
    ["a portal", { sub: "portal", roles: ["portal"] }, 404],
    ["another portal", { sub: "other", roles: ["portal"] }, 404],
    ["an administrator of the provider", root, 403],
    ["one of the tenant", { sub: "bob", tenant: "tenant-b", roles: ["tenant-admin"] }, 403],
    ["an agent", { sub: "hub:hub-1", roles: ["agent"] }, 403],
  ])("%s is refused, as if there were none", async (_, claims, status) => {
    const world = await openWorld();
    const token = await issuer.token(claims);
    const stored = () =>
      world.deps.store.stream(undefined, 100_000).filter(({ key }) => !key.pk.startsWith("audit"));
    const before = stored();
    for (const operation of operations) {
      if (!operation.needs) continue;
      const ask = async (tenant: string) => {
        const response = await world.ask(token, operation, idFor(world, operation), tenant);
        const { request_id: _id, ...body } = JSON.parse(
          (await response.text()).replaceAll(tenant, "TENANT"),
        );
        return { status: response.status, body };
      };
      const missing = await ask("tenant-z");
      expect(missing.status, operation.id).toBe(status);
      expect(await ask("tenant-b"), operation.id).toEqual(missing);
    }
    expect(stored()).toEqual(before);
  });
});

it("is shown no list of another tenant's", async () => {
  const world = await openWorld();
  const token = await issuer.token(somebody["other tenant"][0]);
  for (const operation of operations) {
    if (operation.needs?.verb !== "list" || operation.needs.area !== "public") continue;
    const { items, total } = pageSchema.parse(await (await world.ask(token, operation, "")).json());
    const tenants = items.map(({ metadata }) => metadata.tenant);
    expect(tenants, operation.id).not.toContain("tenant-a");
    expect(total).toBe(items.length);
  }
});

/** What belongs to a tenant; the rest of what tenants may read is everybody's. */
const isOfTenant = ({ needs }: Operation): boolean =>
  needs !== undefined &&
  ![
    "cluster_template",
    "cluster_version",
    "bare_metal_instance_type",
    "baremetal_instance_template",
    "host_type",
    "network_class",
    "external_ip_pool",
    "role",
  ].includes(needs.subject);

function idFor({ ids }: World, { needs }: Operation): string {
  return (needs && needs.subject in ids && ids[needs.subject as Kind]) || "-";
}

async function answerTo(
  world: World,
  token: string,
  operation: Operation,
  id: string,
  onBehalfOf?: string,
) {
  const response = await world.ask(token, operation, id, onBehalfOf);
  const text = (await response.text()).replaceAll(id, "ID");
  const { request_id: _, ...body } = JSON.parse(text);
  return { status: response.status, type: response.headers.get("Content-Type"), body };
}
