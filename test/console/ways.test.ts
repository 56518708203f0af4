import { describe, expect, it } from "vitest";
import type { Ordered, OrderedKind } from "../../console/src/orders/ordered.ts";
import { waysOf } from "../../console/src/orders/ways.ts";

/** What the console offers to do with a host, by what the API would take. */

const failed = {
  since: "2026-01-01T00:00:00Z",
  step: "EraseDrives",
  reason: "expected erased; failed",
};
const silent = { since: "2026-01-01T00:00:00Z", reason: "dpu d1: expected a report; none came" };
const owner = { kind: "baremetal_instance", id: "1", name: "web", tenant: "tenant-a" };

const cases: { what: string; status: object; offers: string[] }[] = [
  {
    what: "nobody has",
    status: { state: "HOST_STATE_FREE" },
    offers: ["Maintenance", "Retire"],
  },
  { what: "a server has", status: { state: "HOST_STATE_BOUND", owner }, offers: ["Maintenance"] },
  {
    what: "a cluster has",
    status: { state: "HOST_STATE_BOUND", owner: { ...owner, kind: "cluster" } },
    offers: ["Replace"],
  },
  {
    what: "a step has set aside",
    status: { state: "HOST_STATE_QUARANTINED", server: { quarantine: failed } },
    offers: ["Try again", "Release", "Retire"],
  },
  {
    what: "is set aside while its DPU is silent",
    status: { state: "HOST_STATE_QUARANTINED", server: { quarantine: silent } },
    offers: ["Try again", "Retire"],
  },
  { what: "is retired", status: { state: "HOST_STATE_RETIRED" }, offers: ["Release"] },
  {
    what: "an operation works on",
    status: { state: "HOST_STATE_FREE", operation: "1" },
    offers: [],
  },
];

describe("what can be done with a host in the console", () => {
  it.each(cases)("is $offers for one that $what", ({ status, offers }) => {
    const kind = { kind: "host" } as OrderedKind;
    const host = { metadata: { name: "r1" }, status } as unknown as Ordered;
    expect(waysOf(kind, host).map(({ name }) => name)).toEqual(offers);
  });
});
