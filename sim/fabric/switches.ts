import * as z from "zod";
import { delays } from "./delays.ts";
import { grouped } from "./derived.ts";
import { NeutronFault } from "./error.ts";
import type { PortRecord, ResidueRecord, SwitchPort } from "./records.ts";
import type { FabricState } from "./state.ts";

/**
 * The switches, as networking-generic-switch drives them, one change at a time. Faults of `PUT
 * /switches/<switch>/<port>` let the setting of a port's VLAN fail, and faults of `DELETE` its removal.
 */

/** A failure at a switch. Earlier writes of the request persist. */
export class SwitchFailure extends NeutronFault {
  constructor() {
    super(
      500,
      "GenericSwitchNetmikoConnectError",
      "Failed to connect to Netmiko switch. Please contact your administrator.",
    );
  }
}

const profileSchema = z.object({
  local_link_information: z
    .array(
      z.object({
        switch_info: z.string().optional(),
        switch_id: z.string().optional(),
        port_id: z.string(),
      }),
    )
    .min(1),
});

/** The switch port that a binding profile names; undefined if it does not exist. */
export function switchPortOf(
  state: FabricState,
  profile: Record<string, unknown>,
): SwitchPort | undefined {
  const link = profileSchema.safeParse(profile).data?.local_link_information[0];
  if (!link) return undefined;
  const names = [link.switch_info, link.switch_id];
  for (const cable of state.context.cables()) {
    if (names.includes(cable.switch) && cable.port === link.port_id) {
      return { switch: cable.switch, port: cable.port };
    }
  }
  return undefined;
}

/** Sets the VLAN of a switch port; returns when it will be set. Throws SwitchFailure. */
export function plug(state: FabricState, at: SwitchPort): number {
  if (state.context.faults.take("fabric", `PUT /switches/${at.switch}/${at.port}`)) {
    throw new SwitchFailure();
  }
  for (const residue of state.records.all("residue")) {
    if (isSame(residue, at)) state.records.remove("residue", residue.id);
  }
  const { shortest, longest } = delays.plug;
  const duration = shortest + Math.round(state.context.random() * (longest - shortest));
  return busyUntil(state, at.switch) + duration;
}

/** Removes the VLAN from a port's switch port. A failure is not reported: the switch port keeps the VLAN. */
export function unplug(state: FabricState, port: PortRecord): void {
  const { plugged, network_id } = port;
  if (!plugged) return;
  const failed = state.context.faults.take(
    "fabric",
    `DELETE /switches/${plugged.switch}/${plugged.port}`,
  );
  const vlan = state.records.get("network", network_id)?.vlan;
  if (!failed || !state.isPast(port.active_at) || typeof vlan !== "number") return;
  const { name, description, tags, mac_address, fixed_ips } = port;
  const kept = { name, description, tags, mac_address, fixed_ips };
  state.make("residue", { ...plugged, network_id, vlan, ...kept });
}

/** The access VLAN of a switch port now; undefined means the switch's own default. */
export function vlanOf(state: FabricState, at: SwitchPort): number | undefined {
  const last = portsAt(state.records.all("port"), placeOf(at))
    .filter(({ active_at }) => state.isPast(active_at))
    .toSorted((a, b) => (b.active_at ?? 0) - (a.active_at ?? 0))[0];
  if (last) return state.records.get("network", last.network_id)?.vlan ?? undefined;
  return residueAt(state, at)?.vlan;
}

/** The record of a VLAN that a switch port kept without a port. */
export const residueAt = (state: FabricState, at: SwitchPort): ResidueRecord | undefined =>
  state.records.all("residue").find((residue) => isSame(residue, at));

const placeOf = ({ switch: name, port }: SwitchPort): string => `${name} ${port}`;

const portsAt = grouped(({ plugged }: PortRecord) => (plugged ? placeOf(plugged) : undefined));

const isSame = (a: SwitchPort, b: SwitchPort): boolean =>
  a.switch === b.switch && a.port === b.port;

function busyUntil(state: FabricState, name: string): number {
  const ends = state.records
    .all("port")
    .map(({ plugged, active_at }) => (plugged?.switch === name ? (active_at ?? 0) : 0));
  return ends.reduce((latest, end) => Math.max(latest, end), state.now());
}
