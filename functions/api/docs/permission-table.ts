import { pluralOf } from "../../../core/kernel/object/object.ts";
import type { Area } from "../../../core/kernel/request/permissions.ts";
import { permissions, type Subject } from "../permissions.ts";
import { isRegisteredKind } from "../registry.ts";

/** The table of permissions, for people. */

const areas = {
  public: "On the paths of tenants",
  private: "On the paths of the provider",
} as const;

/**
 * The permissions as Markdown, one table for each area. Verbs that the same roles may do to the same subjects share
 * a row.
 */
export const permissionTables = (): string =>
  (["public", "private"] as const)
    .map((area) => {
      const lines = rowsOf(area).map(({ roles, verbs, of }) => `| ${roles} | ${verbs} | ${of} |`);
      return `### ${areas[area]}\n\n| who | may | of |\n|---|---|---|\n${lines.join("\n")}\n`;
    })
    .join("\n");

/** Sets of roles that have a name in docs/identity.md. */
const groupNames = new Map([
  [
    "project-manager, project-viewer, provider-admin, provider-viewer, tenant-admin, tenant-user",
    "readers",
  ],
  ["project-manager, provider-admin, tenant-admin, tenant-user", "writers"],
]);

function rowsOf(area: Area) {
  const subjects = Object.keys(permissions[area]) as Subject[];
  const allowed = subjects.flatMap((subject) =>
    Object.entries(permissions[area][subject] ?? {}).map(([verb, roles]) => {
      const names = roles.toSorted().join(", ");
      return { subject, verb, roles: groupNames.get(names) ?? names };
    }),
  );
  return [...Map.groupBy(allowed, ({ roles }) => roles)].flatMap(([roles, entries]) => {
    const ofVerbs = [...Map.groupBy(entries, ({ verb }) => verb)].map(([verb, each]) => ({
      verb,
      of: subjectsText(
        each.map(({ subject }) => subject),
        subjects,
      ),
    }));
    return [...Map.groupBy(ofVerbs, ({ of }) => of)].map(([of, each]) => ({
      ...{ roles, of },
      verbs: each.map(({ verb }) => verb).join(", "),
    }));
  });
}

/** The names of subjects. If they are most of the kinds in `all`, the others are named instead. */
function subjectsText(subjects: readonly Subject[], all: readonly Subject[]): string {
  const missing = all.filter((each) => isRegisteredKind(each) && !subjects.includes(each));
  const present = subjects.filter(isRegisteredKind);
  if (missing.length >= present.length) return subjects.map(nameOf).join(", ");
  const others = subjects.filter((each) => !isRegisteredKind(each)).map(nameOf);
  const kinds = ["every kind", ...missing.map(nameOf)].join(", ").replace(",", " but");
  return [kinds, ...others].join("; ");
}

const nameOf = (subject: Subject): string =>
  isRegisteredKind(subject) ? pluralOf(subject) : subject;
