import { beforeEach, expect, it } from "vitest";
import { siteParts } from "../../../core/at-site/at-site.ts";
import { withPart } from "../../../core/at-site/parts.ts";
import { bounds } from "../../../core/bounds.ts";
import { AppError } from "../../../core/error.ts";
import { changeObject } from "../../../core/kernel/events/rewrite.ts";
import { objectKey } from "../../../core/kernel/object/keys.ts";
import type { Kind } from "../../../core/kernel/object/object.ts";
import type { ObjectOf } from "../../../core/kernel/object/object-of.ts";
import { mustLoad, putNew } from "../../../core/kernel/object/records.ts";
import { relay } from "../../../core/kernel/relay/relay.ts";
import { newEntry, waiting } from "../../../core/kernel/saga/entry.ts";
import { halt } from "../../../core/kernel/saga/halt.ts";
import { newOperation } from "../../../core/kernel/saga/new-operation.ts";
import type { Operation } from "../../../core/kernel/saga/operation.ts";
import { actionsOf, pending } from "../../../core/kernel/saga/saga.ts";
import { settle } from "../../../core/kernel/saga/settle.ts";
import { AnotherServer } from "../../../core/machine/identity.ts";
import { mintToken } from "../../../core/machine/tokens.ts";
import type { BareMetalServer } from "../../../core/ports/bare-metal/server.ts";
import { withOpen } from "../../../core/ports/bare-metal/servers.ts";
import { newsKinds } from "../../../core/ports/hub/reported-kinds.ts";
import { unavailable } from "../../../core/ports/kubernetes/cluster-operators.ts";
import { toldOf } from "../../../core/ports/orphan.ts";
import { noteUnreached } from "../../../core/reconcile/reach.ts";
import { takeReport } from "../../../core/reconcile/report.ts";
import type { BaremetalInstance } from "../../../core/resources/baremetal-instance/model.ts";
import { refreshOperators } from "../../../core/resources/cluster/refresh-operators.ts";
import type { Dpu } from "../../../core/resources/dpu/model.ts";
import { differencesIn } from "../../../core/resources/host/differences.ts";
import { withVersions } from "../../../core/resources/host/firmware.ts";
import { onServerOf } from "../../../core/resources/host/on-server.ts";
import { type DriveRecord, drivesToKeep, withServer } from "../../../core/resources/host/server.ts";
import { noteHealth } from "../../../core/resources/host/take-health.ts";
import { resultsOf, validation } from "../../../core/resources/host/validation.ts";
import { siteController } from "../../../functions/site-controller/app.ts";
import { sagas } from "../../../statemachines/index.ts";
import { type Api, catalogApi, priv } from "../../support/api.ts";
import { clusterRecord } from "../../support/cluster-record.ts";
import { newsOfKind } from "../../support/news.ts";
import { noise } from "../../support/noise.ts";
import { addHosts, addHub, hostRecord, macOf } from "../../support/placement.ts";

/**
 * Whoever reports of an object, however much it says, leaves room in the object's item for everybody else: what is
 * not people's own has at most so many bytes of JSON.
 */
const room = 112 * 1024;
/** Of hosts, which have many reporters, and of DPUs, whose configuration is there. */
const roomOf: Partial<Record<Kind, number>> = { host: 306 * 1024, dpu: 256 * 1024 };

const long = 300_000;
const times = <T>(count: number, of: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => of(n));

let api: Api;
let version: number;

const put = (...objects: ObjectOf[Kind][]) =>
  api.deps.store.transact(objects.flatMap((object) => putNew(api.deps.kinds, object)));

/** Bytes of what is not people's own, and of its event alone. */
async function ownBytes(kind: Kind, id: string): Promise<{ own: number; event: number }> {
  const item = await api.deps.store.get(objectKey(kind, id));
  if (!item) throw new Error(`no ${kind} ${id}`);
  // Everything in a record is JSON.
  const { metadata: _, spec: __, ...own } = item.object as Record<string, unknown>;
  const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
  return { own: bytes(own), event: bytes(own.event) };
}

const worst = { reason: noise(2000), message: noise(long) };

/** Conditions of an operator that has much to say of everything. */
const allBad = (...types: string[]) => types.map((type) => ({ type, status: "False", ...worst }));

const reported = (
  kind: "Agent" | "HostedCluster" | "NodePool",
  { labels = {}, name = "x", status = {}, spec = {} },
) =>
  takeReport(api.deps, sagas, {
    hub: "hub-9",
    heartbeat: false,
    news: [
      newsOfKind(kind, {
        metadata: { name, labels, resourceVersion: String(version++), uid: "u".repeat(128) },
        status,
        spec,
      }),
    ],
  });

const token = async (kind: "dpu" | "baremetal_instance" | "host", id: string) =>
  mintToken(
    api.deps,
    { machine: { kind, id }, serves: { kind, id }, operation: "o1", site: "site-1" },
    { guard: async () => {}, fence: () => [] },
  );

const asked = async (method: string, path: string, bearer: string, body: unknown) =>
  siteController(api.deps).request(`/site/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${bearer}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });

/** The statuses that a machine's reports are answered with. */
const machineSays = async (
  kind: "dpu" | "host",
  id: string,
  reports: [string, string, unknown][],
) => {
  const bearer = await token(kind, id);
  const statuses: number[] = [];
  for (const [method, path, body] of reports)
    statuses.push((await asked(method, path, bearer, body)).status);
  return statuses;
};

const since = "2026-01-01T00:00:00.000Z";
const boot = { number: 1, phase: "booting", at: since, since } as const;

/** A report within the limits, as large as it can be. */
const alerts = (bytes: number) =>
  times(Math.floor(bytes / 400), (n) => ({
    id: `probe-${n}`,
    target: "t".repeat(20),
    message: noise(60),
    classifications: [],
  }));

let drivesListed = 0;
const controller = {
  identity: async () => ({ serial: noise(long), uuid: noise(long), record: noise(long) }),
  observe: async () => ({
    power: "on",
    media: noise(long),
    task: { state: "failed", message: noise(long) },
  }),
  drives: {
    list: async () =>
      times(drivesListed, (n) => ({
        id: `/redfish/v1/Drives/${n}`,
        name: noise(2000),
        serial: noise(16),
        wwn: noise(16),
        media: "ssd",
        methods: [],
      })),
  },
  firmware: { versions: async () => ({ bmc: noise(long), bios: noise(long) }) },
  close: async () => {},
} as unknown as BareMetalServer;

const cluster = () =>
  ({
    ...clusterRecord(api.deps.clock.now(), "c1"),
    placement: { hub: "hub-9", hosts: {}, at: since, reason: "", rejected: [] },
    site: {
      id: "site-1",
      parts: Object.fromEntries(
        siteParts.map((part) => [part, { state: "done", message: "", at: since }]),
      ),
    },
  }) as unknown as ObjectOf["cluster"];

const operation = async (): Promise<Operation> => {
  const made = newOperation(api.deps, {
    saga: "cluster-create",
    change: "CREATE",
    target: await mustLoad(api.deps, "cluster", "c1"),
    creator: "ann",
  });
  return { ...made, id: "op-1" as Operation["id"], status: { state: "RUNNING" } };
};

/** The states of the saga that has most of them. */
const statesOfLongest = (): string[] =>
  Object.values(sagas)
    .map((saga) => [...actionsOf(saga).keys()])
    .reduce((longest, each) => (each.length > longest.length ? each : longest));

interface Row {
  kind: Kind;
  id: string;
  /** Says as much as it can. */
  says(): Promise<unknown>;
}

const rows: Record<string, Row> = {
  "the agent of a host": {
    kind: "host",
    id: "h001",
    says: () =>
      reported("Agent", {
        name: "agent-h1",
        labels: { [labels.cluster]: noise(long) },
        spec: { clusterDeploymentName: { name: noise(long) } },
        status: {
          debugInfo: { state: noise(long), stateInfo: noise(long) },
          inventory: {
            interfaces: [
              { macAddress: macOf("h001") },
              {
                ipV4Addresses: times(20_000, (n) => `10.${n >> 8}.${n & 255}.1/24`),
                ipV6Addresses: times(2000, (n) => `fe80::${n.toString(16)}%${"z".repeat(200)}/64`),
              },
            ],
          },
        },
      }),
  },
  "the controller of a host, of its identity": {
    kind: "host",
    id: "h001",
    says: async () => {
      const host = await mustLoad(api.deps, "host", "h001");
      const done = onServerOf(api.deps, host, async () => {});
      await done.catch((error: AppError) => expect(error).toBeInstanceOf(AnotherServer));
    },
  },
  "the controller of a host, of its drives, tasks and firmware": {
    kind: "host",
    id: "h001",
    says: () =>
      withOpen(
        api.deps.servers,
        { id: "h001", hub: "hub-9", bmc: { address: "" } },
        async (server) => {
          const { task } = await server.observe("task-1");
          const versions = await server.firmware?.versions();
          const message = task?.message ?? "";
          const listed = async () => (await server.drives?.list()) ?? [];
          // More than a server can have.
          drivesListed = 3000;
          expect(await listed().catch(({ kind }: AppError) => kind)).toBe("Unavailable");
          drivesListed = 90;
          const drives = await listed();
          await changeObject(api.deps, "host", "h001", (host) =>
            withServer(withVersions(host, versions ?? {}, 0), {
              drives: drivesToKeep(
                drives.map(
                  ({ id, name, serial = "", wwn = "" }): DriveRecord => ({
                    ...{ id, name, serial, wwn, message },
                    ...{ method: "block", state: "failed" },
                  }),
                ),
              ),
              update: {
                ...boot,
                operation: "o" as Operation["id"],
                phase: "failed",
                said: message,
              },
            }),
          );
        },
      ),
  },
  "the inventory that an agent has found": {
    kind: "host",
    id: "h001",
    says: async () => {
      const host = await mustLoad(api.deps, "host", "h001");
      const found = {
        ...{ macs: [], serial: noise(long), gpus: [] },
        disks: times(3000, (n) => ({
          ...{ name: noise(300), serial: `${n}${noise(300)}`, bytes: 1, isBootable: true },
        })),
      };
      const foreign = times(1000, (n) => `52:54:00:00:${n >> 8}:${n & 255}`);
      const differences = differencesIn(found, { host, hardware: undefined, foreign });
      await changeObject(api.deps, "host", "h001", (now) => withServer(now, { differences }));
    },
  },
  "tests of hardware": {
    kind: "host",
    id: "h001",
    says: () => {
      const tests = times(64, (n) => `test-${n}`);
      const results = tests.map((id) => ({ id, result: "failed" as const, message: noise(long) }));
      return noteHealth(api.deps, "h001", validation, resultsOf(tests, results));
    },
  },
  "every source of health there can be": {
    kind: "host",
    id: "h001",
    says: async () => {
      for (let n = 0; n < 16; n++) {
        const source = `source-${n}`;
        const said = { source, alerts: alerts(4000) };
        const { status, text } = await api.ask("admin", "POST", `${priv}/hosts/h001/health`, said);
        expect(status, text).toBe(200);
        const override = { ...said, mode: "merge" };
        const path = `${priv}/hosts/h001/health/override`;
        expect((await api.ask("admin", "POST", path, override)).status).toBe(200);
      }
      const own = ["machine", validation, "tenant", ...times(8, (n) => `dpu host-1-dpu-${n}`)];
      for (const source of own)
        await noteHealth(api.deps, "h001", source, {
          successes: [],
          alerts: times(64, (n) => ({
            id: `probe-${n}`,
            target: `DPU ${"d".repeat(250)}`,
            message: noise(1000),
            tenant_message: noise(1000),
            classifications: times(8, () => noise(30)),
          })),
        });
    },
  },
  "a hub of a control plane": {
    kind: "cluster",
    id: "c1",
    says: () =>
      reported("HostedCluster", {
        labels: { [labels.cluster]: "c1" },
        status: {
          conditions: allBad(
            "ValidConfiguration",
            "ClusterVersionUpgradeable",
            "InfrastructureReady",
          ),
          controlPlaneEndpoint: { host: noise(long), port: 6443 },
          kubeconfig: { name: noise(long) },
          kubeadminPassword: { name: noise(long) },
          version: {
            history: [
              { state: "Partial", version: noise(long) },
              { state: "Completed", version: noise(long) },
            ],
          },
        },
      }),
  },
  "a hub of node pools, also of sets that nobody has": {
    kind: "cluster",
    id: "c1",
    says: async () => {
      for (let n = 0; n < 100; n++)
        await reported("NodePool", {
          labels: { [labels.cluster]: "c1", [labels.nodeSet]: n === 0 ? "workers" : `set-${n}` },
          spec: { replicas: 2 },
          status: { version: noise(5000), conditions: allBad("ValidReleaseImage") },
        });
    },
  },
  "operators of a hosted cluster": {
    kind: "cluster",
    id: "c1",
    says: () => refreshOperators(api.deps, "c1"),
  },
  "the systems of a site, of what a cluster has there": {
    kind: "cluster",
    id: "c1",
    says: () =>
      changeObject(api.deps, "cluster", "c1", (now) => ({
        ...now,
        site: siteParts.reduce(
          (site, part) => withPart(site, part, { state: "pending", message: noise(long) }, 0),
          now.site as NonNullable<typeof now.site>,
        ),
      })),
  },
  "a DPU, of all that it finds, applies and sees": {
    kind: "dpu",
    id: "d1",
    says: async () => {
      const mac = (n: number) =>
        `52:54:00:00:${(n >> 8).toString(16).padStart(2, "0")}:${(n & 255).toString(16).padStart(2, "0")}`;
      const discovery = (length: number, count: number) => ({
        serial: noise(length),
        bmc: { version: noise(length) },
        nics: times(Math.min(count, 64), (n) => ({ name: noise(length), mac: mac(n) })),
        ports: times(Math.min(count, 64), () => ({
          name: noise(length),
          host_macs: times(count, mac),
        })),
        versions: Object.fromEntries(times(count * 20, (n) => [`v${n}`, noise(length)])),
      });
      const applied = (length: number, count: number) => ({
        version: 1,
        state: "failed",
        message: noise(4 * length),
        leaf: { asn: 1, loopback: noise(length), state: "down" },
        advertised: times(count, (n) => `2001:db8:${n.toString(16)}:${noise(length)}`),
        leases: times(64, (n) => ({ mac: mac(n), address: "10.0.0.1" })),
      });
      const statuses = await machineSays("dpu", "d1", [
        ["POST", "/discovery", discovery(200, 64)],
        ["POST", "/discovery", discovery(40, 20)],
        ["POST", "/discovery", discovery(10, 4)],
        ["PUT", "/network/applied", applied(200, 1000)],
        ["PUT", "/network/applied", applied(0, 1000)],
        ["POST", "/health", { alerts: alerts(4000) }],
      ]);
      expect(statuses.filter((status) => ![204, 400].includes(status))).toEqual([]);
      expect(statuses.filter((status) => status === 204).length).toBeGreaterThanOrEqual(3);
    },
  },
  "a server that phones home": {
    kind: "baremetal_instance",
    id: "i1",
    says: async () => {
      const bearer = await token("baremetal_instance", "i1");
      const said = (length: number) => ({
        instance_id: "i1",
        hostname: noise(90),
        ...{
          pub_key_rsa: noise(length),
          pub_key_ecdsa: noise(length),
          pub_key_ed25519: noise(length),
        },
      });
      const statuses: number[] = [];
      for (const length of [4096, 1000])
        statuses.push((await asked("POST", `/phone-home/${bearer}`, bearer, said(length))).status);
      expect(statuses).toContain(204);
      expect(statuses.filter((status) => ![204, 400].includes(status))).toEqual([]);
    },
  },
  "every system outside, of the steps of an operation": {
    kind: "operation",
    id: "op-1",
    says: async () => {
      const names = statesOfLongest();
      await changeObject(api.deps, "operation", "op-1", (now) => ({
        ...now,
        steps: Object.fromEntries(
          names.map((name, n) => [
            name,
            waiting(api.deps, newEntry(n), pending(noise(long)), { call: noise(long) }),
          ]),
        ),
      }));
    },
  },
  "a step that fails, and a worker that dies": {
    kind: "operation",
    id: "op-1",
    says: async () => {
      const saga = sagas["cluster-create"];
      if (!saga) throw new Error("no saga");
      const error = new AppError("Rejected", noise(long));
      await settle(api.deps, saga, "op-1" as Operation["id"], "CreateLayer2Network", { error });
      await halt(api.deps, sagas, "op-1", new AppError("Internal", noise(long)), "AttachHosts");
    },
  },
  "a hub that does not answer": {
    kind: "hub",
    id: "hub-9",
    says: async () => {
      for (let n = 0; n < 3; n++) {
        await noteUnreached(api.deps, "hub-9", new AppError("Unavailable", noise(long)));
        await api.deps.clock.advance(60_000);
      }
    },
  },
  "a hub's agent that cannot watch": {
    kind: "hub",
    id: "hub-9",
    says: async () => {
      const unwatched = newsKinds.map((kind) => ({ kind, error: noise(bounds.reason) }));
      await takeReport(api.deps, sagas, { hub: "hub-9", heartbeat: true, news: [], unwatched });
      const { status } = await mustLoad(api.deps, "hub", "hub-9");
      const observed = status.conditions?.find(({ type }) => type.endsWith("OBSERVED"));
      for (const said of [status, observed])
        expect(said?.message).toMatch(/Check the agent's role and log.* every five minutes$/);
    },
  },
  "what is found on a hub and is nobody's": {
    kind: "hub",
    id: "hub-9",
    says: () =>
      changeObject(api.deps, "hub", "hub-9", (now) => ({
        ...now,
        status: {
          ...now.status,
          orphans: toldOf(
            times(2000, () => ({
              ...{ system: "hub", kind: noise(2000), id: noise(2000), first_seen: since },
              ...{ owner: { kind: "cluster", id: noise(2000) }, number: noise(2000) },
            })),
          ),
        },
      })),
  },
};

const labels = { cluster: "", nodeSet: "" };

beforeEach(async () => {
  api = await catalogApi();
  version = 100;
  const { deps } = api;
  const { clusterLabel, nodeSetLabel } = await import("../../../core/ports/hub/clusters/labels.ts");
  Object.assign(labels, { cluster: clusterLabel, nodeSet: nodeSetLabel });
  await addHub(deps, "hub-9");
  await addHosts(deps, "hub-9", "small", ["h001"]);
  const base = hostRecord("h001", "hub-9", "small");
  const site = {
    ...{ ...base, kind: "site", id: "site-1" },
    metadata: { ...base.metadata, name: "site-1" },
    spec: { credentials: "", machines: { url: "http://10.0.0.2:8080" } },
    status: { low: [] },
  } as unknown as ObjectOf["site"];
  const dpu = {
    ...{ ...base, kind: "dpu", id: "d1", hub: "hub-9", isProvisioned: true },
    metadata: { ...base.metadata, name: "d1" },
    spec: {
      serial: "MT-1",
      bmc: { address: "redfish://dpu" },
      ports: [{ name: "pf0hpf" }],
      host: { id: "h001", name: "h001" },
    },
    status: { state: "DPU_STATE_READY" },
    wanted: { leaf: { asn: 1, loopback: "10.0.0.1" }, version: 1 },
  } as unknown as Dpu;
  await put(cluster(), site, dpu, { ...instance(base) });
  await put(await operation());
  deps.servers.open = async () => controller;
  deps.hubClients.set("hub-9", {
    clusters: {
      readOperators: async () => ({
        ...{ at: since, total: 3000 },
        unavailable: unavailable(
          times(3000, (n) => ({
            metadata: { name: `operator-${n}`, uid: "", resourceVersion: "" },
            status: { conditions: [{ type: "Available", status: "False", message: noise(3000) }] },
          })),
        ),
      }),
    },
  });
});

const instance = (base: ObjectOf["host"]) =>
  ({
    ...{ ...base, kind: "baremetal_instance", id: "i1", infra_id: "b123456789" },
    metadata: { ...base.metadata, name: "i1", tenant: "tenant-a" },
    spec: {
      ...{ catalog_item: { id: "x", name: "x" }, template_parameters: {} },
      image: { source_type: "registry", source_ref: "quay.io/a/b:c" },
      ...{ run_strategy: "Always", network_attachments: [] },
    },
    status: {
      state: "BARE_METAL_INSTANCE_STATE_RUNNING",
      conditions: [],
      state_transition_time: since,
      network_attachment_statuses: [],
    },
    ...{
      template: { id: "t", name: "t" },
      instance_type: { id: "t", name: "t" },
      host_type: "small",
    },
    ...{ stands: [], boot: { ...boot, operation: "o1", from: "network" }, published: true },
  }) as unknown as BaremetalInstance;

const paths: Partial<Record<Kind, string>> = {
  host: "hosts",
  cluster: "clusters",
  dpu: "dpus",
  hub: "hubs",
  baremetal_instance: "baremetal_instances",
};

/** The stream is read to its end: no event is so large that those behind it wait. */
async function relayAll() {
  for (const record of api.deps.store.stream(undefined, 10_000))
    await relay(api.deps, sagas, record);
}

/** As large as people may make an object that is beside all of this. */
const notes: Partial<Record<Kind, number>> = { host: 40_000, dpu: 90_000 };

it.each(Object.entries(rows))(
  "%s leaves room for everybody else",
  async (_, { kind, id, says }) => {
    const path = paths[kind];
    const patch = async (value: string) => {
      const annotations = { notes: noise((notes[kind] ?? 200_000) / 2) };
      const body = { metadata: { labels: { a: value }, annotations } };
      const { status, text } = await api.ask("admin", "PATCH", `${priv}/${path}/${id}`, body);
      expect(status, text).toBe(200);
    };
    const expectRoom = async () => {
      const { own, event } = await ownBytes(kind, id);
      expect(own).toBeLessThan(roomOf[kind] ?? room);
      expect(event).toBeLessThan(8 * 1024);
    };
    await says();
    await expectRoom();
    if (path !== undefined) await patch("b");
    // The same reporter once more.
    await says();
    if (path !== undefined) await patch("c");
    await expectRoom();
    await relayAll();
  },
);

it("labels and annotations with long names, all of them others each time, leave room for everybody else", async () => {
  const named = (count: number, letter: string) => {
    const prefix = Array.from({ length: 4 }, () => letter.repeat(62)).join(".");
    return times(count, (n) => `${prefix}/${letter.repeat(60)}${n}`);
  };
  const mask = "update_mask=metadata.labels,metadata.annotations";
  for (const letter of ["a", "b", "c"]) {
    const [labels, annotations] = [32, 64].map((count) =>
      Object.fromEntries(named(count, letter).map((name) => [name, ""])),
    );
    const path = `${priv}/clusters/c1?${mask}`;
    const body = { metadata: { labels, annotations } };
    const { status, text } = await api.ask("admin", "PATCH", path, body);
    expect(status, text.slice(0, 200)).toBe(200);
    expect((await ownBytes("cluster", "c1")).event).toBeLessThan(8 * 1024);
    for (const row of Object.values(rows)) if (row.kind === "cluster") await row.says();
    expect((await ownBytes("cluster", "c1")).own).toBeLessThan(room);
    await relayAll();
  }
});
