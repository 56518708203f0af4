import { beforeEach, describe, expect, it } from "vitest";
import { cephName, parseCephName } from "../../../../../core/ports/storage/ceph/name.ts";
import { order, storageContract, storageFaultContract } from "../contract.ts";
import { cephFixture } from "./fixture.ts";

describe("Ceph keeps the contract", () => {
  storageContract(cephFixture);
  storageFaultContract(cephFixture);
});

describe("Ceph's manager is asked", () => {
  let at: ReturnType<typeof cephFixture>;
  const name = `slipway-tenant-a-${order.id}`;
  const entity = `client.${name}`;
  const namespaces = "/api/block/pool/clusters/namespace";
  const ensure = () => at.run(at.storage.ensure(order));
  const remove = () => at.run(at.storage.remove(order));
  const bodies = () => at.network.asked.map(({ method, path, body }) => ({ method, path, body }));
  const scope = `profile rbd pool=clusters namespace=${name}`;
  beforeEach(() => {
    at = cephFixture();
  });

  it("to log in, for a namespace, and for a user that sees nothing else", async () => {
    await ensure();
    expect(bodies()).toEqual([
      {
        method: "POST",
        path: "/api/auth",
        body: { username: "admin", password: at.sim.password },
      },
      { method: "POST", path: namespaces, body: { namespace: name } },
      {
        method: "POST",
        path: "/api/cluster/user",
        body: {
          user_entity: entity,
          capabilities: [
            { entity: "mon", cap: "profile rbd" },
            { entity: "osd", cap: scope },
            { entity: "mgr", cap: scope },
          ],
        },
      },
    ]);
    const headers = at.network.asked.map((asked) => asked.headers);
    expect(headers.map(({ accept }) => accept)).toEqual(
      Array(3).fill("application/vnd.ceph.api.v1.0+json"),
    );
    expect(headers.map(({ authorization }) => authorization?.startsWith("Bearer "))).toEqual([
      undefined,
      true,
      true,
    ]);
  });

  it("as a user who has lost its rights: waits for these to come back", async () => {
    at.sim.role = "read-only";
    for (const call of ["ensure", "access", "remove"] as const)
      await expect(at.run<unknown>(at.storage[call](order))).rejects.toMatchObject({
        kind: "Unavailable",
        message: expect.stringContaining("our user lacks a permission"),
      });
    at.sim.role = "administrator";
    await ensure();
    expect(await remove()).toEqual([]);
  });

  it("for one user's key, never for the list with everybody's", async () => {
    await ensure();
    at.network.asked.length = 0;
    const access = await at.run(at.storage.access(order));
    expect(bodies()).toEqual([
      { method: "POST", path: "/api/cluster/user/export", body: { entities: [entity] } },
      { method: "GET", path: namespaces, body: undefined },
      { method: "GET", path: "/api/monitor", body: undefined },
    ]);
    expect(access).toEqual({
      clusterId: at.sim.fsid,
      monitors: ["192.168.77.11:6789", "192.168.77.12:6789", "192.168.77.13:6789"],
      pool: "clusters",
      namespace: name,
      user: name,
      key: at.sim.records.user(entity)?.key,
    });
  });

  it("to remove the namespace, then the user", async () => {
    await ensure();
    at.network.asked.length = 0;
    await remove();
    expect(at.network.calls).toEqual([
      `GET ${namespaces}`,
      `DELETE ${namespaces}/${name}`,
      `DELETE /api/cluster/user/${entity}`,
    ]);
  });

  it("to remove no namespace that is not there, because it answers 500 to that", async () => {
    expect((await at.ask("DELETE", `${namespaces}/${name}`)).status).toBe(500);
    await remove();
    expect(at.network.calls).not.toContain(`DELETE ${namespaces}/${name}`);
  });

  it("to log in once for calls at the same time", async () => {
    await at.run(Promise.all([at.storage.observe(order), at.storage.observe(order)]));
    expect(at.network.calls.filter((call) => call === "POST /api/auth")).toHaveLength(1);
  });

  it("for a user that has other rights: a conflict, and it stays as it is", async () => {
    const capabilities = [{ entity: "mon", cap: "allow r" }];
    const foreign = { user_entity: entity, capabilities };
    await at.ask("POST", "/api/cluster/user", foreign);
    await expect(ensure()).rejects.toMatchObject({
      kind: "Conflict",
      message: `the storage user ${entity} exists with other rights`,
    });
    expect(at.sim.records.user(entity)?.caps).toEqual({ mon: "allow r" });
  });

  it("to remove volumes of which one is gone meanwhile: gone is removed", async () => {
    await ensure();
    for (const volume of ["pvc-1", "pvc-2"]) await at.addVolume(name, volume);
    at.network.before = async ({ method }) => {
      if (method === "DELETE" && at.sim.records.images().length === 2)
        await at.removeVolume(name, "pvc-1");
    };
    await at.run(at.storage.removeVolumes(order));
    expect(at.sim.records.images()).toEqual([]);
  });

  it("for a pool that it does not have, and says what it said", async () => {
    const storage = at.adapter({ pool: "nowhere" });
    await expect(at.run(storage.ensure(order))).rejects.toMatchObject({
      kind: "Rejected",
      message:
        "the storage refuses: [errno 2] RADOS object not found (error opening pool 'nowhere')",
    });
  });

  it("for a user that has other rights, also in the words of Reef", async () => {
    const detail = `[errno -22] entity ${entity} exists but caps do not match in command auth add`;
    const token = at.sim.newToken();
    const fetch = async (url: string) =>
      url.endsWith("/user")
        ? Response.json({ detail, code: "400", component: null }, { status: 400 })
        : Response.json({ token }, { status: 201 });
    await expect(at.run(at.adapter({ fetch }).ensure(order))).rejects.toMatchObject({
      kind: "Conflict",
    });
  });

  it.each([
    [{ detail: "[errno -110] error connecting", code: "500", component: null }, 400],
    [{ detail: "[errno 16] busy", code: "16", component: "rbd" }, 400],
    [{}, 303],
  ])("while it is not able to: %j with %i", async (body, status) => {
    const token = at.sim.newToken();
    const fetch = async (url: string) =>
      url.endsWith("/api/auth")
        ? Response.json({ token }, { status: 201 })
        : Response.json(body, { status });
    const storage = at.adapter({ fetch });
    await expect(at.run(storage.ensure(order))).rejects.toMatchObject({ kind: "Unavailable" });
  });
});

describe("a name in Ceph", () => {
  it("names its tenant and its order", () => {
    const owner = { ...order, tenant: "a-b-1" };
    expect(parseCephName(cephName(owner))).toEqual({ ...order, tenant: "a-b-1" });
  });
  it.each(["slipway", "slipway-x", "kubernetes", `slipway-${order.id}`])(
    "that is %s is not ours",
    (name) => {
      expect(parseCephName(name)).toBeUndefined();
    },
  );
});
