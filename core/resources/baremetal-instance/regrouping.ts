import type { Groups } from "../site/at-site.ts";
import type { BaremetalInstance } from "./model.ts";

/** The security groups of an instance's attachments, as they change. Pure. */

/** The instance with these groups, one entry for each attachment. */
export function withGroups(
  instance: BaremetalInstance,
  groups: readonly Groups[],
): BaremetalInstance {
  const { spec, stands } = instance;
  return {
    ...instance,
    stands: stands.map((stand, n) => ({ ...stand, groups: groups[n]?.names ?? stand.groups })),
    spec: {
      ...spec,
      network_attachments: spec.network_attachments.map((attachment, n) => ({
        ...attachment,
        security_groups: groups[n]?.security_groups ?? attachment.security_groups,
      })),
    },
  };
}

/** The groups that an instance has, or is to have. */
export const groupsOf = ({ spec, stands }: Pick<BaremetalInstance, "spec" | "stands">): Groups[] =>
  spec.network_attachments.map(({ security_groups }, n) => ({
    security_groups,
    names: stands[n]?.groups ?? [],
  }));
