import { identityShown } from "../../machine/identity.ts";
import { hostConditions, isManaged, quarantineOf } from "../../placement/pool/host.ts";
import type { Health, HealthRecord } from "./health.ts";
import type { Host } from "./model.ts";
import { type DriveRecord, type Quarantine, serverOf } from "./server.ts";

/** The status in the API's answers; of the agent, only its state and since when. */
export function hostStatusShown(host: Host) {
  const { agent, health, ...status } = host.status;
  return {
    ...status,
    ...hostConditions(host),
    ...(host.maintenance && { maintenance: host.maintenance }),
    ...(host.reinstall && { reinstall: host.reinstall }),
    ...(host.firmware && { firmware: host.firmware }),
    ...(host.firmware_update && { firmware_update: host.firmware_update }),
    ...(health && { health: healthShown(health, host.health) }),
    ...(agent ? { agent: agentShown(agent) } : {}),
    ...(host.operation !== undefined && { operation: host.operation }),
    ...identityShown(host),
    ...(host.dpu_ports && { dpu_ports: host.dpu_ports }),
    ...(isManaged(host) && { server: serverShown(host) }),
  };
}

function serverShown(host: Host) {
  const { condition, seen, drives, differences, isRetired } = serverOf(host);
  const quarantine = quarantineOf(host);
  return {
    condition: `SERVER_CONDITION_${condition}` as const,
    ...(seen && { power: seen.power, power_time: seen.at }),
    ...(isRetired && { retired: true }),
    ...(quarantine && { quarantine: quarantineShown(quarantine) }),
    ...(differences && { differences }),
    ...(drives && { drives: drives.map(driveShown) }),
  };
}

/** The resulting alerts, and the last report of each source. */
const healthShown = (
  health: Health,
  { reports, overrides = {} }: HealthRecord = { reports: {} },
) => ({
  ...health,
  sources: Object.entries(reports).map(([source, report]) => ({ source, ...report })),
  overrides: Object.entries(overrides).map(([source, override]) => ({ source, ...override })),
});

const quarantineShown = ({ isolated_by: _, ...quarantine }: Quarantine) => quarantine;

const driveShown = ({
  id: _,
  task: __,
  begun: ___,
  requested: ____,
  at,
  ...drive
}: DriveRecord) => ({
  ...drive,
  ...(at !== undefined && { erased_at: at }),
});

function agentShown({
  name,
  state,
  message,
  bound_to,
  gone,
  at,
}: NonNullable<Host["status"]["agent"]>) {
  return { name, state, message, bound_to, gone, observed_at: at };
}
