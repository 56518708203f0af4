import type * as z from "zod";
import type { statusSchema } from "../../core/reconcile/status/schema.ts";

/** The state of everything in a bad night, as the API answers it: all that can be in it at once. */

const [time, since] = ["2026-03-01T03:00:00Z", "2026-03-01T02:48:00Z"];
const example = {
  ...{
    operation: "o-2",
    change: "CREATE",
    kind: "cluster",
    id: "c-2",
    name: "two",
    tenant: "acme",
  },
  ...{ step: "ReserveCapacity", message: "3 hosts of type gpu", since },
};

export const night: z.input<typeof statusSchema> = {
  time,
  operations: {
    ...{ pending: 1, queued: 2, running: 12, waiting: 9, stalled: 3, stuck: 1, unread: 4 },
  },
  objects: [{ kind: "cluster", total: 7, creating: 2, changing: 0, deleting: 1, failed: 1 }],
  attention: [
    {
      ...{ reason: "DpuSilent", kind: "dpu", id: "d-1", name: "gpu-2-dpu-1", tenant: "shared" },
      message: "expected a report every 10 minutes; it is a DPU of host gpu-2",
      ...{ since, command: "slipway host health gpu-2" },
    },
    {
      ...{ reason: "HostQuarantined", kind: "host", id: "h-2", name: "gpu-3", tenant: "shared" },
      message: "EraseDrives: expected disk nvme0n1 erased; the agent reports something that boots",
      ...{ since, command: "slipway host retry gpu-3" },
    },
  ],
  more_attention: 3,
  stuck: [{ ...example, operation: "o-1", name: "one", step: "Undo CreateDnsRecords" }],
  waits: [
    {
      ...{ system: "placement", waits_for: "hosts", host_type: "gpu", operations: 9, stalled: 3 },
      ...{ kept: 4, kept_for_others: 9, since, example },
    },
  ],
  more_waits: 0,
  beyond_sla: [
    {
      ...{ kind: "host", id: "h-1", name: "gpu-1", tenant: "shared", operation: "o-3" },
      ...{ state: "HOST_STATE_CLEANING", ends: since },
    },
  ],
  more_beyond_sla: 2,
  queues: [
    { waits_for: "hosts", host_type: "gpu", orders: 101 },
    { waits_for: "vlans", site: "eu-1", orders: 2 },
  ],
  allocations: [
    {
      ...{ id: "a-1", name: "training", tenant: "acme", host_types: ["gpu"], reserved: 6 },
      ...{ kept: 4, used: 1, lacking: 1, free: 0 },
    },
  ],
  more_allocations: 0,
  next_out: [
    {
      ...{ resource: "vlans", pool: "vlans", site: "eu-1", total: 100, used: 92, free: 4 },
      ...{ resting: 4, unavailable: 4, waiting: 2, used_percent: 96, days_left: 2, open: true },
    },
  ],
  switches: {
    intake: { paused: true, by: "root", at: since },
    removal: { paused: true, by: "root", at: since },
  },
  hubs: {
    ...{
      total: 4,
      ready: 1,
      cordoned: 1,
      incomplete: 0,
      pending: 1,
      unreachable: 1,
      unobserved: 0,
    },
    items: [
      {
        ...{
          id: "hub-b",
          name: "hub-b",
          state: "HUB_STATE_UNREACHABLE",
          cordoned: true,
          unobserved: false,
        },
        ...{ message: "it does not answer", last_heard_time: since, last_reached_time: since },
        control_planes: { total: 20, used: 19, free: 1 },
      },
    ],
  },
};
