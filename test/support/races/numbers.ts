import { poolName, type Site } from "../../../core/at-site/site.ts";
import { changeObject } from "../../../core/kernel/events/rewrite.ts";
import { putNew } from "../../../core/kernel/object/records.ts";
import { createObject, deleteObject, updateObject } from "../../../core/kernel/request/crud.ts";
import type { RequestDeps } from "../../../core/kernel/request/request-deps.ts";
import { optimistically } from "../../../core/kernel/store/optimistically.ts";
import type { NumberPool } from "../../../core/ports/ipam/ipam.ts";
import { claimChosen } from "../../../core/ports/ipam/own/chosen-number.ts";
import { holdForeign, releaseForeign } from "../../../core/ports/ipam/own/foreign-numbers.ts";
import { claimNumbers, releaseNumbers } from "../../../core/ports/ipam/own/numbers.ts";
import { leafHolder, leafPool } from "../../../core/resources/dpu/leaf.ts";
import type { Dpu } from "../../../core/resources/dpu/model.ts";
import { api as ips } from "../../../core/resources/external-ip/api.ts";
import { api as pools } from "../../../core/resources/external-ip-pool/api.ts";
import { kinds } from "../../../core/resources/generated/kinds.ts";
import { natGatewayClaims } from "../../../core/resources/nat-gateway/claim.ts";
import type { NatGateway } from "../../../core/resources/nat-gateway/model.ts";
import { ann, root } from "../orders.ts";
import type { Waiting } from "../waiting.ts";
import { wanted } from "../wanted.ts";
import { type Race, race } from "./race.ts";

/** Claims of numbers and of addresses. */

const created = "2026-01-01T00:00:00.000Z";
const common = (name: string, tenant: string) => ({
  metadata: {
    ...{ name, tenant, labels: {}, annotations: {}, creator: "test" },
    creation_timestamp: created,
  },
  ...{ generation: 0, revision: 1 },
  event: { type: "", sequence: 0, time: created, changed: [] },
});

const site: Site = {
  ...common("site", "shared"),
  ...{ kind: "site", id: "site" },
  spec: {
    credentials: "site/site",
    network: {
      vlans: { first: 100, last: 103 },
      prefixes: { cidr: "10.64.0.0/23", length: 24 },
      floating_ips: { first: "203.0.113.100", last: "203.0.113.103" },
      dns_servers: [],
      rest_minutes: 5,
    },
    machines: { asns: { first: 65_000, last: 65_001 } } as never,
  },
  status: { low: [] },
};
const asns = leafPool(site, "asn") as NumberPool;
const vlans: NumberPool = { name: poolName("site", "vlans"), first: 100, size: 4, rest: 60_000 };

const dpu = (id: string): Dpu => ({
  ...common(id, "shared"),
  ...{ kind: "dpu", id, hub: "hub", status: { state: "DPU_STATE_UNDISCOVERED" } },
  spec: {
    host: { id: "h" as never, name: "h" },
    serial: id,
    bmc: { address: `redfish://${id}` },
    ports: [],
  },
});

/** Two DPUs, and a site with numbers for two. */
const leaves = async (deps: Waiting): Promise<void> => {
  await deps.store.transact(putNew(kinds, site));
  for (const id of ["a", "b"]) await deps.store.transact(putNew(kinds, dpu(id)));
};
const holder = (id: string) => leafHolder(id, "site", "asn");
const claim = (deps: RequestDeps, id = "a", count = 1) =>
  claimNumbers(deps, asns, holder(id), { count, fence: [] });
const release = (deps: RequestDeps, id = "a") => releaseNumbers(deps, asns, holder(id));
const changed = (deps: RequestDeps, id = "a") =>
  changeObject(deps, "dpu", id, (before) => ({ ...before, generation: before.generation + 1 }));
/** Both numbers rest, and may be claimed again. */
const rested = async (deps: Waiting): Promise<void> => {
  await leaves(deps);
  for (const id of ["a", "b"]) await claim(deps, id);
  for (const id of ["a", "b"]) await release(deps, id);
  await deps.clock.advance(60 * 60_000);
};
const numberOthers: Race["others"] = {
  "it claims": (deps) => claim(deps),
  "another claims": (deps) => claim(deps, "b"),
  "another claims and releases": async (deps) => {
    await claim(deps, "b");
    await release(deps, "b");
  },
  "it releases": (deps) => release(deps),
  "its record changes": (deps) => changed(deps),
  "another claims one in particular": (deps) =>
    claimChosen(deps, asns, holder("b"), { number: 65_000, fence: [] }),
};
const chosen = (deps: RequestDeps) =>
  claimChosen(deps, asns, holder("a"), { number: 65_001, fence: [] });

const foreignOthers: Race["others"] = {
  "it is held": (deps) => holdForeign({ ...deps }, vlans, 101, "gone"),
  "another one is held": (deps) => holdForeign({ ...deps }, vlans, 100, "other"),
  "all are released": (deps) => releaseForeign({ ...deps }, vlans, new Set()),
};

const cidrs = (deps: RequestDeps, id: string, prefixes: string[]) =>
  updateObject(
    deps,
    root,
    pools.rules,
    id,
    wanted((shown) => ({ ...shown, spec: { ...Object(shown.spec), cidrs: prefixes } })),
  );
interface Outside {
  pool: string;
}
const outside = async (deps: Waiting): Promise<Outside> => {
  const spec = { ip_family: "IP_FAMILY_IPV4", cidrs: ["198.51.100.0/31"] };
  const { object } = await createObject(deps, root, pools.rules, {
    metadata: { name: "out" },
    spec,
  });
  return { pool: object.id };
};
const order = (deps: RequestDeps, name: string) =>
  createObject(deps, ann, ips.rules, { metadata: { name }, spec: { pool: "out" } });

interface Addressed extends Outside {
  ip: string;
  other: string;
}
const addressed = async (deps: Waiting): Promise<Addressed> => {
  const { pool } = await outside(deps);
  const [{ object }, { object: other }] = [await order(deps, "one"), await order(deps, "two")];
  return { pool, ip: object.id, other: other.id };
};
const gateway = (id: string, ip: string): NatGateway => ({
  ...common(id, "tenant-a"),
  ...{ kind: "nat_gateway", id, infra_id: id, charge: {}, network_infra_id: "net", address: "" },
  spec: { virtual_network: { id: "net", name: "net" }, external_ip: { id: ip, name: ip } },
  status: { state: "NAT_GATEWAY_STATE_PENDING", external_ip_address: "" } as never,
});
/** What its step writes: the claims, and its record. */
const claimed = (deps: RequestDeps, id: string, ip: string) =>
  optimistically(deps.store, async () => ({
    writes: await natGatewayClaims.claim(deps, gateway(id, ip)),
    result: undefined,
  }));
const released = (deps: RequestDeps, id: string, ip: string) =>
  optimistically(deps.store, async () => ({
    writes: await natGatewayClaims.release(deps, gateway(id, ip)),
    result: undefined,
  }));
const remove = (deps: RequestDeps, id: string) => deleteObject(deps, ann, ips.rules, id);

export const numberRaces: Record<string, Race> = {
  "a number is claimed": race({ begin: leaves, act: (deps) => claim(deps), others: numberOthers }),
  "a number that has rested is claimed": race({
    begin: rested,
    act: (deps) => claim(deps),
    others: numberOthers,
  }),
  "a number is released": race({
    begin: async (deps) => {
      await leaves(deps);
      await claim(deps);
    },
    act: (deps) => release(deps),
    others: numberOthers,
  }),
  "a number in particular is claimed": race({ begin: leaves, act: chosen, others: numberOthers }),
  "a number in particular that has rested is claimed": race({
    begin: rested,
    act: chosen,
    others: numberOthers,
  }),
  "a foreign number is held": race({
    begin: leaves,
    act: (deps) => holdForeign({ ...deps }, vlans, 101, "gone"),
    others: foreignOthers,
  }),
  "a foreign number is released": race({
    begin: async (deps) => {
      await leaves(deps);
      await holdForeign({ ...deps }, vlans, 101, "gone");
    },
    act: (deps) => releaseForeign({ ...deps }, vlans, new Set()),
    others: foreignOthers,
  }),
  "an external IP is ordered": race<Outside>({
    begin: outside,
    act: (deps) => order(deps, "one"),
    others: {
      "another one is ordered": (deps) => order(deps, "two"),
      "one of this name is ordered": (deps) => order(deps, "one"),
      "its pool gets other prefixes": (deps, { pool }) => cidrs(deps, pool, ["203.0.113.0/31"]),
      "its pool is deleted": (deps, { pool }) => deleteObject(deps, root, pools.rules, pool),
    },
  }),
  "the first external IP of a pool that got other prefixes is ordered": race<Outside>({
    begin: async (deps) => {
      const known = await outside(deps);
      await cidrs(deps, known.pool, ["192.0.2.0/31"]);
      return known;
    },
    act: (deps) => order(deps, "one"),
    others: {
      "its pool gets others once more": (deps, { pool }) => cidrs(deps, pool, ["203.0.113.0/31"]),
    },
  }),
  "an external IP is deleted": race<Addressed>({
    begin: addressed,
    act: (deps, { ip }) => remove(deps, ip),
    others: {
      "it is deleted": (deps, { ip }) => remove(deps, ip),
      "another one is deleted": (deps, { other }) => remove(deps, other),
    },
  }),
  "a pool gets other prefixes": race<Outside>({
    begin: outside,
    act: (deps, { pool }) => cidrs(deps, pool, ["203.0.113.0/31"]),
    others: {
      "an external IP is ordered": (deps) => order(deps, "one"),
      "another pool gets them": (deps) =>
        createObject(deps, root, pools.rules, {
          metadata: { name: "other" },
          spec: { ip_family: "IP_FAMILY_IPV4", cidrs: ["203.0.113.0/31"] },
        }),
      "it gets others": (deps, { pool }) => cidrs(deps, pool, ["192.0.2.0/31"]),
      "it is deleted": (deps, { pool }) => deleteObject(deps, root, pools.rules, pool),
    },
  }),
  "a gateway claims its address and its network's way out": race<Addressed>({
    begin: addressed,
    act: (deps, { ip }) => claimed(deps, "g1", ip),
    others: {
      "another one claims the address": (deps, { ip }) => claimed(deps, "g2", ip),
      "another one claims the way out": (deps, { other }) => claimed(deps, "g2", other),
      "it claims": (deps, { ip }) => claimed(deps, "g1", ip),
      "the address is deleted": (deps, { ip }) => remove(deps, ip),
    },
  }),
  "a gateway releases its address and its network's way out": race<Addressed>({
    begin: async (deps) => {
      const known = await addressed(deps);
      await claimed(deps, "g1", known.ip);
      return known;
    },
    act: (deps, { ip }) => released(deps, "g1", ip),
    others: {
      "it releases, and another one claims both": async (deps, { ip }) => {
        await released(deps, "g1", ip);
        await claimed(deps, "g2", ip);
      },
    },
  }),
};
