import { isManaged } from "../../placement/host.ts";
import type { Host } from "./model.ts";
import { type DriveRecord, type Quarantine, serverOf } from "./server.ts";

/** The status in the form of the API: of the agent, only the members that tell its state. */
export function hostStatusShown(host: Host) {
  const { agent, ...status } = host.status;
  return {
    ...status,
    ...(host.maintenance && { maintenance: host.maintenance }),
    ...(agent ? { agent: agentShown(agent) } : {}),
    ...(host.operation !== undefined && { operation: host.operation }),
    ...(host.dpu_ports && { dpu_ports: host.dpu_ports }),
    ...(isManaged(host) && { server: serverShown(host) }),
  };
}

function serverShown(host: Host) {
  const { condition, seen, drives, differences, quarantine, isRetired } = serverOf(host);
  return {
    condition: `SERVER_CONDITION_${condition}` as const,
    ...(seen && { power: seen.power }),
    ...(isRetired && { retired: true }),
    ...(quarantine && { quarantine: quarantineShown(quarantine) }),
    ...(differences && { differences }),
    ...(drives && { drives: drives.map(driveShown) }),
  };
}

const quarantineShown = ({ isolated_by: _, ...quarantine }: Quarantine) => quarantine;

const driveShown = ({ id: _, task: __, at, ...drive }: DriveRecord) => ({
  ...drive,
  ...(at !== undefined && { erased_at: at }),
});

function agentShown({
  name,
  state,
  message,
  bound_to,
  gone,
}: NonNullable<Host["status"]["agent"]>) {
  return { name, state, message, bound_to, gone };
}
