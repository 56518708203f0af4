import type { Cluster } from "./model.ts";

/**
 * The DNS name of a cluster: `<name>.<tenant>.<base domain>`, or in a project `<name>.<project>.<tenant>.<base
 * domain>` with the innermost part of the project's path first. So clusters of the same name in different tenants or
 * projects have different DNS names.
 */

/** The claimed domain of a cluster or, before the claim, the one that it will claim. */
export const domainOf = (
  { metadata, site }: Pick<Cluster, "metadata" | "site">,
  baseDomain: string,
): string => site?.domain ?? `${labelsOf(metadata).join(".")}.${baseDomain}`;

/** The metadata from which the domain is made, without the hub's base domain. */
type Place = Pick<Cluster["metadata"], "name" | "tenant" | "project">;

const projectLabels = ({ project }: Place): string[] =>
  project ? project.split(".").toReversed() : [];

const labelsOf = (place: Place): string[] => [place.name, ...projectLabels(place), place.tenant];

/**
 * The limit for a domain without its base domain. A DNS name has at most 253 characters, and has to fit the
 * base domain and the longest name below the cluster's domain.
 */
const longest = 160;

/** The fault of the domain for this name, tenant and project, and the field to correct. */
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
