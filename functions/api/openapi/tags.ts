import { type Kind, pluralOf } from "../../../core/kernel/object/object.ts";
import { documentationOf } from "../../../core/kernel/request/documentation.ts";
import type { Area } from "../../../core/kernel/request/permissions.ts";
import { documentations } from "../../../core/resources/generated/documentations.ts";
import { permissions, type Subject } from "../permissions.ts";
import { isRegisteredKind, kindNames } from "../registry.ts";

/** The groups of operations, by topic. Kinds have the order of core/resources/index.ts. */

interface Group {
  name: string;
  area: Area;
  subjects: Subject[];
}

const kindsIn = (area: Area, name: string): Kind[] =>
  kindNames.filter((kind) => documentationOf(documentations, kind).groups[area] === name);

const groups: Group[] = [
  { name: "Order", area: "public", subjects: [...kindsIn("public", "Order"), "event"] },
  { name: "Networks", area: "public", subjects: kindsIn("public", "Networks") },
  { name: "People", area: "public", subjects: kindsIn("public", "People") },
  {
    name: "Provider",
    area: "private",
    subjects: [
      ...kindsIn("private", "Provider"),
      ...([
        ...(["status", "owner", "invalid_object", "event", "capacity"] as const),
        ...(["intake", "removal", "audit_entry"] as const),
      ] as const),
    ],
  },
  {
    name: "Provider: networks",
    area: "private",
    subjects: kindsIn("private", "Provider: networks"),
  },
  {
    name: "Provider: people",
    area: "private",
    subjects: kindsIn("private", "Provider: people"),
  },
];

/** The description of each subject that is not a kind. */
const meanings: Record<Exclude<Subject, Kind>, string> = {
  audit_entry: "Who changed what, and who read a credential.",
  capacity: "The capacity of everything that orders use.",
  event: "Every change, as it happens.",
  invalid_object: "Stored objects that would be refused today.",
  intake: "The switch that stops every order and change.",
  removal: "The switch that stops the removal of orphans.",
  status: "The state of everything at once.",
  owner: "Who has a VLAN id, an address, a name or a host.",
};

const meaningOf = (subject: Subject): string =>
  isRegisteredKind(subject) ? documentationOf(documentations, subject).meaning : meanings[subject];

/** The tag of operations without a token, which belong to no group. */
export const serviceTag = "service";

/** The tag of a subject in an area. Where both areas have the subject, the provider's tag has a name of its own. */
export function tagOf(area: Area, subject: Subject): string {
  const inBoth = subject in permissions.public && subject in permissions.private;
  return (area === "private" && inBoth ? "provider_" : "") + pluralOfSubject(subject);
}

function pluralOfSubject(subject: Subject): string {
  if (isRegisteredKind(subject)) return pluralOf(subject);
  return {
    ...{ event: "events", audit_entry: "audit_entries", capacity: "capacity" },
    status: "status",
    ...{ owner: "owners", invalid_object: "invalid_objects" },
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
        meaningOf(subject) + (area === "private" ? " For the provider, over all tenants." : ""),
    })),
  ),
  {
    name: serviceTag,
    "x-displayName": "Service",
    description: "Operations that need no token.",
  },
];

export const tagGroups = [
  ...groups.map(({ name, area, subjects }) => ({
    name,
    tags: subjects.map((subject) => tagOf(area, subject)),
  })),
  { name: "Rest", tags: [serviceTag] },
];
