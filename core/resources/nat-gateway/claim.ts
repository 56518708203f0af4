import type { SiteClaims } from "../../at-site/order.ts";
import { AppError } from "../../error.ts";
import type { Deps } from "../../kernel/deps.ts";
import { natGatewayKey } from "../../kernel/object/keys.ts";
import { load, mustLoad } from "../../kernel/object/records.ts";
import { absent, eq, type Item, type Store, type Write } from "../../kernel/store/store.ts";
import { attachingOnce, detaching, isAttachedTo } from "../external-ip/attached.ts";
import type { AttachedTo } from "../external-ip/model.ts";
import type { NatGateway } from "./model.ts";

/** The claims of a NAT gateway: its external IP, in that one's record, and its network's only way out. */

export const asUser = ({ id }: Pick<NatGateway, "id">): AttachedTo => ({ kind: "nat_gateway", id });

/** The claim of a network's way out; undefined if nobody has claimed it. */
export const wayOutOf = (store: Store, network: string): Promise<Item | undefined> =>
  store.get(natGatewayKey(network));

/** Why a gateway cannot claim a network's way out; undefined if it can, or has claimed it. */
export const takenBy = (claim: Item | undefined, id: string): string | undefined =>
  claim && claim.nat_gateway !== id
    ? `has a way out already: NAT gateway '${claim.name}' (${claim.nat_gateway})`
    : undefined;

/** The write by which a gateway claims a network's way out. */
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

/**
 * Whether a gateway still has its claims: one whose create failed has released them, and another gateway may have
 * them.
 */
export async function hasBoth(deps: Deps, gateway: NatGateway): Promise<boolean> {
  const ip = await load(deps, "external_ip", gateway.spec.external_ip.id);
  return ip !== undefined && isAttachedTo(ip, asUser(gateway));
}
