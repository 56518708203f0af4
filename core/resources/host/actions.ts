import * as z from "zod";
import type { Action, Actions } from "../../kernel/request/action.ts";
import { fits, healthReportMembers } from "../../machine/health-report.ts";
import { givingUp } from "../../ports/bare-metal/giving-up.ts";
import { acceptIdentityWrites } from "./accept-identity.ts";
import { placesOf } from "./care.ts";
import { type OverrideInput, overrideSchema, sourceSchema } from "./health.ts";
import {
  type MaintenanceNote,
  maintainWrites,
  maintenanceSchema,
  releaseWrites,
} from "./maintenance.ts";
import { reprovisionWrites } from "./reprovision.ts";
import { decided, placesAtRest, released, retired, retried, validated } from "./set-aside.ts";
import { overrideWrites, reportWrites } from "./take-health.ts";
import { updateFirmwareWrites } from "./update-firmware.ts";

/** The actions of administrators and monitoring systems on a host. */

const maintain: Action<"host", MaintenanceNote> = {
  summary: "Maintain a host",
  description:
    "Takes a host out of its cluster, where it is replaced first, or out of the pool, until it is released. A host whose power Slipway manages is erased and switched off.",
  schema: maintenanceSchema,
  destroys: false,
  accept: async (host, { deps, caller, input }) =>
    maintainWrites(deps, caller, host, await placesOf(deps, host), input),
};

const reportSchema = z.strictObject({ ...healthReportMembers, source: sourceSchema }).check(fits);

const health: Action<"host", z.output<typeof reportSchema>> = {
  summary: "Report the health of a host",
  description:
    "Takes what a source has found, in place of its last report. One without probes and without an interval forgets the source.",
  schema: reportSchema,
  example: {
    source: "dcgm",
    alerts: [
      {
        id: "gpu-lost",
        target: "GPU 3",
        message: "expected 8 GPUs; 7 answer",
        classifications: ["prevents_allocation"],
      },
    ],
  },
  command: "report-health",
  destroys: false,
  takesVersion: false,
  accept: (host, { deps, input: { source, ...report } }) =>
    reportWrites(deps, host, source, report),
};

const override: Action<"host", OverrideInput> = {
  summary: "Override the health of a host",
  description: "Has the alerts of a source read otherwise, until that is ended.",
  path: "health/override",
  schema: overrideSchema,
  example: { source: "dcgm", mode: "replace", alerts: [] },
  command: "override-health",
  destroys: false,
  takesVersion: false,
  accept: (host, { deps, caller, input }) => overrideWrites(deps, host, input, caller.user),
};

export const actions = {
  retry: {
    summary: "Retry a host",
    description: "Repeats what has failed on a quarantined host, once a person has repaired it.",
    destroys: false,
    async accept(host, { deps, caller }) {
      const places = await placesAtRest(deps, host, "retried");
      return decided(deps, caller, host, places, retried(host));
    },
  },
  maintain,
  release: {
    summary: "Release a host",
    description:
      "Ends that a host is in maintenance, quarantined or retired. It is erased and discovered before an order gets it; a cluster that has not released it keeps it.",
    destroys: false,
    async accept(host, { deps, caller }) {
      if (host.maintenance) return releaseWrites(deps, host, await placesOf(deps, host));
      const places = await placesAtRest(deps, host, "released");
      return decided(deps, caller, host, places, released(host));
    },
  },
  validate: {
    summary: "Validate a host",
    description:
      "Discovers a host anew that nobody holds: compares its hardware with its type, and reads the results of its tests.",
    destroys: false,
    async accept(host, { deps, caller }) {
      const places = await placesAtRest(deps, host, "validated");
      return decided(deps, caller, host, places, validated(host));
    },
  },
  reprovision: {
    summary: "Reprovision a host",
    description:
      "Has the DPUs of a host installed anew before the next order gets it: a free host is provisioned again now, one that somebody holds once it was released.",
    destroys: true,
    accept: async (host, { deps, caller }) =>
      reprovisionWrites(deps, caller, host, await placesOf(deps, host)),
  },
  update_firmware: {
    summary: "Update the firmware of a host",
    description:
      "Has the firmware of a host be what its type asks for: that of a free host now, that of one that somebody holds once it was released, or when its tenant consents.",
    destroys: false,
    accept: async (host, { deps, caller }) =>
      updateFirmwareWrites(deps, caller, host, await placesOf(deps, host)),
  },
  accept_identity: {
    summary: "Accept the identity of a host",
    description:
      "Has the server that was found behind the controller of a host be the host's from now on, such as one with a new mainboard. It is erased and discovered before an order gets it; one that somebody holds stays with its owner. Refused for a server that another host or DPU is.",
    destroys: true,
    accept: async (host, { deps, caller }) =>
      acceptIdentityWrites(deps, caller, host, await placesOf(deps, host)),
  },
  retire: {
    summary: "Retire a host",
    description: "Takes a host that nobody holds out of service for good, and switches it off.",
    destroys: true,
    async accept(host, { deps, caller }) {
      const places = await placesAtRest(deps, host, "retired");
      const { id, spec } = host;
      const controller = { host: id, hub: spec.hub, address: spec.bmc.address };
      const leaving = await givingUp(deps.store, controller, deps.clock.now());
      return decided(deps, caller, host, places, { ...retired(host), besides: leaving });
    },
  },
  health,
  override,
} satisfies Actions<"host">;
