import { AppError } from "../../../error.ts";
import { Taken } from "../../taken.ts";
import type { FloatingIp, FloatingIpPlan, ObjectState, Removal } from "../fabric.ts";
import type { NeutronApi } from "./api.ts";
import { NeutronRefusal } from "./error.ts";
import { descriptionOf, floatingIpName, floatingIpNames } from "./names.ts";
import type { NeutronFloatingIp, Port } from "./objects.ts";
import { type OwnedInNeutron, progressOf, removal } from "./owned.ts";

/**
 * A floating IP leads to a port. An address that a load balancer announces has no machine's port, so an
 * unbound port is created to reserve it.
 */
export async function ensureFloatingIp(
  api: NeutronApi,
  ours: OwnedInNeutron,
  { use, internal, address }: FloatingIpPlan,
  externalNetwork: string,
): Promise<FloatingIp> {
  const name = floatingIpName(ours.owned, use);
  const port = await ensureHolder(ours, name, internal);
  const to = { port_id: port.id, fixed_ip_address: internal };
  const description = descriptionOf(name, ours.owned);
  const find = async () =>
    (await ours.floatingIps()).find((floatingIp) => floatingIp.description === description);
  const body = {
    floating_network_id: externalNetwork,
    ...to,
    ...(address !== undefined && { floating_ip_address: address }),
  };
  let found = await foundOrMade(ours, name, find, body);
  if (address !== undefined && found.floating_ip_address !== address) {
    const message = `the floating IP for ${use} is ${found.floating_ip_address} instead of ${address}`;
    throw new AppError("Rejected", message);
  }
  if (found.port_id !== port.id || found.fixed_ip_address !== internal) {
    found = await api.update("floatingips", found.id, to);
  }
  return asFloatingIp(use, found);
}

/** The owner's floating IP. Throws Taken when somebody else has the address in `body`. */
export const foundOrMade = (
  ours: OwnedInNeutron,
  name: string,
  find: () => Promise<NeutronFloatingIp | undefined>,
  body: object,
): Promise<NeutronFloatingIp> =>
  ours.ensure("floatingips", name, find, body).catch((error: unknown) => {
    if (!(error instanceof NeutronRefusal && addressTaken.has(error.type))) throw error;
    throw new Taken("floatingip", error.message, { cause: error });
  });

/** Neutron's errors for an allocated address; older releases use the second. */
const addressTaken: ReadonlySet<string> = new Set(["IpAddressAlreadyAllocated", "IpAddressInUse"]);

/** The port with the inside address: a machine's, or one that only reserves the address. */
export async function ensureHolder(
  ours: OwnedInNeutron,
  name: string,
  internal: string,
): Promise<Port> {
  const subnet = await ours.subnet();
  const holdersAmong = (ports: Port[]) =>
    ports.filter(
      (port) =>
        !port.device_owner.startsWith("network:") &&
        port.fixed_ips.some(({ ip_address }) => ip_address === internal),
    );
  const ports = await ours.portsOn(subnet);
  const known = holdersAmong(ports);
  const machine = known.find((port) => port.name !== name);
  if (machine) return machine;
  const [holder] = known;
  if (holder) return ours.adopt("ports", holder);
  return ours.make("ports", name, async () => holdersAmong(await ours.portsOn(subnet))[0], {
    network_id: subnet.network_id,
    name,
    admin_state_up: true,
    fixed_ips: [{ subnet_id: subnet.id, ip_address: internal }],
    ...(await ours.security(ports)),
  });
}

/** The floating IPs of a network. */
export function floatingIpsAmong(ours: OwnedInNeutron, found: NeutronFloatingIp[]): FloatingIp[] {
  return ours.owned.uses.flatMap((use) => {
    const description = descriptionOf(floatingIpName(ours.owned, use), ours.owned);
    return found
      .filter((floatingIp) => floatingIp.description === description)
      .map((floatingIp) => asFloatingIp(use, floatingIp));
  });
}

function asFloatingIp(use: string, found: NeutronFloatingIp): FloatingIp {
  const internal = found.fixed_ip_address ?? undefined;
  const progress: ObjectState = found.port_id
    ? progressOf(`the floating IP for ${use}`, found.status)
    : { state: "pending", message: `the floating IP for ${use} leads nowhere yet` };
  return {
    use,
    address: found.floating_ip_address,
    ...(internal !== undefined && { internal }),
    progress,
  };
}

export async function removeFloatingIps(api: NeutronApi, ours: OwnedInNeutron): Promise<Removal> {
  const holders = floatingIpNames(ours.owned);
  return removal(async () => {
    for (const { id } of await ours.floatingIps()) await api.remove("floatingips", id);
    for (const { id: network_id } of await ours.segments()) {
      for (const { id, name } of await ours.portsOn({ network_id })) {
        if (holders.includes(name)) await api.remove("ports", id);
      }
    }
  });
}
