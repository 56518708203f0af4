import { AppError } from "../../error.ts";
import type { Deps } from "../../kernel/deps.ts";
import { natGatewayKey } from "../../kernel/object/keys.ts";
import { load, mustLoad } from "../../kernel/object/records.ts";
import { optimisticallyFenced } from "../../kernel/store/optimistically.ts";
import {
  absent,
  type Check,
  eq,
  type Item,
  type Store,
  type Write,
} from "../../kernel/store/store.ts";
import { attaching, isAttachedTo, refuseTaken } from "../external-ip/attached.ts";
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

/**
 * The writes by which a gateway has what it has from its order on, as far as it has not. Throws FailedPrecondition when
 * something else has one of the two by now.
 */
export async function claimsOf(deps: Deps, gateway: NatGateway): Promise<Write[]> {
  const { id, spec, metadata } = gateway;
  const network = spec.virtual_network;
  const [ip, claim] = await Promise.all([
    mustLoad(deps, "external_ip", spec.external_ip.id),
    wayOutOf(deps.store, network.id),
  ]);
  refuseTaken(ip, asUser(gateway));
  const taken = takenBy(claim, id);
  if (taken) throw new AppError("FailedPrecondition", `network '${network.name}' ${taken}`);
  return [
    ...(ip.attached_to ? [] : [attaching(deps, ip, asUser(gateway))]),
    ...(claim ? [] : [claimingWayOut(network.id, { id, name: metadata.name })]),
  ];
}

/** Has a gateway have both, in one transaction. Throws as `claimsOf` does. */
export const claimBoth = (deps: Deps, fence: Check[], gateway: NatGateway): Promise<void> =>
  optimisticallyFenced(deps.store, fence, async () => ({
    writes: await claimsOf(deps, gateway),
    result: undefined,
  }));

/** Whether a gateway has what it ordered: one that could not be made has given it back, and another may have it. */
export async function hasBoth(deps: Deps, gateway: NatGateway): Promise<boolean> {
  const ip = await load(deps, "external_ip", gateway.spec.external_ip.id);
  return ip !== undefined && isAttachedTo(ip, asUser(gateway));
}

/** Gives both back, in one transaction. Harmless when repeated, and when something else has them by now. */
export const releaseBoth = (deps: Deps, fence: Check[], gateway: NatGateway): Promise<void> =>
  optimisticallyFenced(deps.store, fence, async () => {
    const { id, spec } = gateway;
    const key = natGatewayKey(spec.virtual_network.id);
    const [ip, claim] = await Promise.all([
      load(deps, "external_ip", spec.external_ip.id),
      deps.store.get(key),
    ]);
    const writes: Write[] = [
      ...(ip && isAttachedTo(ip, asUser(gateway)) ? [attaching(deps, ip, undefined)] : []),
      ...(claim?.nat_gateway === id ? [{ delete: key, if: eq("nat_gateway", id) }] : []),
    ];
    return { writes, result: undefined };
  });
