import { beforeEach, describe, expect, it } from "vitest";
import type { Violation } from "../../../core/error.ts";
import { releaseQuota, usedIn } from "../../../core/kernel/claim/quota.ts";
import { written } from "../../../core/kernel/events/rewrite.ts";
import { accountKey } from "../../../core/kernel/object/keys.ts";
import type { ObjectOf } from "../../../core/kernel/object/object-of.ts";
import { mustLoad } from "../../../core/kernel/object/records.ts";
import {
  attachingFree,
  attachingOnce,
  detaching,
  freeExternalIp,
  isAttachedTo,
} from "../../../core/resources/external-ip/attached.ts";
import type { AttachedTo } from "../../../core/resources/external-ip/model.ts";
import { reaction } from "../../../core/resources/external-ip/reaction.ts";
import { kinds } from "../../../core/resources/generated/kinds.ts";
import { sagaShapes } from "../../../statemachines/generated/shapes.ts";
import { type Api, catalogApi, priv, v1 } from "../../support/api.ts";
import { numbers } from "../../support/books/numbers.ts";
import { wrongInQuotas } from "../../support/books/quotas.ts";
import { Table } from "../../support/books/table.ts";

/** External IPs as tenants order them of a pool, which is here at no site. */

let api: Api;
let pool: string;
beforeEach(async () => {
  api = await catalogApi();
  pool = await newPool("outside", { cidrs: ["198.51.100.0/30"] });
});

async function newPool(name: string, spec: object): Promise<string> {
  const { status, text, body } = await api.ask("admin", "POST", `${priv}/external_ip_pools`, {
    metadata: { name },
    spec: { ip_family: "IP_FAMILY_IPV4", ...spec },
  });
  expect(status, text).toBe(200);
  return body.id;
}

const path = `${v1}/external_ips`;
const order = (name: string, more: object = {}, who: "ann" | "bob" = "ann") =>
  api.ask(who, "POST", path, { metadata: { name, ...more }, spec: { pool: "outside" } });
const remove = (id: string) => api.ask("ann", "DELETE", `${path}/${id}`);
const counts = async () =>
  (await api.ask("admin", "GET", `${priv}/external_ip_pools/${pool}`)).body.status;

/** What of the books is about addresses and quotas; nothing here is at a site. */
function wrong(): string[] {
  const table = new Table(api.deps.store, kinds);
  const world = { ledger: () => [] };
  const rest = { sited: [], clusters: [], placed: [], hosts: [], secrets: new Set<string>() };
  const books = { table, kinds, now: api.deps.clock.now(), wall: 0, world, ...rest };
  return [...numbers.wrong(books), ...wrongInQuotas(table)];
}

it("answers the address with the order, and keeps it through everything but its deletion", async () => {
  const { status, text, body } = await order("front");
  expect(status, text).toBe(200);
  const made = {
    spec: { pool: { id: pool, name: "outside" } },
    status: { state: "EXTERNAL_IP_STATE_ALLOCATED", address: "198.51.100.0", attached: false },
  };
  expect(body).toMatchObject(made);
  expect((await api.ask("ann", "GET", `${path}/${body.id}`)).body).toMatchObject(made);
  const change = { metadata: { labels: { tier: "web" } } };
  const changed = await api.ask("ann", "PATCH", `${path}/${body.id}`, change);
  expect(changed.body).toMatchObject({ ...made, ...change });
  expect(await counts()).toMatchObject({ total: 4, allocated: 1, available: 3 });
  expect(wrong()).toEqual([]);
});

it("keeps its pool", async () => {
  await newPool("other", { cidrs: ["192.0.2.0/30"] });
  const { body } = await order("front");
  const patch = (spec: object) => api.ask("ann", "PATCH", `${path}/${body.id}`, { spec });
  expect((await patch({ pool: "other" })).body.errors).toEqual([
    { field: "spec.pool", message: "field 'spec.pool' is immutable" },
  ]);
  expect((await patch({ pool: { name: "outside" } })).status).toBe(200);
});

it.each<[string, object, string]>([
  ["no pool", {}, "spec.pool"],
  ["a pool that is not there", { pool: "none" }, "spec.pool"],
  ["an address that it chose", { pool: "outside", address: "198.51.100.3" }, "spec.address"],
])("refuses an order of %s", async (_, spec, field) => {
  const before = api.dump();
  const { status, body } = await api.ask("ann", "POST", path, { metadata: { name: "a" }, spec });
  expect(status).toBe(400);
  expect(body.errors.map((each: { field: string }) => each.field)).toEqual([field]);
  expect(api.dump()).toBe(before);
});

it("lets released addresses rest before somebody else gets them", async () => {
  const first = (await order("a")).body;
  for (const name of ["b", "c", "d"]) expect((await order(name)).status).toBe(200);
  expect((await remove(first.id)).status).toBe(200);
  expect(await counts()).toMatchObject({ allocated: 3, resting: 1, available: 0 });
  const before = api.dump();
  const refused = await order("e", {}, "bob");
  expect(refused.status).toBe(400);
  expect(refused.body.code).toBe(9);
  expect(refused.body.message).toMatch(
    /^no address of pool 'outside' is free: 3 of 4 are used, and 1 rest, the first until 20/,
  );
  expect(api.dump()).toBe(before);
  await api.deps.clock.advance(10 * 60_000);
  expect((await order("e", {}, "bob")).body.status.address).toBe(first.status.address);
  expect(wrong()).toEqual([]);
});

it("gives the last addresses to as many as there are, however many order at once", async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => order(`ip-${n}`)));
  const won = answers.filter(({ status }) => status === 200);
  const addresses = new Set(won.map(({ body }) => body.status.address));
  expect([won.length, addresses.size]).toEqual([4, 4]);
  const lost = answers.filter(({ status }) => status !== 200);
  for (const { body } of lost)
    expect(body).toMatchObject({
      code: 9,
      message: "no address of pool 'outside' is free: 4 of 4 are used",
    });
  expect((await api.ask("ann", "GET", path)).body.total).toBe(4);
  expect(wrong()).toEqual([]);
});

it("serves everybody at once where there is enough", async () => {
  await newPool("large", { cidrs: ["192.0.2.0/24"] });
  const asked = Array.from({ length: 50 }, (_, n) =>
    api.ask("ann", "POST", path, { metadata: { name: `ip-${n}` }, spec: { pool: "large" } }),
  );
  const answers = await Promise.all(asked);
  expect(new Set(answers.map(({ body }) => body.status?.address)).size).toBe(50);
  expect(wrong()).toEqual([]);
});

it("of a pool that is a tenant's own, is that tenant's alone", async () => {
  const block = { metadata: { name: "block", tenant: "tenant-b" } };
  const spec = { ip_family: "IP_FAMILY_IPV4", cidrs: ["192.0.2.0/30"] };
  const made = await api.ask("admin", "POST", `${priv}/external_ip_pools`, { ...block, spec });
  expect(made.status, made.text).toBe(200);
  const ask = (who: "ann" | "bob") =>
    api.ask(who, "POST", path, { metadata: { name: "front" }, spec: { pool: "block" } });
  const { errors } = (await ask("ann")).body;
  expect(errors).toEqual([{ field: "spec.pool", message: expect.stringContaining("not found") }]);
  expect((await ask("bob")).body.status.address).toBe("192.0.2.0");
  expect((await order("other", {}, "bob")).body.status.address).toBe("198.51.100.0");
  expect(wrong()).toEqual([]);
});

it("counts in the quotas, and only as long as it is there", async () => {
  const limits = { external_ips: 1 };
  const quota = { metadata: { name: "q", tenant: "tenant-a" }, spec: { limits } };
  expect((await api.ask("admin", "POST", `${priv}/quotas`, quota)).status).toBe(200);
  const { body } = await order("a");
  const refused = await order("b");
  expect([refused.status, refused.body.errors[0].message]).toEqual([
    403,
    "tenant 'tenant-a' has 1 of at most 1 external ips, and this asks for 1 more",
  ]);
  expect((await remove(body.id)).status).toBe(200);
  expect((await order("b")).status).toBe(200);
  expect(wrong()).toEqual([]);
});

it("keeps its pool there, and the refusal names it", async () => {
  const { body } = await order("front");
  const gone = () => api.ask("admin", "DELETE", `${priv}/external_ip_pools/${pool}`);
  expect((await gone()).body.message).toContain(`in use by external ip 'front' (${body.id})`);
  await remove(body.id);
  expect((await gone()).status).toBe(200);
});

it("gets an address of the prefixes that its pool has, however the two changes meet", async () => {
  const [changed, made] = await Promise.all([
    api.ask("admin", "PATCH", `${priv}/external_ip_pools/${pool}`, {
      spec: { cidrs: ["192.0.2.0/30"] },
    }),
    order("front"),
  ]);
  const { cidrs } = (await mustLoad(api.deps, "external_ip_pool", pool)).spec;
  expect(made.status, made.text).toBe(200);
  expect(cidrs).toEqual([changed.status === 200 ? "192.0.2.0/30" : "198.51.100.0/30"]);
  expect(made.body.status.address).toBe(String(cidrs[0]).split("/")[0]);
  expect(wrong()).toEqual([]);
});

it("makes a pool low, and its deletion makes it no longer so", async () => {
  const load = (id: string) => mustLoad(api.deps, "external_ip", id);
  const deps = { ...api.deps, shapes: sagaShapes };
  const told: (id: string) => Promise<boolean> = async (id) => {
    await reaction.changed?.(deps, undefined, await load(id));
    return (await counts()).low;
  };
  const ids = [];
  for (const name of ["a", "b", "c"]) ids.push((await order(name)).body.id);
  expect(await told(ids[2])).toBe(false);
  const last: ObjectOf["external_ip"] = await load((await order("d")).body.id);
  expect(await told(last.id)).toBe(true);
  await remove(last.id);
  await reaction.archived?.(deps, last);
  expect((await counts()).low).toBe(false);
});

describe("what is attached", () => {
  const to = { kind: "cluster", id: "some" } as const;
  const other = { kind: "cluster", id: "other" } as const;
  const load = (id: string) => mustLoad(api.deps, "external_ip", id);
  /** Attaches as an order does: by what was read. */
  const attach = async (id: string, user: AttachedTo) => {
    const writes = await attachingOnce(api.deps, await load(id), user);
    await api.deps.store.transact(writes);
  };
  const detach = async (id: string, user: AttachedTo) => {
    const writes = detaching(api.deps, await load(id), user);
    if (writes.length > 0) await api.deps.store.transact(writes);
  };

  it("has the address alone until it is detached", async () => {
    const { body } = await order("front");
    await attach(body.id, to);
    const shown = (await api.ask("ann", "GET", `${path}/${body.id}`)).body;
    expect(shown.status.attached).toBe(true);
    await expect(attach(body.id, other)).rejects.toMatchObject({
      kind: "FailedPrecondition",
      message: "external IP 'front' is attached already: cluster 'some' has it",
    });
    expect(await attachingOnce(api.deps, await load(body.id), to)).toEqual([]);
    expect(isAttachedTo(await load(body.id), to)).toBe(true);
    await detach(body.id, other);
    expect((await load(body.id)).status.attached).toBe(true);
    await detach(body.id, to);
    await detach(body.id, to);
    expect((await api.ask("ann", "GET", `${path}/${body.id}`)).body.status.attached).toBe(false);
    expect(detaching(api.deps, undefined, to)).toEqual([]);
  });

  it("is found by its tenant alone, in its project, and only while nothing has it", async () => {
    const { body } = await order("front");
    const violations: Violation[] = [];
    const find = (named: string, tenant = "tenant-a") => {
      const input = { metadata: { name: "gateway" } };
      return freeExternalIp({ deps: api.deps, tenant, input, violations }, named);
    };
    expect((await find("front"))?.id).toBe(body.id);
    for (const [named, tenant] of [["none"], ["front", "tenant-b"]] as const) {
      expect(await find(named, tenant)).toBeUndefined();
      const message = `ExternalIP "${named}" not found in this project`;
      expect(violations.splice(0)).toEqual([{ field: "spec.external_ip", message }]);
    }
    await attach(body.id, to);
    await expect(find(body.id)).rejects.toMatchObject({ kind: "FailedPrecondition" });
  });

  it("is one of two that attach at once", async () => {
    const { body } = await order("front");
    const both = await Promise.allSettled([attach(body.id, to), attach(body.id, other)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect([to, other]).toContainEqual((await load(body.id)).attached_to);
  });
});

it("one that was left of a server counts in no quota until it is used again, and what refuses that says so", async () => {
  const { body } = await order("left");
  const deps = api.deps;
  const used = async (): Promise<number> =>
    usedIn(await deps.store.get(accountKey("tenant-a"))).external_ips ?? 0;
  const ip = await mustLoad(deps, "external_ip", body.id);
  const uncounted = { ...ip, charge: {} };
  const { writes } = written(deps, ip, uncounted);
  await deps.store.transact([...writes, ...releaseQuota(ip, uncounted)]);
  const left = await mustLoad(deps, "external_ip", body.id);
  expect(await used()).toBe(0);
  const to = { kind: "nat_gateway", id: "gateway" } as const;
  const limits = (external_ips: number) =>
    deps.store.transact([{ update: accountKey("tenant-a"), set: { limits: { external_ips } } }]);
  await limits(0);
  await expect(attachingFree(deps, left, to)).rejects.toMatchObject({
    violations: [expect.objectContaining({ field: "spec.external_ip" })],
  });
  await limits(1);
  await deps.store.transact(await attachingFree(deps, left, to));
  expect(await used()).toBe(1);
  const again = await mustLoad(deps, "external_ip", body.id);
  await deps.store.transact(detaching(deps, again, to));
  expect((await remove(body.id)).status).toBe(200);
  expect(await used()).toBe(0);
  expect(wrong()).toEqual([]);
});
