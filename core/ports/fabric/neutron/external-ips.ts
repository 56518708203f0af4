import { AppError } from "../../../error.ts";
import type { Owner } from "../../owner.ts";
import type { ExternalIpPlan, ObjectState, Removal } from "../fabric.ts";
import type { NeutronApi } from "./api.ts";
import { ensureHolder, foundOrMade } from "./floating-ips.ts";
import { baseName, descriptionOf, floatingIpName } from "./names.ts";
import type { NeutronFloatingIp } from "./objects.ts";
import { OwnedInNeutron, progressOf, removal } from "./owned.ts";

/**
 * Floating IPs into another owner's network. Neutron permits one floating IP of an external network for each
 * address, and answers 409 for a second one, so the network's own is disassociated first.
 */
export async function ensureExternalIp(
  api: NeutronApi,
  owner: Owner,
  { network, use, internal, address }: ExternalIpPlan,
  externalNetwork: string,
): Promise<ObjectState> {
  const theirs = new OwnedInNeutron(api, network);
  const port = await ensureHolder(theirs, floatingIpName(network, use), internal);
  for (const own of await theirs.floatingIps())
    if (own.port_id === port.id && own.fixed_ip_address === internal)
      await api.update("floatingips", own.id, { port_id: null });
  const to = { port_id: port.id, fixed_ip_address: internal };
  const find = async () => (await owned(api, owner))[0];
  const body = { floating_network_id: externalNetwork, floating_ip_address: address, ...to };
  const ours = new OwnedInNeutron(api, { ...owner, uses: [] });
  const name = baseName(owner);
  const found = await foundOrMade(ours, name, find, body);
  if (found.floating_ip_address !== address)
    throw new AppError(
      "Rejected",
      `the floating IP is ${found.floating_ip_address}, not ${address}`,
    );
  const isThere = found.port_id === port.id && found.fixed_ip_address === internal;
  return progress(isThere ? found : await api.update("floatingips", found.id, to));
}

export async function observeExternalIp(
  api: NeutronApi,
  owner: Owner,
  { address, internal }: Pick<ExternalIpPlan, "address" | "internal">,
): Promise<ObjectState> {
  const found = (await owned(api, owner)).find((each) => each.floating_ip_address === address);
  if (!found) return { state: "absent" };
  return progress({
    ...found,
    port_id: found.fixed_ip_address === internal ? found.port_id : undefined,
  });
}

/** A lost answer may have left two floating IPs. */
export const removeExternalIp = (api: NeutronApi, owner: Owner): Promise<Removal> =>
  removal(async () => {
    for (const { id } of await owned(api, owner)) await api.remove("floatingips", id);
  });

async function owned(api: NeutronApi, owner: Owner): Promise<NeutronFloatingIp[]> {
  const description = descriptionOf(baseName(owner), owner);
  const found = await api.list("floatingips", { description });
  return found.filter((floatingIp) => floatingIp.description === description);
}

function progress({
  floating_ip_address: address,
  port_id,
  status,
}: Pick<NeutronFloatingIp, "floating_ip_address" | "port_id" | "status">): ObjectState {
  const what = `floating IP ${address}`;
  return !port_id
    ? { state: "pending", message: `${what} leads nowhere` }
    : progressOf(what, status);
}
