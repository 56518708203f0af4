import { isDeepStrictEqual } from "node:util";
import type { Groups, Stand } from "../../at-site/at-site.ts";
import type { Failure } from "../../kernel/object/failure.ts";
import type { BaremetalInstance, InstanceNetworks } from "./model.ts";

/** The networks of an instance, as they change: those that it is to have, and those that it had. Pure. */

type Changing = Pick<BaremetalInstance, "stands" | "formerly" | "lingering">;

/** The networks that an instance has, or is to have. */
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

/** The instance, as a change of its networks begins with it. */
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

/** The instance after that: as it was where the change has failed. What may not have been released is kept in mind. */
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

/** The subnets that it stands in: until the new ones are confirmed, those that it had. */
export const presentStands = ({ stands, formerly }: Changing): readonly Stand[] =>
  formerly && !formerly.areLeft ? formerly.stands : stands;

/** Each subnet in which it may have something, once. */
export function everyStand({ stands, formerly, lingering = [] }: Changing): Stand[] {
  const all = [...stands, ...(formerly?.stands ?? []), ...lingering];
  return all.filter((stand, n) => all.findIndex(({ subnet }) => subnet === stand.subnet) === n);
}

/** Whether a NIC is to be in another subnet, or has another address or route: all else are its security groups. */
export function doMove({ stands, formerly }: Changing): boolean {
  const places = (all: readonly Stand[]) => all.map(({ groups: _, ...stand }) => stand);
  return formerly !== undefined && !isDeepStrictEqual(places(stands), places(formerly.stands));
}
