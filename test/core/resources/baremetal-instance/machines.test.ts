import { expect, it } from "vitest";
import { type MachineRequest, machineRequests } from "../../../../core/machine/requests.ts";
import { machines } from "../../../../core/resources/baremetal-instance/machines.ts";
import type { BaremetalInstance } from "../../../../core/resources/baremetal-instance/model.ts";

/** What a tenant's server may ask and report by its token, in each state. */

const since = "2026-06-01T00:00:00.000Z";
const start = (more: object) => ({ boot: { operation: "o1", from: "network", ...more } });

it.each<[string, object, MachineRequest[]]>([
  ["that has no host yet", {}, []],
  ["that is about to be started", { operation: "o1", ...start({}) }, []],
  [
    "that starts from the network",
    { operation: "o1", ...start({ since }) },
    ["boot", "seed", "phone_home"],
  ],
  ["that another operation works on", { operation: "o2", ...start({ since }) }, ["phone_home"]],
  ["that runs", start({ since }), ["phone_home"]],
  [
    "that starts from its disk",
    { operation: "o1", ...start({ since, from: "disk" }) },
    ["phone_home"],
  ],
])("a server %s", (_, record, allowed) => {
  // Nothing else of it is asked for.
  const server = { kind: "baremetal_instance", id: "s1", ...record } as BaremetalInstance;
  const machine = { kind: "baremetal_instance", id: server.id } as const;
  const found = machineRequests.filter((request) => machines.allows(server, request, machine));
  expect(new Set(found)).toEqual(new Set(allowed));
});
