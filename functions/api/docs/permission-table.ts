import { pluralOf } from "../../../core/kernel/object/object.ts";
import type { Allowed } from "../../../core/kernel/request/permissions.ts";
import { permissions, type Subject } from "../permissions.ts";
import { isKind } from "../registry.ts";

/** The table of permissions, for people. */

const areas = {
  public: "On the paths of tenants",
  private: "On the paths of the provider",
} as const;

/** The permissions of each role on each kind as Markdown, one table an area. */
export const permissionTables = (): string =>
  (["public", "private"] as const)
    .map((area) => {
      const rows = (Object.keys(permissions[area]) as Subject[]).flatMap((subject) =>
        rowsOf(subject, permissions[area][subject] ?? {}),
      );
      return `### ${areas[area]}\n\n| what | verbs | roles |\n|---|---|---|\n${rows.join("\n")}\n`;
    })
    .join("\n");

/** The rows of a kind, one for all verbs of the same roles. */
function rowsOf(subject: Subject, allowed: Allowed): string[] {
  const name = isKind(subject) ? pluralOf(subject) : subject;
  const verbs = Map.groupBy(Object.entries(allowed), ([, roles]) => roles.toSorted().join(", "));
  return [...verbs].map(
    ([roles, entries]) => `| ${name} | ${entries.map(([verb]) => verb).join(", ")} | ${roles} |`,
  );
}
