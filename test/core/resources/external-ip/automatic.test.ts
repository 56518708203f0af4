import { beforeEach, expect, it } from "vitest";
import type { AutomaticIp } from "../../../../core/at-site/at-site.ts";
import { changeObject } from "../../../../core/kernel/events/rewrite.ts";
import { numberKey } from "../../../../core/kernel/object/number-keys.ts";
import { load, mustLoad, putNew } from "../../../../core/kernel/object/records.ts";
import type { Key } from "../../../../core/kernel/store/store.ts";
import type { Dpu } from "../../../../core/resources/dpu/model.ts";
import { claimExternalAddresses } from "../../../../core/resources/external-ip/address.ts";
import { newAutomatic, removePair } from "../../../../core/resources/external-ip/automatic.ts";
import { numbersOfPool } from "../../../../core/resources/external-ip-pool/numbers.ts";
import { kinds } from "../../../../core/resources/generated/kinds.ts";
import { type Api, catalogApi, priv } from "../../../support/api.ts";

/** The end of an external IP that came with a server, of which a DPU may still announce the address. */

const created = "2026-01-01T00:00:00.000Z";
const dpu = {
  kind: "dpu",
  id: "d1",
  metadata: {
    ...{ name: "d1", tenant: "shared", labels: {}, annotations: {}, creator: "test" },
    creation_timestamp: created,
  },
  generation: 0,
  revision: 1,
  spec: {
    host: { id: "h1", name: "h1" },
    serial: "MT1",
    bmc: { address: "redfish://d1" },
    ports: [],
  },
  status: { state: "DPU_STATE_UNDISCOVERED" },
  hub: "hub",
  event: { type: "", sequence: 0, time: created, changed: [] },
} as unknown as Dpu;

let api: Api;
let pair: AutomaticIp;
let number: Key;
beforeEach(async () => {
  api = await catalogApi();
  const { deps } = api;
  const { status, text, body } = await api.ask("admin", "POST", `${priv}/external_ip_pools`, {
    metadata: { name: "outside" },
    spec: { ip_family: "IP_FAMILY_IPV4", cidrs: ["198.51.100.0/30"] },
  });
  expect(status, text).toBe(200);
  const pool = await mustLoad(deps, "external_ip_pool", body.id);
  const claimed = await claimExternalAddresses(deps, pool, ["ip1"]);
  const [address = ""] = claimed.addresses;
  number = numberKey(numbersOfPool(pool).name, 0);
  const { at, writes } = newAutomatic(deps, {
    ...{ id: "ip1", address, pool, use: "server", awaits: "the server" },
    owner: { id: "s1", metadata: { name: "db-1", tenant: "tenant-a", creator: "ann" } },
    leadsTo: { baremetal_instance: { id: "s1", name: "db-1" } },
  });
  pair = at;
  await deps.store.transact([...claimed.writes, ...writes, ...putNew(kinds, dpu)]);
});

const isGone = async (): Promise<boolean[]> => [
  !(await load(api.deps, "external_ip_attachment", pair.attachment)),
  !(await load(api.deps, "external_ip", pair.external_ip)),
  !(await api.deps.store.get(number)),
];
const givenUp = (version: number) =>
  changeObject(api.deps, "external_ip", pair.external_ip, (ip) => ({
    ...ip,
    given_up_by: [{ dpu: dpu.id, version }],
  }));
const tells = (applied: Pick<NonNullable<Dpu["applied"]>, "version" | "state">) =>
  changeObject(api.deps, "dpu", dpu.id, (before) => ({
    ...before,
    applied: { at: created, ...applied },
  }));

it("goes with its attachment and its address, which rests", async () => {
  await removePair(api.deps, [], pair);
  expect(await isGone()).toEqual([true, true, true]);
  await removePair(api.deps, [], pair);
});

it.each([
  ["tells nothing", undefined],
  ["has an older version", { version: 6, state: "applied" }],
  ["has failed at that version", { version: 7, state: "failed" }],
] as const)("keeps its address while a DPU that was given up %s", async (_, applied) => {
  await givenUp(7);
  if (applied) await tells(applied);
  await removePair(api.deps, [], pair);
  expect(await isGone()).toEqual([true, false, false]);
  await tells({ version: 7, state: "applied" });
  await removePair(api.deps, [], pair);
  expect(await isGone()).toEqual([true, true, true]);
});
