import { pluralOf } from "../../../core/kernel/object/object.ts";
import type { Area } from "../../../core/kernel/request/permissions.ts";
import { permissions, type Subject } from "../permissions.ts";
import { isKind } from "../registry.ts";

/** How operations are grouped: as people think of them, not by alphabet. */

interface Group {
  name: string;
  area: Area;
  subjects: Subject[];
}

const groups: Group[] = [
  {
    name: "Order",
    area: "public",
    subjects: [
      ...(["cluster", "operation", "cluster_template", "cluster_catalog_item"] as const),
      ...(["cluster_version", "host_type", "secret", "event", "webhook"] as const),
    ],
  },
  {
    name: "People",
    area: "public",
    subjects: [
      ...(["tenant", "project", "project_membership", "quota"] as const),
      ...(["user", "role", "role_binding", "identity_provider"] as const),
    ],
  },
  {
    name: "Provider",
    area: "private",
    subjects: [
      ...(["hub", "host", "host_type", "site", "cluster", "operation"] as const),
      ...(["cluster_template", "cluster_catalog_item", "cluster_version", "event"] as const),
      ...(["capacity", "intake", "removal", "audit_entry"] as const),
    ],
  },
  {
    name: "Provider: people",
    area: "private",
    subjects: [
      ...(["tenant", "quota", "project", "project_membership", "user", "role"] as const),
      ...(["role_binding", "identity_provider", "secret", "webhook"] as const),
    ],
  },
];

/** What there is to each subject. */
const meanings: Record<Subject, string> = {
  audit_entry: "Who changed what, and who read a credential.",
  capacity: "How much there is of everything that orders use.",
  cluster: "OpenShift clusters on order.",
  cluster_catalog_item: "Offers: a template with what may be chosen.",
  cluster_template: "What can be ordered, and its parameters.",
  cluster_version: "OpenShift releases.",
  event: "Every change, as it happens.",
  host: "Servers in the inventory.",
  host_type: "Kinds of servers, and how many are free.",
  hub: "Management clusters, which run the control planes.",
  identity_provider: "Where the people of a tenant log in.",
  intake: "The switch that stops every order and change.",
  operation: "The work on an order, step by step.",
  project: "Parts of a tenant, one below the other.",
  project_membership: "Who may do what in a project.",
  quota: "The limits of a tenant or a project, and its usage.",
  removal: "The switch that stops the removal of orphans.",
  role: "The rights of users bound to the role.",
  role_binding: "Who is bound to which role.",
  secret: "Values that can be written and never read.",
  site: "Fabric, DNS and storage around hubs.",
  tenant: "The provider's customers.",
  user: "The people of a tenant.",
  webhook: "Events sent to a server of a tenant.",
};

/** What needs no token belongs to nobody's group. */
export const serviceTag = "service";

/** Both areas may have a subject; the provider's has a name of its own. */
export function tagOf(area: Area, subject: Subject): string {
  const inBoth = subject in permissions.public && subject in permissions.private;
  return (area === "private" && inBoth ? "provider_" : "") + pluralOfSubject(subject);
}

function pluralOfSubject(subject: Subject): string {
  if (isKind(subject)) return pluralOf(subject);
  return {
    ...{ event: "events", audit_entry: "audit_entries", capacity: "capacity" },
    ...{ removal: "removal", intake: "intake" },
  }[subject];
}

const titleOf = (subject: Subject): string => {
  const words = pluralOfSubject(subject).replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};

export const tags = [
  ...groups.flatMap(({ area, subjects }) =>
    subjects.map((subject) => ({
      name: tagOf(area, subject),
      "x-displayName": titleOf(subject),
      description:
        meanings[subject] + (area === "private" ? " For the provider, over all tenants." : ""),
    })),
  ),
  {
    name: serviceTag,
    "x-displayName": "Service",
    description: "What anybody may ask, also without a token.",
  },
];

export const tagGroups = [
  ...groups.map(({ name, area, subjects }) => ({
    name,
    tags: subjects.map((subject) => tagOf(area, subject)),
  })),
  { name: "Rest", tags: [serviceTag] },
];
