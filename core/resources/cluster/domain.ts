import type { Cluster } from "./model.ts";

/**
 * The DNS name of a cluster: `<name>.<tenant>.<base domain>`, and in a project
 * `<name>.<project>.<tenant>.<base domain>`, the project's path from the inside out. So names of
 * different tenants and projects are apart, as the names of the clusters are.
 */

/** The name that is claimed for it; before that, the one that it would claim. */
export const domainOf = (
  { metadata, site }: Pick<Cluster, "metadata" | "site">,
  baseDomain: string,
): string => site?.domain ?? `${labelsOf(metadata).join(".")}.${baseDomain}`;

/** What a name is made of, before its base domain. */
type Place = Pick<Cluster["metadata"], "name" | "tenant" | "project">;

const projectLabels = ({ project }: Place): string[] =>
  project ? project.split(".").toReversed() : [];

const labelsOf = (place: Place): string[] => [place.name, ...projectLabels(place), place.tenant];

/** Of 253 characters, so that a base domain and the longest name of a cluster's own have room beside it. */
const longest = 160;

/** What is wrong with the DNS name that a cluster of this place would have, and the field to blame. */
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
