import { addressFamily, type Family } from "../../../prefix.ts";
import { Exhausted, type ObjectState, type Removal } from "../../fabric/fabric.ts";
import type { NeutronApi } from "../../fabric/neutron/api.ts";
import type { Router } from "../../fabric/neutron/objects.ts";
import { type OwnedInNeutron, progressOf, removal } from "../../fabric/neutron/owned.ts";
import type { WayOut } from "../network.ts";

/**
 * Outbound access of a network in Neutron: its router translates (SNAT) IPv4 to the gateway's only IPv4
 * address; IPv6 is never translated. By Neutron's default policy only administrators may set either. Each
 * request sends the whole gateway, because Neutron enables SNAT if a request omits it.
 */

type Gateway = NonNullable<Router["external_gateway_info"]>;
type FixedIp = Gateway["external_fixed_ips"][number];

export async function ensureWayOut(
  api: NeutronApi,
  ours: OwnedInNeutron,
  { address }: WayOut,
  externalNetwork: string,
): Promise<ObjectState> {
  const [found] = await ours.routers();
  if (!found) return { state: "pending", message: "the router of the network does not exist" };
  const gateway = found.external_gateway_info;
  const router = leadsOut(gateway, address)
    ? found
    : await setGateway(api, found.id, {
        network_id: externalNetwork,
        enable_snat: true,
        external_fixed_ips: [{ ip_address: address }, ...ipsOf(gateway, "ipv6")],
      });
  return leadsOut(router.external_gateway_info, address)
    ? progressOf("the router", router.status)
    : { state: "pending", message: `the router does not have the address ${address} yet` };
}

export function removeWayOut(
  api: NeutronApi,
  ours: OwnedInNeutron,
  { address }: WayOut,
): Promise<Removal> {
  return removal(async () => {
    for (const router of await ours.routers()) await giveUp(api, router, address);
  });
}

/**
 * Removes the address from a router, which gets another one of Neutron's choice: floating IPs need the
 * gateway, so the router always keeps one.
 */
async function giveUp(api: NeutronApi, router: Router, address: string): Promise<void> {
  const { external_gateway_info: before } = router;
  const own = ipsOf(before, "ipv4").find((ip) => ip.ip_address === address);
  if (!before || !own) return;
  const otherOf = (gateway: Router["external_gateway_info"]) =>
    ipsOf(gateway, "ipv4").find((ip) => ip.ip_address !== address);
  // An earlier attempt may have been cut off between the two requests.
  const other = otherOf(before) ?? otherOf(await withAnother(api, router.id, before, own));
  if (!other) throw new Exhausted("address", "the router got no other address of the fabric");
  await setGateway(api, router.id, {
    network_id: before.network_id,
    enable_snat: false,
    external_fixed_ips: [other, ...ipsOf(before, "ipv6")],
  });
}

/**
 * Adds an address of Neutron's choice beside a gateway's own, from any subnet with a free one. The own
 * address is sent by its subnet id: if a request has it and one more of the same subnet, Neutron sees no
 * change.
 */
async function withAnother(
  api: NeutronApi,
  router: string,
  gateway: Gateway,
  { subnet_id }: FixedIp,
): Promise<Router["external_gateway_info"]> {
  const { network_id } = gateway;
  const found = await api.list("subnets", { network_id });
  const ofNetwork = found.filter((subnet) => subnet.network_id === network_id);
  const others = ofNetwork.filter(
    ({ id, cidr }) => id !== subnet_id && addressFamily(cidr) === "ipv4",
  );
  let short: unknown;
  for (const id of [subnet_id, ...others.map((subnet) => subnet.id)]) {
    const ips = [{ subnet_id }, { subnet_id: id }, ...ipsOf(gateway, "ipv6")];
    const wanted = { network_id, enable_snat: false, external_fixed_ips: ips };
    try {
      return (await setGateway(api, router, wanted)).external_gateway_info;
    } catch (error) {
      if (!(error instanceof Exhausted)) throw error;
      short = error;
    }
  }
  throw short;
}

const ipsOf = (gateway: Router["external_gateway_info"], family: Family): FixedIp[] =>
  (gateway?.external_fixed_ips ?? []).filter((ip) => addressFamily(ip.ip_address) === family);

/** Whether a gateway translates to this address only. */
function leadsOut(gateway: Router["external_gateway_info"], address: string): boolean {
  const [own, ...others] = ipsOf(gateway, "ipv4");
  return gateway?.enable_snat === true && own?.ip_address === address && others.length === 0;
}

interface WantedGateway extends Required<Omit<Gateway, "external_fixed_ips">> {
  external_fixed_ips: Partial<FixedIp>[];
}

const setGateway = (api: NeutronApi, router: string, wanted: WantedGateway): Promise<Router> =>
  api.update("routers", router, { external_gateway_info: wanted });
