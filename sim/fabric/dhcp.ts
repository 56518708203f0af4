import { grouped } from "./derived.ts";
import { freeAddress } from "./fixed-ips.ts";
import { newMac, unbound } from "./ports.ts";
import type { PortRecord, SubnetRecord } from "./records.ts";
import type { FabricState } from "./state.ts";

/** The device owner of DHCP ports. Each network has one DHCP agent, with an address in each subnet that it serves. */

const owner = "network:dhcp";

const agentPorts = grouped((port: PortRecord) =>
  port.device_owner === owner ? port.network_id : undefined,
);

const agentsOn = (state: FabricState, network: string): readonly PortRecord[] =>
  agentPorts(state.records.all("port"), network);

/** Whether an agent answers on a subnet. */
export function hasDhcp(state: FabricState, subnet: SubnetRecord): boolean {
  return agentsOn(state, subnet.network_id).some((port) =>
    port.fixed_ips.some(({ subnet_id }) => subnet_id === subnet.id),
  );
}

/** Subnets whose agent is due and has not started. */
export function subnetsWithoutDhcp(state: FabricState): SubnetRecord[] {
  return state.records
    .all("subnet")
    .filter((subnet) => state.isPast(subnet.dhcp_at) && !hasDhcp(state, subnet));
}

/** Starts the agent of a subnet; a full subnet gets none until an address is free. */
export function startDhcp(state: FabricState, subnet: SubnetRecord): void {
  const ip = freeAddress(state, subnet);
  if (ip === undefined) return;
  const fixed = { subnet_id: subnet.id, ip_address: ip };
  const [agent] = agentsOn(state, subnet.network_id);
  if (agent) {
    state.change("port", agent, { fixed_ips: [...agent.fixed_ips, fixed] });
    return;
  }
  state.make("port", {
    // The agent's port does not count in quotas.
    project_id: "",
    network_id: subnet.network_id,
    mac_address: newMac(state),
    admin_state_up: true,
    fixed_ips: [fixed],
    ...unbound,
    device_id: `dhcp-${subnet.network_id}`,
    device_owner: owner,
    host_id: "network-node",
    vif_type: "other",
    active_at: state.now(),
  });
}
