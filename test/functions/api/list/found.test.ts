import { beforeAll, describe, expect, it } from "vitest";
import { asHostId, asHubId } from "../../../../core/id.ts";
import { usersPartition } from "../../../../core/kernel/object/keys.ts";
import { putNew } from "../../../../core/kernel/object/records.ts";
import { newOperation } from "../../../../core/kernel/saga/new-operation.ts";
import type { BaremetalInstance } from "../../../../core/resources/baremetal-instance/model.ts";
import { instanceSagas } from "../../../../core/resources/baremetal-instance/sagas.ts";
import { newInstanceStatus } from "../../../../core/resources/baremetal-instance/status.ts";
import type { Dpu } from "../../../../core/resources/dpu/model.ts";
import { kinds } from "../../../../core/resources/generated/kinds.ts";
import type { Host } from "../../../../core/resources/host/model.ts";
import { createApp } from "../../../../functions/api/app.ts";
import { type Api, catalogApi, type Person, people, priv, v1 } from "../../../support/api.ts";
import { type Calls, counting } from "../../../support/counting-store.ts";

/** Machines and servers by state, type, image, subnet and name: what a list answers, and what it reads for it. */

const created = "2026-01-01T00:00:00.000Z";
const common = {
  generation: 0,
  revision: 1,
  event: { type: "", sequence: 1, time: created, changed: [] },
};
const metadata = (name: string, tenant: string) => ({
  ...{ name, tenant, project: "", creator: "root", creation_timestamp: created },
  ...{ labels: {}, annotations: {} },
});
const failure = { type: "Rejected", step: "x", message: "no", at: created } as never;

const unbinding = { hub: asHubId("hub-a"), name: "", state: "unbinding", gone: false } as never;

/** Every tenth host is off for maintenance, and every tenth of these has failed; types take turns. Others are given back. */
const host = (n: number): Host => ({
  ...common,
  kind: "host",
  id: asHostId(`h-${n}`),
  metadata: metadata(`rack-${n % 7}-${n}`, "shared"),
  spec: {
    ...{ host_type: n % 2 ? "small" : "large", hub: asHubId("hub-a") },
    ...{ bmc: { address: `redfish://10.0.0.${n}` }, nics: [] },
  },
  status: {
    state: "HOST_STATE_UNDISCOVERED",
    ...(n % 10 === 5 && { agent: unbinding }),
  },
  ...(n % 10 === 0 && { maintenance: { since: created, by: "root" } }),
  ...(n % 100 === 0 && { failure }),
});

/** Two of each host. */
const dpu = (n: number): Dpu => ({
  ...common,
  kind: "dpu",
  id: `d-${n}`,
  metadata: metadata(`dpu-${n}`, "shared"),
  spec: {
    host: { id: asHostId(`h-${Math.ceil(n / 2)}`), name: "" },
    serial: `MT${n}`,
    bmc: { address: `redfish://10.1.0.${n}` },
    ports: [{ name: "pf0hpf" }],
  },
  status: { state: "DPU_STATE_UNDISCOVERED" },
  hub: "hub-a",
});

/** Two tenants; every tenth has failed, and every other an image of its own. */
const instance = (n: number): BaremetalInstance => ({
  ...common,
  kind: "baremetal_instance",
  id: `i-${n}` as BaremetalInstance["id"],
  metadata: metadata(`db-${n}`, n % 3 ? "tenant-a" : "tenant-b"),
  spec: {
    catalog_item: { id: "rhel", name: "rhel" },
    template_parameters: {},
    image: { source_type: "registry", source_ref: n % 2 ? "quay.io/rhel:9" : "quay.io/rhel:10" },
    run_strategy: "BARE_METAL_INSTANCE_RUN_STRATEGY_ALWAYS",
    network_attachments: [
      { subnet: { id: `s-${n % 5}`, name: "web" }, security_groups: [], primary: true },
    ],
  },
  status: newInstanceStatus,
  infra_id: `infra-${n}`,
  template: { id: "rhel", name: "rhel" },
  instance_type: { id: "big", name: "big" },
  host_type: "large",
  stands: [{ subnet: `s-${n % 5}`, name: "web", groups: [], primary: true }],
  published: n % 10 !== 0,
  ...(n % 10 === 0 && { failure }),
});

/** An operation that has not ended works on each server: on twenty of tenant-a's, and on all of tenant-b's. */
const work = (n: number, now: number) => {
  const made = { clock: { now: () => now }, newId: () => `o-${n}` };
  const order = { saga: instanceSagas.create, change: "CREATE", creator: "ann" } as const;
  return newOperation(made as never, { ...order, target: instance(n) });
};
const isAtWork = (n: number): boolean => n % 3 === 0 || n <= 30;

interface World {
  hosts: number;
  api: Api;
}

async function world(hosts: number): Promise<World> {
  const api = await catalogApi();
  for (let n = 1; n <= hosts; n++)
    for (const each of [
      ...[host(n), instance(n), dpu(n)],
      ...(isAtWork(n) ? [work(n, Date.parse(created))] : []),
    ]) {
      const shown = kinds[each.kind]?.status?.(each as never, Date.parse(created));
      await api.deps.store.transact(
        putNew(kinds, { ...each, status: shown ?? each.status } as never),
      );
    }
  return { api, hosts };
}

const allOf = (hosts: number, test: (n: number) => boolean): string[] =>
  Array.from({ length: hosts }, (_, n) => n + 1).flatMap((n) => (test(n) ? String(n) : []));

/** Everything that a filter finds, page by page, and what one page took. */
async function ask({ api }: World, who: Person, path: string, filter: string, limit = 7) {
  const numbers: string[] = [];
  let took: Calls | undefined;
  let token = "";
  let total = 0;
  do {
    const { counted, calls } = counting(api.deps.store);
    const app = createApp({ ...api.deps, store: counted }, {
      profile: "slipway",
      principal: () => people[who],
      origins: ["*"],
    } as never);
    const query = `filter=${encodeURIComponent(filter)}&limit=${limit}&page_token=${token}`;
    const response = await app.request(
      `${path}?${query.replace("&page_token=&", "&").replace(/&page_token=$/, "")}`,
    );
    const text = await response.text();
    const body = JSON.parse(text);
    expect(response.status, text).toBe(200);
    numbers.push(...body.items.map(({ id }: { id: string }) => id.slice(2)));
    ({ total } = body);
    took = calls;
    token = body.next_page_token ?? "";
  } while (token !== "");
  expect(total).toBe(numbers.length);
  const { transact: _, ...calls } = took;
  return { numbers: numbers.toSorted((a, b) => Number(a) - Number(b)), calls };
}

let small: World;
let large: World;
beforeAll(async () => {
  [small, large] = [await world(120), await world(240)];
});

const hosts = `${priv}/hosts`;
const dpus = `${priv}/dpus`;
const servers = `${v1}/baremetal_instances`;
const operations = `${v1}/operations`;

describe("what an index has is answered whole", () => {
  const isIn = (state: string) => `this.status.state == "${state}"`;
  const rhel = 'this.spec.image.source_ref == "quay.io/rhel:9"';
  const own = (n: number) => n % 3 !== 0;
  const image = (n: number) => n % 2 === 1;
  it.each<[Person, string, string, (n: number) => boolean]>([
    ["admin", hosts, isIn("HOST_STATE_MAINTENANCE"), (n) => n % 10 === 0],
    ["admin", hosts, isIn("HOST_STATE_RECLAIMING"), (n) => n % 10 === 5],
    ["admin", hosts, isIn("HOST_STATE_RESERVED"), () => false],
    [
      "admin",
      hosts,
      'this.status.state in ["HOST_STATE_RECLAIMING", "HOST_STATE_MAINTENANCE"]',
      (n) => n % 5 === 0,
    ],
    ["admin", hosts, 'this.spec.host_type == "small"', image],
    [
      "admin",
      hosts,
      `${isIn("HOST_STATE_UNDISCOVERED")} && this.spec.host_type == "large"`,
      (n) => n % 2 === 0 && n % 10 !== 0,
    ],
    ["admin", hosts, `${isIn("HOST_STATE_MAINTENANCE")} && this.spec.hub == "none"`, () => false],
    ["admin", hosts, 'this.metadata.name.startsWith("rack-3-")', (n) => n % 7 === 3],
    ["admin", hosts, 'this.metadata.name == "rack-3-3"', (n) => n === 3],
    ["admin", hosts, 'this.id in ["h-3", "h-4", "h-0"]', (n) => n === 3 || n === 4],
    ["admin", dpus, 'this.spec.host.id == "h-7"', (n) => n === 13 || n === 14],
    ["admin", dpus, 'this.spec.serial == "MT42"', (n) => n === 42],
    ["admin", dpus, 'this.spec.serial in ["MT42", "MT43"]', (n) => n === 42 || n === 43],
    ["amy", servers, isIn("BARE_METAL_INSTANCE_STATE_FAILED"), (n) => own(n) && n % 10 === 0],
    ["amy", servers, rhel, (n) => own(n) && image(n)],
    [
      "amy",
      servers,
      `${rhel} && this.status.state in ["BARE_METAL_INSTANCE_STATE_RUNNING", "BARE_METAL_INSTANCE_STATE_STOPPED"]`,
      (n) => own(n) && image(n),
    ],
    ["amy", operations, isIn("OPERATION_STATE_PENDING"), (n) => own(n) && isAtWork(n)],
    ["admin", `${priv}/operations`, isIn("OPERATION_STATE_PENDING"), isAtWork],
    ["amy", servers, '"s-2" in this.status.subnets', (n) => own(n) && n % 5 === 2],
    [
      "admin",
      `${priv}/baremetal_instances`,
      isIn("BARE_METAL_INSTANCE_STATE_FAILED"),
      (n) => n % 10 === 0,
    ],
  ])("%s %s %s", async (who, path, filter, test) => {
    const { numbers } = await ask(small, who, path, filter);
    expect(numbers).toEqual(allOf(small.hosts, test));
  });
});

it("a list reads the same in a world that is twice as large", async () => {
  for (const [who, path, filter] of [
    ["admin", hosts, 'this.metadata.name.startsWith("rack-3-3")'],
    ["admin", hosts, 'this.status.state == "HOST_STATE_QUARANTINED"'],
    ["admin", hosts, 'this.id in ["h-3", "h-5"]'],
    ["admin", hosts, 'this.status.owner.tenant == "tenant-a"'],
    ["admin", hosts, 'this.status.owner.id == "i-7"'],
    ["admin", hosts, 'this.status.health.state == "HEALTH_STATE_ALERT"'],
    ["admin", dpus, 'this.spec.host.id == "h-3"'],
    ["admin", dpus, 'this.spec.serial == "MT7"'],
    ["amy", servers, 'this.status.state == "BARE_METAL_INSTANCE_STATE_DELETING"'],
    ["amy", servers, 'this.spec.image.source_ref == "none"'],
    // The work of other tenants is not read.
    ["amy", operations, 'this.status.state == "OPERATION_STATE_PENDING"'],
  ] as const) {
    const [one, other] = [
      await ask(small, who, path, filter, 100),
      await ask(large, who, path, filter, 100),
    ];
    expect([filter, other.calls]).toEqual([filter, one.calls]);
  }
});

it("a list of ids alone has the same ids, page by page, in order too", async () => {
  const ask = async (query: string) =>
    (await small.api.ask("admin", "GET", `${hosts}?limit=50&${query}`)).body;
  const filter = `filter=${encodeURIComponent('this.spec.host_type == "small"')}`;
  for (const query of [filter, `${filter}&order=metadata.name`, ""]) {
    const whole = await ask(query);
    const ids = await ask(`${query}&ids_only=true`);
    expect(ids).toMatchObject({ size: 50, total: whole.total, items: [] });
    expect(ids.ids).toEqual(whole.items.map(({ id }: { id: string }) => id));
    const rest = await ask(`${query}&ids_only=true&page_token=${ids.next_page_token}`);
    expect(rest.ids).toHaveLength(Math.min(50, whole.total - 50));
    expect(rest.ids).not.toContain(ids.ids[0]);
  }
});

it("a subnet's servers are named by an entry each", async () => {
  const { items } = await small.api.deps.store.query({ pk: usersPartition("subnet", "s-1") });
  expect(items).toHaveLength(24);
});

it("a host says since when it is in its state", async () => {
  const { body } = await small.api.ask("admin", "GET", `${hosts}/h-10`);
  expect(body.status).toMatchObject({ state: "HOST_STATE_MAINTENANCE", since: created });
});
