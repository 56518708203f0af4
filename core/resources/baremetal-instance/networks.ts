import { isDeepStrictEqual } from "node:util";
import type { Groups, Stand } from "../../at-site/at-site.ts";
import type { Failure } from "../../kernel/object/failure.ts";
import type { BaremetalInstance, InstanceNetworks } from "./model.ts";

/** Changes of an instance's networks, from the previous ones to the desired ones. Pure. */

type Changing = Pick<BaremetalInstance, "stands" | "formerly" | "lingering">;

/** The desired networks of an instance. */
const networksOf = ({
  spec,
  stands,
}: Pick<BaremetalInstance, "spec" | "stands">): InstanceNetworks => ({
  network_attachments: spec.network_attachments,
  stands,
});

/** The instance with these networks. */
export const withNetworks = (
  { spec, ...instance }: BaremetalInstance,
  { network_attachments, stands }: InstanceNetworks,
): BaremetalInstance => ({ ...instance, stands, spec: { ...spec, network_attachments } });

/** The instance at the start of a change of its networks. */
export function changingTo(
  instance: BaremetalInstance,
  wanted: InstanceNetworks,
): BaremetalInstance {
  const { stands } = instance;
  const from = wanted.stands.map((stand, n): Groups => {
    const place = stands.findIndex(({ subnet }) => subnet === stand.subnet);
    const before = place < 0 ? wanted : networksOf(instance);
    const at = place < 0 ? n : place;
    return {
      security_groups: before.network_attachments[at]?.security_groups ?? [],
      names: before.stands[at]?.groups ?? [],
    };
  });
  return {
    ...withNetworks(instance, wanted),
    formerly: networksOf(instance),
    regrouping: { from },
  };
}

/**
 * The instance after the change. A failed change restores the previous networks, and records the subnets in
 * which ports may be left.
 */
export function afterChange(
  instance: BaremetalInstance,
  failure: Failure | undefined,
): BaremetalInstance {
  const { formerly, regrouping: _, lingering: left, ...rest } = instance;
  if (!failure || !formerly) return rest;
  const { areLeft: __, ...before } = formerly;
  const lingering = failure.given_back === false ? [...rest.stands, ...(left ?? [])] : [];
  return {
    ...withNetworks(rest, before),
    generation: rest.generation + 1,
    ...(lingering.length > 0 && { lingering }),
  };
}

/** The subnets in which it is now: the previous ones until the new ones are confirmed. */
export const presentStands = ({ stands, formerly }: Changing): readonly Stand[] =>
  formerly && !formerly.areLeft ? formerly.stands : stands;

/** Each subnet in which it may have a port, without duplicates. */
export function everyStand({ stands, formerly, lingering = [] }: Changing): Stand[] {
  const all = [...stands, ...(formerly?.stands ?? []), ...lingering];
  return all.filter((stand, n) => all.findIndex(({ subnet }) => subnet === stand.subnet) === n);
}

/** Whether a NIC changes its subnet, address or route; otherwise only security groups change. */
export function doMove({ stands, formerly }: Changing): boolean {
  const places = (all: readonly Stand[]) => all.map(({ groups: _, ...stand }) => stand);
  return formerly !== undefined && !isDeepStrictEqual(places(stands), places(formerly.stands));
}
