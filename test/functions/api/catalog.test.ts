import { beforeEach, describe, expect, it } from "vitest";
import { asClusterId } from "../../../core/id.ts";
import { changeObject } from "../../../core/kernel/events/rewrite.ts";
import { poolKey } from "../../../core/kernel/object/hub-keys.ts";
import { mustLoad } from "../../../core/kernel/object/records.ts";
import { act } from "../../../core/kernel/request/action.ts";
import {
  admitHost,
  claimHost,
  releaseHost,
  withdrawHost,
} from "../../../core/placement/pool/entries.ts";
import { adjustPool } from "../../../core/placement/reserve/adjust.ts";
import { actions } from "../../../core/resources/host/actions.ts";
import { type Api, catalogApi, order, priv, v1 } from "../../support/api.ts";
import { interrupted } from "../../support/interrupted-store.ts";
import { freeEntry, readyAgent } from "../../support/placement.ts";

let api: Api;
beforeEach(async () => {
  api = await catalogApi();
});

const admin = (method: string, path: string, body?: unknown, headers = {}) =>
  api.ask("admin", method, `${priv}/${path}`, body, headers);
const fields = (body: { errors: { field: string }[] }) => body.errors.map(({ field }) => field);

const kubeconfig = (user: object = { token: "canary-token" }) =>
  JSON.stringify({
    contexts: [{ name: "c", context: { cluster: "k", user: "u" } }],
    clusters: [{ name: "k", cluster: { server: "https://hub.example.com:6443" } }],
    users: [{ name: "u", user }],
  });
const hub = (id: string, spec: object = {}) => ({
  id,
  metadata: { name: id },
  spec: {
    region: "eu",
    capacity: 5,
    base_domain: "example.com",
    kubeconfig: kubeconfig(),
    ...spec,
  },
});
const host = (name: string, mac: string, spec: object = {}) => ({
  id: name,
  metadata: { name },
  spec: {
    host_type: "small",
    hub: "hub-1",
    bmc: { address: "redfish://10.0.0.1/1" },
    nics: [{ name: "eth0", mac, switch: "leaf-1", port: "1" }],
    ...spec,
  },
});

describe("catalog kinds", () => {
  it("have their name as id where a name is a reference", async () => {
    const { body } = await admin("GET", "host_types/small");
    expect(body).toMatchObject({
      id: "small",
      metadata: { name: "small", tenant: "shared" },
      title: "Small",
    });
    const other = await admin("POST", "host_types", { id: "x", metadata: { name: "tiny" } });
    expect(fields(other.body)).toEqual(["id"]);
  });

  it("are changed and deleted by administrators", async () => {
    const changed = await admin("PATCH", "host_types/small", { description: "2 cores" });
    expect(changed.body).toMatchObject({
      title: "Small",
      description: "2 cores",
      metadata: { version: 1 },
    });
    expect((await admin("DELETE", "cluster_templates/ocp_small")).status).toBe(200);
    expect(await admin("DELETE", "host_types/small")).toMatchObject({ status: 200, body: {} });
    expect((await admin("GET", "host_types/small")).status).toBe(404);
    expect((await admin("GET", "host_types")).body.total).toBe(1);
    expect((await admin("POST", "host_types", { metadata: { name: "small" } })).status).toBe(200);
  });

  it("refuse a template with every field that is wrong", async () => {
    const { status, body } = await admin("POST", "cluster_templates", {
      metadata: { name: "bad" },
      node_sets: {
        workers: { host_type: "huge", size: 1 },
        gpu: { host_type: { name: "none" }, size: 1 },
      },
      parameters: [
        { name: "a", type: "integer", default: "x" },
        { name: "a", type: "date" },
      ],
      spec_defaults: { version: { name: "9-9" } },
    });
    expect(status).toBe(400);
    expect(fields(body)).toEqual([
      "node_sets.gpu.host_type",
      "node_sets.workers.host_type",
      "parameters[0].default",
      "parameters[1].name",
      "parameters[1].type",
      "spec_defaults.version",
    ]);
  });

  it.each([
    [{ type: "constructor" }, "type"],
    [{ type: "type.googleapis.com/google.protobuf.toString" }, "type"],
    [{ type: "number", default: 1e308 }, "default"],
    [{ type: "number", schema: { minimum: -1e308 } }, "schema.minimum"],
  ])("refuse the parameter %j", async (parameter, field) => {
    const { status, body } = await admin("POST", "cluster_templates", {
      metadata: { name: "bad" },
      node_sets: { workers: { host_type: "small", size: 1 } },
      parameters: [{ name: "a", ...parameter }],
    });
    expect(status).toBe(400);
    expect(fields(body)).toEqual([`parameters[0].${field}`]);
  });

  it("have one default version, however many are made at once: the last one", async () => {
    const answers = await Promise.all(
      [1, 2, 3, 4].map((n) =>
        admin("POST", "cluster_versions", {
          metadata: { name: `4-19-${n}` },
          spec: { version: `4.19.${n}`, image: "quay.io/x", is_default: true },
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const filter = encodeURIComponent("this.spec.is_default");
    const { items } = (await admin("GET", `cluster_versions?filter=${filter}`)).body;
    expect(items).toHaveLength(1);
    const cluster = await api.ask("ann", "POST", `${v1}/clusters`, order("one"));
    expect(cluster.body.spec.version.id).toBe(items[0].id);
  });

  it("have a default that moves, told of both, and goes with its version", async () => {
    const spec = { version: "4.18.0", image: "quay.io/x", is_default: true };
    await admin("POST", "cluster_versions", { metadata: { name: "4-18-0" }, spec });
    const former = await admin("GET", "cluster_versions/4-17-0");
    expect(former.body).toMatchObject({ metadata: { version: 1 }, spec: { is_default: false } });
    const told = api.deps.store
      .stream(undefined, 100)
      .filter(({ key }) => JSON.stringify(key).includes("4-17-0"));
    expect(told.at(-1)?.after?.object).toMatchObject({
      event: { changed: ["metadata.version", "spec.is_default"] },
    });
    await admin("PATCH", "cluster_versions/4-17-0", { spec: { is_default: true } });
    expect((await admin("GET", "cluster_versions/4-18-0")).body.spec.is_default).toBe(false);
    await admin("DELETE", "cluster_versions/4-17-0");
    const { body } = await api.ask("ann", "POST", `${v1}/clusters`, order("one"));
    expect(fields(body)).toEqual(["spec.version"]);
  });

  it("have a version once, however it is called and however many ask at once", async () => {
    const post = (name: string) =>
      admin("POST", "cluster_versions", {
        metadata: { name },
        spec: { version: "8.8.8", image: "quay.io/x" },
      });
    const answers = await Promise.all(["d1", "d2", "d3"].map(post));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const made = answers.find(({ status }) => status === 200)?.body.id;
    await admin("DELETE", `cluster_versions/${made}`);
    expect((await post("d4")).status).toBe(200);
  });

  it("have no default version that is obsolete", async () => {
    const spec = { version: "4.18.0", image: "quay.io/x", is_default: true };
    const obsolete = await admin("PATCH", "cluster_versions/4-17-0", { spec: { state: 3 } });
    expect(fields(obsolete.body)).toEqual(["spec.is_default"]);
    const moved = await admin("PATCH", "cluster_versions/4-17-0", {
      spec: { state: 2, is_default: false },
    });
    expect(moved.body.spec).toMatchObject({
      state: "CLUSTER_VERSION_STATE_DEPRECATED",
      is_default: false,
      deprecation: { deprecation_timestamp: expect.any(String) },
    });
    const { deprecation } = moved.body.spec;
    const gone = await admin("PATCH", "cluster_versions/4-17-0", { spec: { state: 3 } });
    expect(gone.body.spec.deprecation).toEqual({
      ...deprecation,
      obsolescence_timestamp: expect.any(String),
    });
    const back = await admin("PATCH", "cluster_versions/4-17-0", { spec: { state: 1 } });
    expect(back.body.spec).not.toHaveProperty("deprecation");
    expect(
      (await admin("POST", "cluster_versions", { metadata: { name: "4-18-0" }, spec })).status,
    ).toBe(200);
  });
});

describe("a hub", () => {
  it("is registered by a kubeconfig that only the secret store has", async () => {
    for (const [id, text] of [
      ["hub-1", kubeconfig()],
      ["hub-2", Buffer.from(kubeconfig()).toString("base64")],
    ] as const) {
      const {
        status,
        body,
        text: answer,
      } = await admin("POST", "hubs", hub(id, { kubeconfig: text }));
      expect(status, answer).toBe(200);
      expect(body).toMatchObject({
        id,
        spec: { server: "https://hub.example.com:6443", region: "eu" },
        status: { state: "HUB_STATE_PENDING" },
      });
      expect(answer).not.toContain("canary");
    }
    expect([...api.deps.secretValues.values()]).toEqual([kubeconfig(), kubeconfig()]);
    expect(JSON.stringify(api.deps.store.stream(undefined, 10_000))).not.toContain("canary");
  });

  it("is refused with a kubeconfig that runs commands or reads files, and nothing is kept", async () => {
    const before = api.dump();
    for (const user of [
      { exec: { command: "sh" } },
      { tokenFile: "/etc/passwd" },
      { "client-key": "/etc/key" },
    ]) {
      const { status, body } = await admin(
        "POST",
        "hubs",
        hub("hub-1", { kubeconfig: kubeconfig(user), tenants: [""] }),
      );
      expect(status).toBe(400);
      expect(fields(body)).toContain("spec.tenants[0]");
      expect(
        fields(body).some((field: string) => field.startsWith("spec.kubeconfig.users[0].user.")),
      ).toBe(true);
    }
    const missing = await admin("POST", "hubs", hub("hub-1", { kubeconfig: null }));
    expect(fields(missing.body)).toEqual(["spec.kubeconfig"]);
    expect(api.dump()).toBe(before);
  });

  it("is incomplete until it has all that orders need, and then stays so", async () => {
    const needed = { region: null, capacity: null, base_domain: null };
    const { body } = await admin("POST", "hubs", hub("hub-1", { ...needed, namespace: "osac" }));
    expect(body).toMatchObject({
      spec: { namespace: "osac" },
      status: {
        state: "HUB_STATE_INCOMPLETE",
        message:
          "no order is placed on this hub until it has spec.base_domain, spec.capacity, spec.region",
      },
    });
    const said = { region: "eu", capacity: 5 };
    const some = await admin("PATCH", "hubs/hub-1", { spec: said });
    expect(some.body.status.message).toBe(
      "no order is placed on this hub until it has spec.base_domain",
    );
    const whole = await admin("PATCH", "hubs/hub-1", { spec: { base_domain: "example.com" } });
    expect(whole.body.status).toEqual({ state: "HUB_STATE_PENDING" });
    const cleared = await admin("PATCH", "hubs/hub-1", { spec: needed });
    expect(fields(cleared.body)).toEqual(["spec.base_domain", "spec.capacity", "spec.region"]);
  });

  it("keeps its credentials when a second registration of its id is refused", async () => {
    await admin("POST", "hubs", hub("hub-1"));
    const again = await admin(
      "POST",
      "hubs",
      hub("hub-1", { kubeconfig: kubeconfig({ token: "other" }) }),
    );
    expect(again.status).toBe(409);
    expect([...api.deps.secretValues.values()]).toEqual([kubeconfig()]);
  });

  it("is cordoned and gets new credentials by PATCH", async () => {
    await admin("POST", "hubs", hub("hub-1"));
    const cordoned = await admin("PATCH", "hubs/hub-1", { spec: { cordoned: true, capacity: 7 } });
    expect(cordoned.body.spec).toMatchObject({ cordoned: true, capacity: 7, region: "eu" });
    await admin("PATCH", "hubs/hub-1", { spec: { kubeconfig: kubeconfig({ token: "new" }) } });
    expect([...api.deps.secretValues.values()]).toEqual([kubeconfig({ token: "new" })]);
    const { body } = await admin("GET", "hubs/hub-1");
    const before = api.dump();
    expect((await admin("PATCH", "hubs/hub-1", body)).status).toBe(200);
    expect(api.dump()).toBe(before);
  });

  it("is not deleted while clusters or hosts are on it", async () => {
    await admin("POST", "hubs", hub("hub-1"));
    await admin("POST", "hosts", host("h1", "52:54:00:00:00:01"));
    expect((await admin("DELETE", "hubs/hub-1")).body).toMatchObject({ status: 400, code: 9 });
    await admin("DELETE", "hosts/h1");
    const cluster = await api.ask("ann", "POST", `${v1}/clusters`, order("one"));
    await changeObject(api.deps, "cluster", asClusterId(cluster.body.id), (each) => ({
      ...each,
      placement: {
        hub: "hub-1" as never,
        at: each.event.time,
        reason: "test",
        rejected: [],
        hosts: {},
      },
    }));
    expect((await admin("DELETE", "hubs/hub-1")).body).toMatchObject({ status: 400, code: 9 });
    await changeObject(api.deps, "cluster", cluster.body.id, ({ placement: _, ...rest }) => rest);
    expect((await admin("DELETE", "hubs/hub-1")).status).toBe(200);
    expect(api.deps.secretValues.size).toBe(0);
  });
});

describe("a host", () => {
  beforeEach(async () => {
    await admin("POST", "hubs", hub("hub-1"));
    await admin("POST", "hubs", hub("hub-2"));
    await admin("POST", "hosts", host("h1", "52:54:00:00:00:01"));
  });
  const place = { hub: "hub-1", hostType: "small" };
  const poolState = async (id: string, on = "hub-1") =>
    (await api.deps.store.get(poolKey(on, "small", id)))?.state;

  it("has MAC addresses that nobody else has", async () => {
    const two = { name: "eth1", mac: "52:54:00:00:00:02", switch: "leaf-1", port: "2" };
    const taken = host("h2", "52:54:00:00:00:01", {
      nics: [two, two, { ...two, mac: "52:54:00:00:00:01" }],
    });
    const { status, body } = await admin("POST", "hosts", taken);
    expect(status).toBe(400);
    expect(fields(body)).toEqual(["spec.nics[1].mac", "spec.nics[2].mac"]);
    const all = await Promise.all(
      [3, 4, 5].map((n) => admin("POST", "hosts", host(`h${n}`, "52:54:00:00:00:09"))),
    );
    expect(all.map((answer) => answer.status).sort()).toEqual([200, 400, 400]);
  });

  it("gives its addresses up when they change and when it goes", async () => {
    await admin("PATCH", "hosts/h1", {
      spec: { nics: [{ name: "eth0", mac: "52:54:00:00:00:0a", switch: "s", port: "1" }] },
    });
    expect((await admin("POST", "hosts", host("h2", "52:54:00:00:00:01"))).status).toBe(200);
    await admin("DELETE", "hosts/h1");
    expect((await admin("POST", "hosts", host("h3", "52:54:00:00:00:0a"))).status).toBe(200);
  });

  it("leaves the pool when it goes into maintenance, moves or goes", async () => {
    await api.deps.store.transact([admitHost(place, "h1")]);
    await admin("POST", "hosts/h1/maintain");
    expect(await poolState("h1")).toBe("out");
    await admin("PATCH", "hosts/h1", { spec: { hub: "hub-2" } });
    expect(await poolState("h1")).toBeUndefined();
    await admin("DELETE", "hosts/h1");
    expect(await poolState("h1", "hub-2")).toBeUndefined();
  });

  it("stays where it is while a cluster holds it", async () => {
    await api.deps.store.transact([admitHost(place, "h1")]);
    await api.deps.store.transact([
      claimHost(place, "h1", { kind: "cluster", id: "c1", tenant: "acme" }),
    ]);
    expect((await admin("DELETE", "hosts/h1")).body).toMatchObject({ status: 400, code: 9 });
    expect((await admin("PATCH", "hosts/h1", { spec: { hub: "hub-2" } })).body).toMatchObject({
      status: 400,
      code: 9,
    });
    expect(await poolState("h1")).toBe("held");
  });

  it.each([
    ["comes back into the pool", () => withdrawHost(place, "h1", freeEntry), async () => {}],
    [
      "is released by its cluster",
      (cluster: string) => [
        claimHost(place, "h1", { kind: "cluster", id: cluster, tenant: "acme" }),
      ],
      (cluster: string) => api.deps.store.transact([releaseHost(place, "h1", cluster, true)]),
    ],
  ])("that %s while it goes into maintenance leaves the pool", async (_, before, meanwhile) => {
    const cluster = await api.ask("ann", "POST", `${v1}/clusters`, order("one"));
    const agent = readyAgent("hub-1", "agent-h1", "2026-01-01T00:00:00.000Z");
    await changeObject(api.deps, "host", "h1", (each) => ({
      ...each,
      status: { ...each.status, agent },
    }));
    // From now on the pool alone changes, and not the host's record.
    await adjustPool(api.deps, "h1");
    await api.deps.store.transact(before(cluster.body.id));
    const store = interrupted(api.deps.store, async () => {
      await meanwhile(cluster.body.id);
      await adjustPool(api.deps, "h1");
      expect(await poolState("h1")).toBe("free");
    });
    const root = { user: "root", tenant: "", everywhere: true };
    const request = { deps: { ...api.deps, store }, caller: root, id: "h1", match: {}, input: {} };
    await act("host", actions.maintain, request);
    expect(await poolState("h1")).toBe("out");
    const { departing } = await mustLoad(api.deps, "cluster", cluster.body.id);
    expect(departing).toBeUndefined();
  });

  it("names a hub and a host type that are there", async () => {
    const { body } = await admin(
      "POST",
      "hosts",
      host("h2", "52:54:00:00:00:0f", { hub: "none", host_type: "huge", color: 1 }),
    );
    expect(fields(body)).toEqual(["spec.color", "spec.host_type", "spec.hub"]);
  });
});
