import { timestamp } from "../../core/clock.ts";
import { putNew, type Records } from "../../core/kernel/object/records.ts";
import type { BaremetalInstance } from "../../core/resources/baremetal-instance/model.ts";
import {
  instanceStatus,
  newInstanceStatus,
} from "../../core/resources/baremetal-instance/status.ts";
import type { Row } from "../api/bulk.ts";
import { Copies, type Sums } from "../api/copies.ts";

/** The size of a world. */
export interface Size {
  hubs: number;
  hosts: number;
  clusters: number;
  tenants: number;
}

/** The servers of tenants in a world: one for every ten hosts. */

/** Placeholders without special characters, since index keys contain such values unescaped. */
const blanks = ["blank-number", "blank-name", "blank-tenant", "blank-image", "blank-subnet"];
/** The number of servers of the orders' tenant with a common image and subnet. */
const alike = 10;
export const few = "few";

export function* serverRows(
  kinds: Records["kinds"],
  tenant: string,
  now: number,
  { hosts, tenants }: Size,
  sums: Sums,
): Generator<Row> {
  const copies = new Copies(putNew(kinds, modelAt(now)), blanks);
  for (let n = 0; n < hosts / 10; n++) {
    // The first ones, so that their number is the same in each world.
    const isAlike = n < alike;
    const texts = [
      String(n).padStart(12, "0"),
      `server-${n}`,
      isAlike || n % tenants === 0 ? tenant : `tenant-${n % tenants}`,
      isAlike ? few : "many",
      isAlike ? few : `subnet-${n % 100}`,
    ];
    yield* copies.rows(texts, sums);
  }
}

function modelAt(now: number): BaremetalInstance {
  const [number = "", name = "", tenant = "", image = "", subnet = ""] = blanks;
  const time = timestamp(now);
  const instance: BaremetalInstance = {
    kind: "baremetal_instance",
    id: `0198c000-0000-7000-8000-${number}`,
    metadata: {
      ...{ name, tenant, project: "", creator: "bench", creation_timestamp: time },
      ...{ labels: {}, annotations: {} },
    },
    generation: 1,
    revision: 1,
    event: { type: "", sequence: 1, time, changed: [] },
    spec: {
      catalog_item: { id: "offer", name: "offer" },
      template_parameters: {},
      image: { source_type: "registry", source_ref: image },
      ssh_public_key: "ssh-ed25519 AAAA",
      run_strategy: "BARE_METAL_INSTANCE_RUN_STRATEGY_ALWAYS",
      network_attachments: [
        { subnet: { id: subnet, name: "web" }, security_groups: [], primary: true },
      ],
    },
    status: newInstanceStatus,
    infra_id: `bench-${number}`,
    template: { id: "offer", name: "offer" },
    instance_type: { id: "big", name: "big" },
    host_type: "fc430",
    stands: [{ subnet, name: "web", groups: [], primary: true }],
    published: true,
  };
  return { ...instance, status: instanceStatus(instance, now) };
}
