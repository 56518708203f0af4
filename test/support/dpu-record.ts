import { timestamp } from "../../core/clock.ts";
import { overlayEndKey } from "../../core/kernel/object/keys.ts";
import { putNew } from "../../core/kernel/object/records.ts";
import type { Write } from "../../core/kernel/store/store.ts";
import type { Dpu } from "../../core/resources/dpu/model.ts";
import { kinds } from "../../core/resources/generated/kinds.ts";
import type { VirtualNetwork } from "../../core/resources/virtual-network/model.ts";

/** DPUs in networks of an overlay, as records with no machines behind them. */

const metadataOf = (name: string, now: number) => ({
  ...{ name, tenant: "tenant-a", labels: {}, annotations: {}, creator: "ann" },
  creation_timestamp: timestamp(now),
});
const event = { type: "", sequence: 0, time: "2026-01-01T00:00:00.000Z", changed: [] };

/** A network of an overlay, in its first version. */
export const overlayRecord = (id: string, now = 0): VirtualNetwork => ({
  ...{ kind: "virtual_network", id, metadata: metadataOf(id, now), generation: 0, revision: 1 },
  spec: { network_class: { id: "overlay", name: "overlay" }, ipv4_cidr: "10.20.0.0/16" },
  status: { state: "VIRTUAL_NETWORK_STATE_READY" },
  ...{ infra_id: `n-${id}`, vni: 5000, spread: { wanted: 1 }, event },
});

/** A DPU that is a leaf of its fabric, and has nothing of a tenant. */
export const dpuRecord = (id: string, more: Partial<Dpu> = {}, now = 0): Dpu => ({
  ...{ kind: "dpu", id, metadata: metadataOf(id, now), generation: 0, revision: 1, hub: "hub" },
  spec: {
    ...{ host: { id: `host-of-${id}`, name: `host-of-${id}` }, serial: id },
    ...{ bmc: { address: "redfish://bmc" }, ports: [] },
  },
  status: { state: "DPU_STATE_READY" },
  ...{ numbers: { site: "site-1", asn: 4_200_000_001, loopback: 184_483_841 } },
  ...{ isProvisioned: true, event },
  ...more,
});

/** Adds a DPU as an end of a network. */
export const putEnd = (network: string, dpu: Dpu): Write[] => [
  ...putNew(kinds, dpu),
  { put: { ...overlayEndKey(network, dpu.id) } },
];

/** What a DPU tells once it has what is desired. */
export const applying = (dpu: Dpu): Dpu => {
  const { leaf, version = 0 } = dpu.wanted ?? {};
  if (!leaf) throw new Error("nothing is desired of it");
  return { ...dpu, applied: { at: "", version, state: "applied", leaf: { ...leaf, state: "up" } } };
};
