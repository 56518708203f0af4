import { timestamp } from "../../core/clock.ts";
import { asHostId } from "../../core/id.ts";
import { putNew, type Records } from "../../core/kernel/object/records.ts";
import type { Dpu } from "../../core/resources/dpu/model.ts";
import type { Row } from "../api/bulk.ts";
import { Copies, type Sums } from "../api/copies.ts";
import type { Size } from "./servers.ts";
import { few } from "./servers.ts";

/** The DPUs of a world: one for every ten hosts. */

const blanks = ["blank-number", "blank-host"];
/** The number of DPUs in the same host. */
const alike = 4;

export function* dpuRows(
  kinds: Records["kinds"],
  now: number,
  { hosts }: Size,
  sums: Sums,
): Generator<Row> {
  const copies = new Copies(putNew(kinds, modelAt(now)), blanks);
  for (let n = 0; n < hosts / 10; n++)
    yield* copies.rows([String(n).padStart(12, "0"), n < alike ? few : `host-${n}`], sums);
}

function modelAt(now: number): Dpu {
  const [number = "", host = ""] = blanks;
  const time = timestamp(now);
  return {
    kind: "dpu",
    id: `0198d000-0000-7000-8000-${number}`,
    metadata: {
      ...{ name: `dpu-${number}`, tenant: "shared", project: "", creator: "bench" },
      ...{ creation_timestamp: time, labels: {}, annotations: {} },
    },
    generation: 1,
    revision: 1,
    event: { type: "", sequence: 1, time, changed: [] },
    spec: {
      host: { id: asHostId(host), name: host },
      serial: number,
      bmc: { address: `redfish://10.1.0.1/redfish/v1/Systems/${number}` },
      ports: [{ name: "pf0hpf" }],
    },
    status: { state: "DPU_STATE_READY", since: time },
    hub: "hub-000000",
    isProvisioned: true,
  };
}
