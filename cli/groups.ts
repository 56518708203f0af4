import type { Command } from "commander";

/** Commands that have subcommands: one for each kind, and a few more. */

/** Shorter names, and those that scripts of `npm run` use. */
const aliases: Record<string, string[]> = {
  "cluster-template": ["template", "templates"],
  "cluster-version": ["version", "versions"],
  "cluster-catalog-item": ["catalog-item", "catalog-items"],
  host: ["inventory"],
  "baremetal-instance": ["server", "servers"],
};

/** The kind of a name that people use: `server` is `baremetal-instance`. */
export const kindCalled = (name: string): string =>
  Object.entries(aliases).find(([, names]) => names.includes(name))?.[0] ?? name;

/** The group of this name, created at its first use; `plural` is an alias. */
export function commandGroupOf(program: Command, name: string, plural?: string): Command {
  const group =
    program.commands.find((each) => each.name() === name) ??
    program.command(name).helpCommand(false);
  if (plural !== undefined && group.aliases().length === 0)
    for (const alias of [plural, ...(aliases[name] ?? [])]) group.alias(alias);
  return group;
}

/** Describes each group by its verbs; `unmade` are verbs whose commands were not created. */
export function describeGroups(program: Command, unmade: ReadonlyMap<Command, string[]>): void {
  for (const group of program.commands) {
    const verbs = [...group.commands.map((each) => each.name()), ...(unmade.get(group) ?? [])];
    if (verbs.length > 0 && group.description() === "") group.description(verbs.join(", "));
  }
}
