import type { Command } from "commander";
import { commandOf, hidden } from "./api/commands.ts";
import type { ApiOperation } from "./api/operations.ts";
import { exitMeanings, exits } from "./exit.ts";
import { programOf } from "./program.ts";

/**
 * docs/cli.md: the use of the CLI, and its commands. What each does is in its help.
 */
export function reference(operations: readonly ApiOperation[]): string {
  const program = programOf(async () => {});
  const shown = program.createHelp().visibleCommands(program);
  const single = shown.filter((each) => each.commands.length === 0);
  const groups = shown.flatMap((group) => {
    const verbs = group.commands.map((each) => each.name()).filter((each) => each !== "help");
    return verbs.length === 0 ? [] : [{ name: group.name(), verbs }];
  });
  const whole = groups.filter(hasUsualVerbs);
  const further = groups.filter((group) => verbsText(group) !== "");
  return `${introduction}
## Exit codes

| code | |
|---|---|
${lines(Object.entries(exits), ([name, code]) => `| ${code} | ${exitMeanings[name as keyof typeof exits]} |`)}

## Commands

| command | |
|---|---|
${lines(single, singleRow)}

${usualVerbs.map(code).join(", ")} of: ${whole.map(({ name }) => code(name)).join(", ")}.

| of | further commands |
|---|---|
${lines([...Map.groupBy(further, verbsText)], groupRow)}

${operations
  .filter((each) => commandOf(each) === undefined)
  .map((each) => `The API's operation \`${each.id}\` has no command: ${hidden[each.id]}.`)
  .join("\n")}
`;
}

const lines = <T>(items: readonly T[], line: (item: T) => string): string =>
  items.map(line).join("\n");

function singleRow(command: Command): string {
  const names = command.registeredArguments.map((each) =>
    each.required ? `<${each.name()}>` : `[${each.name()}]`,
  );
  return `| \`${[command.name(), ...names].join(" ")}\` | ${command.description()} |`;
}

/** The verbs that most kinds have, which their rows leave out. */
const usualVerbs = ["list", "get", "create", "update", "delete"];

/** A row for groups with the same verbs, without the usual ones. */
const groupRow = ([verbs, groups]: [string, readonly Group[]]): string =>
  `| ${groups.map(({ name }) => code(name)).join(", ")} | ${verbs} |`;

interface Group {
  name: string;
  verbs: readonly string[];
}

const hasUsualVerbs = ({ verbs }: Group): boolean =>
  usualVerbs.every((each) => verbs.includes(each));

/** The verbs of a group, without the usual ones if it has all of them. */
const verbsText = (group: Group): string =>
  group.verbs.filter((each) => !hasUsualVerbs(group) || !usualVerbs.includes(each)).join(", ");

const code = (name: string): string => `\`${name}\``;

const introduction = `# The command line

<!-- generated: npm run generate -->

\`slipway\` does everything that the API can, for tenants and the provider. In this repository \`npm run -s slipway --\` runs it.
Elsewhere it needs only Node and one file, \`.build/slipway.mjs\`. \`npm ci\` builds the file, \`npm link\` puts it on the path, and
\`npm run bundle:cli\` builds it again. \`slipway <command> --help\` shows a command's options.

\`\`\`sh
npm run -s slipway -- status
npm run -s slipway -- cluster list
npm run -s slipway -- cluster create web --tenant tenant-a --template ocp_4_17_small --set spec.node_sets.workers.size=2 --dry-run
npm run -s slipway -- operation list --stalled
npm run -s slipway -- who vlan 107
npm run -s slipway -- audit search --actor root --since 2h
\`\`\`

| question | answer |
|---|---|
| Which Slipway? | The first of these that you give: \`--url\` with \`--token-file\`, \`SLIPWAY_URL\` with \`SLIPWAY_TOKEN\`, \`--context\`, \`SLIPWAY_CONTEXT\`, the context in use. Else this laptop's, as administrator (as a tenant: \`--context laptop:tenant-a\`) |
| What is a context? | A Slipway's URL with a token. \`slipway context set prod --url https://… --token-file -\` adds one to \`~/.config/slipway/contexts.json\` (or the file \`SLIPWAY_CONFIG\`) |
| Without https? | Only on this machine, or with \`SLIPWAY_ALLOW_HTTP=1\` |
| How do I log in? | \`slipway login --url https://…\` prints an address for any browser (device flow). The context keeps and renews the token. \`slipway whoami\` and \`slipway doctor\` check it |
| Which API? | With a provider's role the private one, over all tenants. \`--as provider\` or \`--as tenant\` chooses |
| How are objects named? | By name or id. If several have the name, choose with \`--tenant\` or \`--project\`. Kinds may be plural: \`slipway clusters list\` |
| What does a field mean? | \`slipway explain cluster.spec.node_sets\` |
| Completion? | \`source <(slipway completion bash)\`, also \`zsh\` and \`fish\` |

## Options that many commands have

| option | meaning |
|---|---|
| \`-o\`, \`--output\` | \`table\` (default) or \`wide\` for people; \`json\` or \`yaml\` for the API's objects; \`name\` for names |
| \`--watch\` | follows changes until Ctrl-C. Without a terminal each change is a line (JSON with \`-o json\`) |
| \`--limit\`, \`--filter\`, \`--order\`, \`--fields\` | as in [the API](api.md#lists) |
| \`--from FILE\` | reads the object in JSON or YAML; \`-\` is standard input |
| \`--set path=value\` | sets a member, whatever \`--from\` and other options say. \`path=@FILE\` reads a file, \`path=@-\` standard input; secrets need one of these |
| \`--dry-run\` | checks everything, changes nothing |
| \`--yes\` | confirms what cannot be restored, such as a deletion. Without it a terminal asks for the object's name |
| \`--wait\`, \`--timeout\` | follows the operation to its end, which the exit code shows. Ctrl-C and the timeout leave the operation running |

Results go to standard output, everything else to standard error. Output is plain text without a terminal or with \`NO_COLOR\`.
\`slipway server\` is short for \`slipway baremetal-instance\`. \`slipway hub drain --plan\` compares only numbers of
control planes and hosts, not the orders' other conditions.
`;
