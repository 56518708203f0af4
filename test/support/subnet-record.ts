import { timestamp } from "../../core/clock.ts";
import type { Subnet } from "../../core/resources/subnet/model.ts";

/** A subnet as a record with nothing behind it, of no site and no overlay. */
export function subnetRecord(
  id: string,
  spec: Partial<Subnet["spec"]> = {},
  more: Partial<Subnet> = {},
  now = 0,
): Subnet {
  return {
    kind: "subnet",
    id,
    metadata: {
      name: id,
      tenant: "tenant-a",
      labels: {},
      annotations: {},
      creator: "ann",
      creation_timestamp: timestamp(now),
    },
    generation: 0,
    revision: 1,
    spec: { virtual_network: { id: "shop", name: "shop" }, ...spec },
    status: { state: "SUBNET_STATE_PENDING" },
    infra_id: `s-${id}`,
    network_infra_id: "n-shop",
    event: { type: "", sequence: 0, time: "2026-01-01T00:00:00.000Z", changed: [] },
    ...more,
  };
}
