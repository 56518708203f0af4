import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { openDatabase } from "../../../sim/database.ts";
import { Faults } from "../../../sim/faults.ts";
import { SimulatedCeph } from "../../../sim/storage/ceph.ts";
import { seeded } from "../../support/random.ts";
import { VirtualClock } from "../../support/virtual-clock.ts";

const namespaces = "/api/block/pool/clusters/namespace";
const name = "slipway-tenant-a-0197b2d0-1111-7000-8000-000000000001";
const entity = `client.${name}`;

function open(path = ":memory:", clock = new VirtualClock(), seed = 1) {
  const database = openDatabase(path);
  const faults = new Faults(database);
  const sim = new SimulatedCeph({ database, clock, wall: clock, random: seeded(seed), faults });
  sim.addPool("clusters");
  return { sim, clock, database };
}

describe("the simulated Ceph manager", () => {
  let at: ReturnType<typeof open>;
  let token: string;
  const ask = async (method: string, path: string, body?: object, version = "v1.0") => {
    const response = await at.sim.handle(
      new Request(`https://mgr.test:8443${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(version !== "" && { accept: `application/vnd.ceph.api.${version}+json` }),
        },
        ...(body && { body: JSON.stringify(body) }),
      }),
    );
    const text = await response.text();
    return [response.status, text === "" ? "" : JSON.parse(text)];
  };
  const user = (cap: string) => ({
    user_entity: entity,
    capabilities: [{ entity: "mon", cap }],
  });
  beforeEach(() => {
    at = open();
    token = at.sim.newToken();
  });

  it("gives tokens, which end after 8 hours or at a logout", async () => {
    const { username, password } = at.sim;
    const [status, session] = await ask("POST", "/api/auth", { username, password });
    expect([status, session]).toEqual([
      201,
      expect.objectContaining({ token: expect.any(String), username, pwdUpdateRequired: false }),
    ]);
    token = session.token;
    expect((await ask("GET", namespaces))[0]).toBe(200);
    await at.clock.advance(8 * 3_600_000);
    expect(await ask("GET", namespaces)).toEqual([
      401,
      expect.objectContaining({
        status: "401 Unauthorized",
        detail: "You are not authorized to access that resource",
      }),
    ]);
    token = at.sim.newToken();
    expect((await ask("POST", "/api/auth/logout"))[0]).toBe(200);
    expect((await ask("GET", namespaces))[0]).toBe(401);
  });

  it("answers 400 to wrong credentials", async () => {
    expect(await ask("POST", "/api/auth", { username: "admin", password: "no" })).toEqual([
      400,
      { detail: "Invalid credentials", code: "invalid_credentials", component: "auth" },
    ]);
  });

  it.each([
    [namespaces, "", "Unable to find version in request header"],
    [namespaces, "v2.0", "Incorrect version: endpoint is '1.0', client requested '2.0'"],
    [namespaces, "v1.1", "Incorrect version: endpoint is '1.0', client requested '1.1'"],
    ["/api/block/image", "v1.0", "Incorrect version: endpoint is '2.0', client requested '1.0'"],
  ])("wants %s to be asked for in its version, not %s", async (path, version, detail) => {
    expect(await ask("GET", path, undefined, version)).toEqual([
      415,
      expect.objectContaining({ status: "415 Unsupported Media Type", detail }),
    ]);
  });

  it("has namespaces of pools", async () => {
    expect(await ask("POST", namespaces, { namespace: name })).toEqual([201, null]);
    expect(await ask("POST", namespaces, { namespace: name })).toEqual([
      400,
      { detail: "Namespace already exists", code: "namespace_already_exists", component: "rbd" },
    ]);
    const image = { name: "pvc-1", pool_name: "clusters", namespace: name, size: 1024 };
    expect((await ask("POST", "/api/block/image", image))[0]).toBe(201);
    expect((await ask("POST", "/api/block/image", image))[0]).toBe(400);
    expect(await ask("GET", namespaces)).toEqual([200, [{ namespace: name, num_images: 1 }]]);
    const [, [listed]] = await ask("GET", "/api/block/image", undefined, "v2.0");
    expect(listed).toMatchObject({ pool_name: "clusters", value: [{ name: "pvc-1" }] });
    expect(await ask("DELETE", `${namespaces}/${name}`)).toEqual([
      400,
      {
        detail: "Namespace contains images which must be deleted first",
        code: "namespace_contains_images",
        component: "rbd",
      },
    ]);
    const spec = encodeURIComponent(`clusters/${name}/pvc-1`);
    expect(await ask("DELETE", `/api/block/image/${spec}`)).toEqual([204, ""]);
    expect(await ask("DELETE", `${namespaces}/${name}`)).toEqual([204, ""]);
    expect((await ask("DELETE", `${namespaces}/${name}`))[0]).toBe(500);
    expect(await ask("GET", "/api/block/pool/none/namespace")).toEqual([
      400,
      expect.objectContaining({ code: "2", component: "rbd" }),
    ]);
  });

  it("has users, of which the same may be made again", async () => {
    const made = [201, `Successfully created user '${entity}'`];
    expect(await ask("POST", "/api/cluster/user", user("profile rbd"))).toEqual(made);
    const key = at.sim.records.user(entity)?.key;
    expect(await ask("POST", "/api/cluster/user", user("profile rbd"))).toEqual(made);
    expect(at.sim.records.user(entity)?.key).toBe(key);
    expect(await ask("POST", "/api/cluster/user", user("allow *"))).toEqual([
      400,
      {
        detail: `[errno -22] entity ${entity} exists but cap mon does not match`,
        code: "400",
        component: null,
      },
    ]);
    expect((await ask("PUT", "/api/cluster/user", user("allow r")))[0]).toBe(200);
    const [status, keyring] = await ask("POST", "/api/cluster/user/export", { entities: [entity] });
    expect(status).toBe(200);
    expect(keyring).toBe(`[${entity}]\n\tkey = ${key}\n\tcaps mon = "allow r"\n\n`);
    expect(key).toMatch(/^AQ[A-Za-z0-9+/]{36}==$/);
    expect(await ask("DELETE", `/api/cluster/user/${entity}`)).toEqual([204, ""]);
    expect(await ask("DELETE", `/api/cluster/user/${entity}`)).toEqual([204, ""]);
    const [code, refusal] = await ask("POST", "/api/cluster/user/export", { entities: [entity] });
    expect([code, refusal.code]).toEqual([400, "500"]);
    expect(refusal.detail).toMatch(/^\[errno -2\] /);
    expect((await ask("PUT", "/api/cluster/user", user("allow r")))[0]).toBe(400);
  });

  it("tells what exists and whose it is, but for the administrator", async () => {
    await ask("POST", namespaces, { namespace: name });
    await ask("POST", namespaces, { namespace: "kubernetes" });
    await ask("POST", "/api/cluster/user", user("profile rbd"));
    const image = { name: "pvc-1", pool_name: "clusters", namespace: name, size: 1024 };
    await ask("POST", "/api/block/image", image);
    const id = "0197b2d0-1111-7000-8000-000000000001";
    const owner = { tenant: "tenant-a", kind: "cluster", id };
    const system = "storage";
    expect(at.sim.ledger()).toEqual([
      { kind: "rbd_namespace", id: `clusters/${name}`, system, owner },
      { kind: "rbd_namespace", id: "clusters/kubernetes", system, owner: null },
      { kind: "rbd_image", id: `clusters/${name}/pvc-1`, system, owner },
      { kind: "ceph_user", id: entity, system, owner },
    ]);
  });

  it("goes on with all of it when it is opened again", async () => {
    const folder = mkdtempSync(join(tmpdir(), "ceph-"));
    try {
      at = open(join(folder, "world.db"));
      token = at.sim.newToken();
      await ask("POST", namespaces, { namespace: name });
      await ask("POST", "/api/cluster/user", user("profile rbd"));
      const before = at;
      at.database.close();
      at = open(join(folder, "world.db"), before.clock, 2);
      expect([at.sim.fsid, at.sim.password]).toEqual([before.sim.fsid, before.sim.password]);
      expect(await ask("GET", namespaces)).toEqual([200, [{ namespace: name, num_images: 0 }]]);
      expect(at.sim.ledger()).toHaveLength(2);
      at.database.close();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
