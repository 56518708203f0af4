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
    "Takes a host out of the pool, or replaces it in its cluster, until it is released. If Slipway manages its power, it is erased and switched off.",
  schema: maintenanceSchema,
  destroys: false,
  accept: async (host, { deps, caller, input }) =>
    maintainWrites(deps, caller, host, await placesOf(deps, host), input),
};

const reportSchema = z.strictObject({ ...healthReportMembers, source: sourceSchema }).check(fits);

const health: Action<"host", z.output<typeof reportSchema>> = {
  summary: "Report the health of a host",
  description:
    "Replaces the last report of a source. A report without probes and interval removes the source.",
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
  description: "Replaces or extends the alerts of a source until the override ends.",
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
    description: "Repeats the failed step on a quarantined host after its repair.",
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
      "Ends maintenance, quarantine or retirement of a host. A free host is erased and discovered before its next order; a cluster that still has it keeps it.",
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
      "Discovers a free host again: compares its hardware with its type and reads the results of its tests.",
    destroys: false,
    async accept(host, { deps, caller }) {
      const places = await placesAtRest(deps, host, "validated");
      return decided(deps, caller, host, places, validated(host));
    },
  },
  reprovision: {
    summary: "Reprovision a host",
    description:
      "Reinstalls the DPUs of a host before its next order: now on a free host, otherwise once the host is released.",
    destroys: true,
    accept: async (host, { deps, caller }) =>
      reprovisionWrites(deps, caller, host, await placesOf(deps, host)),
  },
  update_firmware: {
    summary: "Update the firmware of a host",
    description:
      "Updates the firmware of a host to the versions of its type: now on a free host, otherwise once the host is released or its tenant consents.",
    destroys: false,
    accept: async (host, { deps, caller }) =>
      updateFirmwareWrites(deps, caller, host, await placesOf(deps, host)),
  },
  accept_identity: {
    summary: "Accept the identity of a host",
    description:
      "Accepts the server that its controller now reports, such as one with a new mainboard, as this host. A free host is erased and discovered before its next order; other hosts stay with their owner. Refused for a server of another host or DPU.",
    destroys: true,
    accept: async (host, { deps, caller }) =>
      acceptIdentityWrites(deps, caller, host, await placesOf(deps, host)),
  },
  retire: {
    summary: "Retire a host",
    description: "Takes a free host out of service for good and switches it off.",
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
