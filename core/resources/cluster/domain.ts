import type { Cluster } from "./model.ts";

/**
 * The DNS name of a cluster: `<name>.<tenant>.<base domain>`, and in a project
 * `<name>.<project>.<tenant>.<base domain>`, the project's path from the inside out. So clusters of the
 * same name in different tenants or projects have different DNS names.
 */

/** The claimed domain of a cluster; before the claim, the domain that it would claim. */
export const domainOf = (
  { metadata, site }: Pick<Cluster, "metadata" | "site">,
  baseDomain: string,
): string => site?.domain ?? `${labelsOf(metadata).join(".")}.${baseDomain}`;

/** The parts of a domain before the hub's base domain. */
type Place = Pick<Cluster["metadata"], "name" | "tenant" | "project">;

const projectLabels = ({ project }: Place): string[] =>
  project ? project.split(".").toReversed() : [];

const labelsOf = (place: Place): string[] => [place.name, ...projectLabels(place), place.tenant];

/**
 * The longest domain without its base domain. A DNS name has at most 253 characters, so this leaves
 * room for the base domain and the longest name below the cluster's.
 */
const longest = 160;

/** The fault in the domain of a cluster at this place, and the field to blame. */
export function domainFault(place: Place): { field: string; message: string } | undefined {
  if (place.project && place.name === "apps") {
    const message = "must not be 'apps' in a project: DNS uses that name for applications";
    return { field: "metadata.name", message };
  }
  if (projectLabels(place).includes("apps")) {
    const message = "cannot have clusters: DNS uses the name 'apps' for applications";
    return { field: "metadata.project", message };
  }
  const { length } = labelsOf(place).join(".");
  if (length <= longest) return undefined;
  const message = `makes a DNS name that is too long: name, project and tenant have ${length} characters together; ${longest} is the limit`;
  return { field: "metadata.project", message };
}
