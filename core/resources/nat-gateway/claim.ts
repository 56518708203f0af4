import type { SiteClaims } from "../../at-site/order.ts";
import { AppError } from "../../error.ts";
import type { Deps } from "../../kernel/deps.ts";
import { natGatewayKey } from "../../kernel/object/keys.ts";
import { load, mustLoad } from "../../kernel/object/records.ts";
import { absent, eq, type Item, type Store, type Write } from "../../kernel/store/store.ts";
import { attachingOnce, detaching, isAttachedTo } from "../external-ip/attached.ts";
import type { AttachedTo } from "../external-ip/model.ts";
import type { NatGateway } from "./model.ts";

/** What a NAT gateway claims: its external IP, whose record says so, and the one way out of its network. */

export const asUser = ({ id }: Pick<NatGateway, "id">): AttachedTo => ({ kind: "nat_gateway", id });

/** The claim of a network's way out; undefined while nobody has it. */
export const wayOutOf = (store: Store, network: string): Promise<Item | undefined> =>
  store.get(natGatewayKey(network));

/** Why a network's way out is not to be had; undefined where it is, or where this gateway has it. */
export const takenBy = (claim: Item | undefined, id: string): string | undefined =>
  claim && claim.nat_gateway !== id
    ? `has a way out already: NAT gateway '${claim.name}' (${claim.nat_gateway})`
    : undefined;

/** The write by which a gateway has a network's way out. */
export const claimingWayOut = (
  network: string,
  { id, name }: { id: string; name: string },
): Write => ({ put: { ...natGatewayKey(network), nat_gateway: id, name }, if: absent });

/** Its external IP and the way out of its network. */
export const natGatewayClaims: SiteClaims<NatGateway> = {
  async claim(deps, gateway) {
    const { id, spec, metadata } = gateway;
    const network = spec.virtual_network;
    const [ip, claim] = await Promise.all([
      mustLoad(deps, "external_ip", spec.external_ip.id),
      wayOutOf(deps.store, network.id),
    ]);
    const writes = await attachingOnce(deps, ip, asUser(gateway));
    const taken = takenBy(claim, id);
    if (taken) throw new AppError("FailedPrecondition", `network '${network.name}' ${taken}`);
    return claim ? writes : [...writes, claimingWayOut(network.id, { id, name: metadata.name })];
  },
  async release(deps, gateway) {
    const { id, spec } = gateway;
    const key = natGatewayKey(spec.virtual_network.id);
    const [ip, claim] = await Promise.all([
      load(deps, "external_ip", spec.external_ip.id),
      deps.store.get(key),
    ]);
    const writes = detaching(deps, ip, asUser(gateway), { givenUpBy: gateway.given_up });
    if (claim?.nat_gateway !== id) return writes;
    return [...writes, { delete: key, if: eq("nat_gateway", id) }];
  },
};

/** Whether a gateway has what it ordered: one that could not be made has given it back, and another may have it. */
export async function hasBoth(deps: Deps, gateway: NatGateway): Promise<boolean> {
  const ip = await load(deps, "external_ip", gateway.spec.external_ip.id);
  return ip !== undefined && isAttachedTo(ip, asUser(gateway));
}
