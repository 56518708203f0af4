import { pluralOf } from "../../../core/kernel/object/object.ts";
import type { Allowed } from "../../../core/kernel/request/permissions.ts";
import { permissions, type Subject } from "../permissions.ts";
import { isRegisteredKind } from "../registry.ts";

/** The table of permissions, for people. */

const areas = {
  public: "On the paths of tenants",
  private: "On the paths of the provider",
} as const;

/**
 * The permissions as Markdown, one table for each area. Subjects with the same verbs for the same roles share a
 * row.
 */
export const permissionTables = (): string =>
  (["public", "private"] as const)
    .map((area) => {
      const cells = (Object.keys(permissions[area]) as Subject[]).flatMap((subject) =>
        cellsOf(subject, permissions[area][subject] ?? {}),
      );
      const rows = Map.groupBy(cells, ({ roles, verbs }) => `${verbs} | ${roles}`);
      const lines = [...rows].map(
        ([rest, of]) => `| ${of.map(({ name }) => name).join(", ")} | ${rest} |`,
      );
      return `### ${areas[area]}\n\n| what | verbs | roles |\n|---|---|---|\n${lines.join("\n")}\n`;
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

/** The verbs of a kind, grouped by the roles that allow them. */
function cellsOf(subject: Subject, allowed: Allowed) {
  const name = isRegisteredKind(subject) ? pluralOf(subject) : subject;
  const verbs = Map.groupBy(Object.entries(allowed), ([, roles]) => roles.toSorted().join(", "));
  return [...verbs].map(([roles, entries]) => ({
    ...{ name, roles: groupNames.get(roles) ?? roles },
    verbs: entries.map(([verb]) => verb).join(", "),
  }));
}
