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

${explained}
${operations
  .filter((each) => commandOf(each) === undefined)
  .map((each) => `\`${each.id}\` has no command: ${hidden[each.id]}.`)
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

/** What the names of these commands do not say. */
const explained = `\`fault\` breaks something in the laptop's [simulated world](simulated-world.md). \`intake pause\` refuses tenants' changes;
\`removal pause\` keeps [orphans](operations.md#what-has-no-owner). \`accept-identity\` accepts
[a new mainboard or DPU](hardware.md#which-server-it-is). \`force\` deletes a server whose
[controller or DPU is dead](hardware.md#removal-by-force). \`invalid-object\`: what breaks newer rules.
`;

const introduction = `# The command line

<!-- generated: npm run generate -->

\`slipway\` does everything that the API can, for tenants and the provider. In this repository, run it with \`npm run -s slipway --\`.
Elsewhere it needs only Node and the file \`.build/slipway.mjs\`, which \`npm ci\` builds (again: \`npm run bundle:cli\`). \`npm link\` puts
\`slipway\` on the path. \`slipway <command> --help\` explains a command.

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
| Which Slipway? | The first that is set: \`--url\` with \`--token-file\`; \`SLIPWAY_URL\` with \`SLIPWAY_TOKEN\`; \`--context\`; \`SLIPWAY_CONTEXT\`; the context in use. Else the Slipway [on this laptop](local.md), as administrator; as a tenant: \`--context laptop:tenant-a\` |
| What is a context? | A Slipway's URL with a token. \`slipway context set prod --url https://… --token-file -\` adds one to \`~/.config/slipway/contexts.json\` (or the file \`SLIPWAY_CONFIG\`) |
| Is http allowed? | Only on this machine, or with \`SLIPWAY_ALLOW_HTTP=1\` |
| How do I log in? | \`slipway login --url https://…\` prints an address: open it in any browser (device flow). The context keeps the token and renews it. \`slipway doctor\` checks it |
| Which API? | The provider's (all tenants) if your token has a provider's role, else the tenants'. \`--as provider\` or \`--as tenant\` chooses |
| How are objects named? | By name or id. If several have the name, add \`--tenant\` or \`--project\` |
| What does a field mean? | \`slipway explain cluster.spec.node_sets\` |
| Completion? | \`source <(slipway completion bash)\`, also \`zsh\` and \`fish\` |

## Options that many commands have

| option | meaning |
|---|---|
| \`-o\`, \`--output\` | \`table\` (default) or \`wide\` for people; \`json\` or \`yaml\` for the API's objects; \`name\` for names |
| \`--watch\` | follows changes until Ctrl-C. Without a terminal each change is a line (JSON with \`-o json\`) |
| \`--limit\`, \`--filter\`, \`--order\`, \`--fields\` | as in [the API](api.md#lists); \`--fields\` chooses columns |
| \`--from FILE\` | reads the object in JSON or YAML; \`-\` is standard input |
| \`--set path=value\` | sets one member; wins over \`--from\` and other options. \`path=@FILE\` reads the value from a file, \`path=@-\` from standard input. Secrets need one of these |
| \`--dry-run\` | checks the request, changes nothing |
| \`--yes\` | confirms what cannot be undone, such as a deletion. Without \`--yes\` you type the object's name |
| \`--wait\`, \`--timeout\` | follows the operation to its end; see the exit codes. Ctrl-C or the timeout end only the waiting |

Results go to standard output, everything else to standard error. Without a terminal, or with \`NO_COLOR\`, output is plain text.
\`slipway server\` is short for \`slipway baremetal-instance\`.
`;
