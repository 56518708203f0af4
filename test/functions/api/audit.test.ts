import { beforeEach, describe, expect, it } from "vitest";
import { verifyAudit } from "../../../cli/verify-audit.ts";
import { AppError } from "../../../core/error.ts";
import { asClusterId } from "../../../core/id.ts";
import { auditChains, readAudit } from "../../../core/kernel/audit/chain.ts";
import { type AuditEntry, auditEntrySchema } from "../../../core/kernel/audit/entry.ts";
import { changeObject } from "../../../core/kernel/events/rewrite.ts";
import { type Api, catalogApi, order, people, priv, pullSecret, v1 } from "../../support/api.ts";

let api: Api;
beforeEach(async () => {
  api = await catalogApi();
});

const entriesOf = async (tenant: string, query = "") =>
  (await api.ask("admin", "GET", `${priv}/audit_entries?tenant=${tenant}&limit=1000${query}`)).body
    .items as AuditEntry[];

const from = (address: string) => ({ "X-Source": address, "X-Request-Id": "request-1" });

/** The API as the verifier reaches it. */
const reached = () => ({
  url: "",
  token: "",
  fetch: async (url: string) => {
    const { status, text } = await api.ask("admin", "GET", url);
    return new Response(text, { status });
  },
});

describe("the audit", () => {
  it("says who created what for whom from where, and which operation does it", async () => {
    const body = order("one", { pull_secret: pullSecret("canary-auth") });
    const { body: cluster } = await api.ask(
      "ann",
      "POST",
      `${v1}/clusters`,
      body,
      from("192.0.2.7"),
    );
    const entries = await entriesOf("tenant-a");
    expect(entries).toEqual([
      {
        id: expect.any(String),
        time: expect.any(String),
        tenant: "tenant-a",
        actor: people.ann,
        source: "192.0.2.7",
        request_id: "request-1",
        kind: "cluster",
        object_id: cluster.id,
        verb: "create",
        operation: cluster.status.operation,
        after: expect.objectContaining({ id: cluster.id }),
        result: "AUDIT_RESULT_ACCEPTED",
        chain: expect.any(Number),
        position: 1,
        previous: "",
        hash: expect.any(String),
      },
    ]);
    expect(auditEntrySchema.parse(entries[0])).toEqual(entries[0]);
    expect(JSON.stringify(entries)).not.toContain("canary");
    expect(entries[0]?.after).toMatchObject({ spec: { pull_secret: "***" } });
  });

  it("has what an object was before a change and after it", async () => {
    const { id } = (await api.ask("ann", "POST", `${v1}/clusters`, order("one"))).body;
    await api.ask("ann", "PATCH", `${v1}/clusters/${id}`, { metadata: { labels: { a: "b" } } });
    await api.ask("ann", "PATCH", `${v1}/clusters/${id}`, { metadata: { labels: { a: "b" } } });
    await api.ask("ann", "DELETE", `${v1}/clusters/${id}`);
    const [, changed, deleted, ...more] = await entriesOf("tenant-a");
    expect(more).toEqual([]);
    expect(changed).toMatchObject({
      verb: "update",
      before: { metadata: { labels: {}, version: 0 } },
      after: { metadata: { labels: { a: "b" }, version: 1 } },
    });
    expect(deleted).toMatchObject({ verb: "delete", operation: expect.any(String) });
    expect(deleted?.after).toMatchObject({ metadata: { deletion_timestamp: expect.any(String) } });
  });

  it("has of an object that is gone only what it was", async () => {
    await api.ask("admin", "POST", `${priv}/host_types`, { metadata: { name: "tiny" } });
    await api.ask("admin", "DELETE", `${priv}/host_types/tiny`);
    const last = (await entriesOf("shared")).at(-1);
    expect(last).toMatchObject({ verb: "delete", kind: "host_type", before: { id: "tiny" } });
    expect(last).not.toHaveProperty("after");
  });

  it("takes in cancel, resume and retry by the object they are about", async () => {
    const { status } = (await api.ask("ann", "POST", `${v1}/clusters`, order("one"))).body;
    await api.ask("bob", "POST", `${v1}/operations/${status.operation}/cancel`);
    await api.ask("ann", "POST", `${v1}/operations/${status.operation}/cancel`);
    const cancel = { kind: "operation", verb: "cancel", object_id: status.operation };
    expect((await entriesOf("tenant-a")).slice(1)).toMatchObject([
      { ...cancel, actor: { user: "ann" } },
    ]);
    expect(await entriesOf("tenant-b")).toMatchObject([
      { ...cancel, actor: { user: "bob" }, reason: "NotFound" },
    ]);
  });

  it("has nothing of what was replayed, only tried or not changed", async () => {
    const key = { "Idempotency-Key": "k" };
    await api.ask("ann", "POST", `${v1}/clusters`, order("one"), key);
    await api.ask("ann", "POST", `${v1}/clusters`, order("one"), key);
    await api.ask("ann", "POST", `${v1}/clusters?dry_run=true`, order("two"));
    await api.ask("ann", "POST", `${v1}/clusters?dry_run=true`, {});
    await api.ask("ann", "POST", `${v1}/clusters`, {}, { "X-Dry-Run": "true" });
    expect(await entriesOf("tenant-a")).toHaveLength(1);
  });

  it("has what was refused, to whom, and how", async () => {
    await api.ask("ann", "POST", `${v1}/clusters`, order("one"));
    await api.ask("ann", "POST", `${v1}/clusters`, order("one"), from("192.0.2.7"));
    await api.ask("ann", "POST", `${v1}/clusters`, {});
    await api.ask("ann", "POST", `${v1}/clusters`, "{");
    await api.ask("ann", "POST", `${v1}/projects`, { metadata: { name: "p" } });
    await api.ask("ann", "DELETE", `${priv}/host_types/small`);
    await api.ask("portal", "POST", `${v1}/clusters`, order("one"), {
      "Slipway-On-Behalf-Of": "tenant-a",
    });
    const refused = { result: "AUDIT_RESULT_REFUSED", actor: people.ann, verb: "create" };
    const invalid = { ...refused, kind: "cluster", reason: "Invalid", status: 400 };
    expect((await entriesOf("tenant-a")).slice(1)).toMatchObject([
      { ...refused, reason: "AlreadyExists", status: 409, object_id: "", source: "192.0.2.7" },
      invalid,
      invalid,
      { ...refused, kind: "project", reason: "Forbidden", status: 403 },
      { actor: people.ann, verb: "delete", object_id: "small", reason: "Forbidden" },
    ]);
    // Who acts for nobody is told in the provider's.
    expect((await entriesOf("shared")).slice(-1)).toMatchObject([
      { actor: people.portal, on_behalf_of: { tenant: "tenant-a" }, reason: "NotFound" },
    ]);
  });

  it("is not for others to fill: who may not change an object has it in their own", async () => {
    const { id } = (await api.ask("ann", "POST", `${v1}/clusters`, order("one"))).body;
    await api.ask("bob", "DELETE", `${v1}/clusters/${id}`);
    await api.ask("bob", "PATCH", `${v1}/clusters/${id}`, { metadata: { labels: {} } });
    const bobs = { actor: { user: "bob", tenant: "tenant-b" }, object_id: id, reason: "NotFound" };
    expect(await entriesOf("tenant-b")).toMatchObject([
      { ...bobs, verb: "delete", status: 404 },
      { ...bobs, verb: "update" },
    ]);
    await allowPortal("tenant-b");
    const acting = { "Slipway-On-Behalf-Of": "tenant-b" };
    await api.ask("portal", "DELETE", `${v1}/clusters/${id}`, undefined, acting);
    expect((await entriesOf("tenant-b")).at(-1)).toMatchObject({ actor: people.portal });
    expect(await entriesOf("tenant-a")).toHaveLength(1);
  });

  const allowPortal = async (name: string) => {
    const spec = { service_accounts: [{ user: "portal", role: "tenant-user" }] };
    const body = { metadata: { name }, spec };
    expect((await api.ask("admin", "POST", `${priv}/tenants`, body)).status).toBe(200);
  };

  it("tells the owner of an object what was refused to the provider's people", async () => {
    const { id } = (await api.ask("ann", "POST", `${v1}/clusters`, order("one"))).body;
    await api.ask("auditor", "DELETE", `${priv}/clusters/${id}`);
    await api.ask("admin", "PATCH", `${priv}/clusters/${id}`, { spec: { no: 1 } });
    expect((await entriesOf("tenant-a")).slice(1)).toMatchObject([
      { actor: people.auditor, object_id: id, reason: "Forbidden" },
      { actor: people.admin, object_id: id, reason: "Invalid" },
    ]);
  });

  it("says who touched an object, whosever audit it is in", async () => {
    const { id } = (await api.ask("ann", "POST", `${v1}/clusters`, order("one"))).body;
    const path = `${priv}/audit_entries?object=${id}`;
    await api.deps.clock.advance(1000);
    await api.ask("bob", "DELETE", `${v1}/clusters/${id}`);
    await api.ask("bob", "POST", `${v1}/clusters`, order("other"));
    await api.deps.clock.advance(1000);
    await api.ask("admin", "DELETE", `${priv}/clusters/${id}`);
    const created = { actor: people.ann, verb: "create", result: "AUDIT_RESULT_ACCEPTED" };
    const reached = { tenant: "tenant-b", verb: "delete", result: "AUDIT_RESULT_REFUSED" };
    const deleted = { tenant: "tenant-a", actor: people.admin, verb: "delete" };
    const all = (await api.ask("admin", "GET", path)).body;
    expect(all.items).toMatchObject([created, reached, deleted]);
    expect(Object.keys(all).sort()).toEqual(["items", "size"]);
    const first = (await api.ask("admin", "GET", `${path}&order=time+desc&limit=1`)).body;
    expect(first.items).toMatchObject([deleted]);
    const next = `${path}&order=time+desc&page_token=${first.next_page_token}`;
    expect((await api.ask("admin", "GET", next)).body.items).toMatchObject([reached, created]);
    const filter = encodeURIComponent("this.result == 'AUDIT_RESULT_REFUSED'");
    const refusals = (await api.ask("admin", "GET", `${path}&filter=${filter}`)).body;
    expect(refusals.items).toMatchObject([reached]);
  });

  it("says what a user did, for whichever tenant", async () => {
    const { id } = (await api.ask("ann", "POST", `${v1}/clusters`, order("one"))).body;
    const other = (await api.ask("bob", "POST", `${v1}/clusters`, order("two"))).body.id;
    await api.deps.clock.advance(1000);
    await api.ask("admin", "DELETE", `${priv}/clusters/${id}`);
    await api.deps.clock.advance(1000);
    await api.ask("admin", "DELETE", `${priv}/clusters/${other}`);
    const of = async (user: string) => {
      const path = `${priv}/audit_entries?actor=${user}&order=time+desc&limit=2`;
      return (await api.ask("admin", "GET", path)).body.items;
    };
    expect(await of("admin-user")).toEqual([]);
    expect(await of(people.admin.user)).toMatchObject([
      { tenant: "tenant-b", object_id: other, verb: "delete" },
      { tenant: "tenant-a", object_id: id, verb: "delete" },
    ]);
    expect(await of(people.bob.user)).toMatchObject([{ tenant: "tenant-b", verb: "create" }]);
  });

  it("is of one tenant, of one object or of one user", async () => {
    const status = async (query: string) =>
      (await api.ask("admin", "GET", `${priv}/audit_entries?${query}`)).status;
    for (const query of [
      "",
      "object=",
      "object=x&tenant=tenant-a",
      "object=x&chain=1",
      "actor=",
      "actor=x&object=x",
      "actor=x&tenant=tenant-a",
    ])
      expect(await status(query), query).toBe(400);
    expect(await status(`object=${"x".repeat(254)}`)).toBe(400);
    expect(await status("object=nothing")).toBe(200);
  });

  it("has no refusal of what only failed", async () => {
    api.deps.store.transact = async () => {
      throw new AppError("Unavailable", "the store is unreachable");
    };
    expect((await api.ask("ann", "POST", `${v1}/clusters`, order("one"))).status).toBe(503);
    expect(await entriesOf("tenant-a")).toEqual([]);
  });

  it("is written in the transaction of the change: with its entry refused, nothing is changed", async () => {
    const before = api.dump();
    const transact = api.deps.store.transact.bind(api.deps.store);
    api.deps.store.transact = async (writes) => {
      const seals = writes.filter((write) => "put" in write && write.put.pk.startsWith("audit#"));
      expect(seals).toHaveLength(1);
      expect(writes.length).toBeGreaterThan(5);
      throw new Error("the store is unreachable");
    };
    expect((await api.ask("ann", "POST", `${v1}/clusters`, order("one"))).status).toBe(500);
    api.deps.store.transact = transact;
    expect(api.dump()).toBe(before);
  });

  it("is for administrators, names one tenant, and pages in either order", async () => {
    for (const name of ["a", "b", "c"]) {
      await api.ask("ann", "POST", `${v1}/clusters`, order(name));
      await api.deps.clock.advance(1000);
    }
    const path = `${priv}/audit_entries`;
    expect((await api.ask("bob", "GET", `${path}?tenant=tenant-a`)).status).toBe(403);
    expect((await api.ask("admin", "GET", path)).status).toBe(400);
    const names = async (query: string) => {
      const { body } = await api.ask("admin", "GET", `${path}?tenant=tenant-a&${query}`);
      return {
        ...body,
        items: body.items.map((entry: AuditEntry) => Object(entry.after).metadata.name),
      };
    };
    expect(await names("order=time desc")).toMatchObject({ total: 3, items: ["c", "b", "a"] });
    const first = await names("limit=2");
    expect(first).toMatchObject({ size: 2, total: 3, items: ["a", "b"] });
    const second = await names(`limit=2&page_token=${first.next_page_token}`);
    expect(second.items).toEqual(["c"]);
    expect(second).not.toHaveProperty("next_page_token");
    const filter = encodeURIComponent(
      "this.actor.user == 'ann' && this.time > '2026-01-01T00:00:00.500Z'",
    );
    expect((await names(`filter=${filter}`)).items).toEqual(["b", "c"]);
    for (const query of ["chain=32", "chain=x", "offset=1", "order=verb", "page_token=x"])
      expect((await api.ask("admin", "GET", `${path}?tenant=tenant-a&${query}`)).status).toBe(400);
  });
});

describe("a credential", () => {
  const credential = (person: "ann" | "bob", id: string) =>
    api.ask(person, "GET", `${v1}/clusters/${id}/kubeconfig`);

  async function placed() {
    const { id } = (await api.ask("ann", "POST", `${v1}/clusters`, order("one"))).body;
    const placement = {
      hub: "h",
      region: "r",
      at: new Date(0).toISOString(),
      reason: "",
      rejected: [],
      hosts: {},
    };
    await changeObject(api.deps, "cluster", asClusterId(id), (cluster) => ({
      ...cluster,
      placement: placement as never,
    }));
    return id;
  }

  it("is given out only once the audit has it, without what it says", async () => {
    const id = await placed();
    api.deps.hubClients.set("h", {
      credentials: { readKubeconfig: async () => "canary-kubeconfig" },
    });
    expect((await credential("ann", id)).text).toBe("canary-kubeconfig");
    expect((await entriesOf("tenant-a")).slice(1)).toMatchObject([
      { verb: "credentials", object_id: id, result: "AUDIT_RESULT_GRANTED" },
    ]);
    expect(api.dump()).not.toContain("canary");

    api.deps.store.transact = async () => {
      throw new Error("the store is unreachable");
    };
    const { status, text } = await credential("ann", id);
    expect({ status, text }).toMatchObject({
      status: 500,
      text: expect.not.stringContaining("canary"),
    });
  });

  it("that a viewer asks for is told, too", async () => {
    const id = await placed();
    await api.ask("auditor", "GET", `${v1}/clusters/${id}/password`);
    expect((await entriesOf("tenant-a")).slice(1)).toMatchObject([
      { actor: people.auditor, verb: "credentials", reason: "Forbidden", status: 403 },
    ]);
  });

  it("that was refused is told in the audit of who asked", async () => {
    const id = await placed();
    expect((await credential("bob", id)).status).toBe(404);
    expect((await credential("bob", "nothing")).status).toBe(404);
    const refused = { result: "AUDIT_RESULT_REFUSED", reason: "NotFound" };
    expect(await entriesOf("tenant-b")).toMatchObject([
      { ...refused, object_id: id },
      { ...refused, object_id: "nothing" },
    ]);
    expect(await entriesOf("tenant-a")).toHaveLength(1);
  });
});

describe("the verifier", () => {
  it("reads a whole audit, and finds what was done to it in the store", async () => {
    for (let n = 0; n < 60; n++) await api.ask("ann", "POST", `${v1}/clusters`, order(`c${n}`));
    const whole = await verifyAudit("tenant-a", reached());
    expect(whole).toMatchObject({ entries: 60, faults: [] });

    const { store } = api.deps;
    const chain = whole.heads.findIndex(({ position }) => position > 2);
    const { page, entries } = await readAudit(store, { tenant: "tenant-a", chain }, {});
    const [[first, second], [entry]] = [page.items, entries];
    if (!first || !second || !entry) throw new Error("too few entries");
    const forged = { ...entry, actor: { ...entry.actor, user: "eve" } };
    await store.transact([{ put: { ...first, entry: forged } }, { delete: second }]);
    expect((await verifyAudit("tenant-a", reached(), whole.heads)).faults).toEqual([
      { chain, position: 1, fault: "changed" },
      { chain, position: 2, fault: "removed" },
    ]);
    expect(whole.heads).toHaveLength(auditChains);
  });
});
