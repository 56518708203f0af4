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
  const whole = groups.filter(({ verbs }) => usualVerbs.every((each) => verbs.includes(each)));
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
${lines(groups, groupRow)}

${operations
  .filter((each) => commandOf(each) === undefined)
  .map((each) => `\`${each.id}\` has no command: ${hidden[each.id]}.`)
  .join("\n")}
`;
}

const lines = <T>(items: readonly T[], line: (item: T) => string): string =>
  items
    .map(line)
    .filter((each) => each !== "")
    .join("\n");

function singleRow(command: Command): string {
  const names = command.registeredArguments.map((each) =>
    each.required ? `<${each.name()}>` : `[${each.name()}]`,
  );
  return `| \`${[command.name(), ...names].join(" ")}\` | ${command.description()} |`;
}

/** The verbs that most kinds have, which their rows leave out. */
const usualVerbs = ["list", "get", "create", "update", "delete"];

/** A row with the verbs of a group; empty where it has the usual ones only. */
function groupRow({ name, verbs }: { name: string; verbs: readonly string[] }): string {
  const isWhole = usualVerbs.every((each) => verbs.includes(each));
  const told = isWhole ? verbs.filter((each) => !usualVerbs.includes(each)) : verbs;
  return told.length === 0 ? "" : `| \`${name}\` | ${told.join(", ")} |`;
}

const code = (name: string): string => `\`${name}\``;

const introduction = `# The command line

<!-- generated: npm run generate -->

\`slipway\` does everything that the API can, and needs nothing but Node. \`npm ci\` builds it as one file,
\`.build/slipway.mjs\`; \`npm link\` puts it on the path; \`npm run bundle:cli\` builds it again. In this repository
\`npm run -s slipway --\` runs it from the sources. \`slipway <command> --help\` has each command's options.

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
| Which Slipway? | \`--url\` with \`--token-file\`; else \`SLIPWAY_URL\` with \`SLIPWAY_TOKEN\`; else \`--context\`, \`SLIPWAY_CONTEXT\` or the context in use; else this laptop's, as its administrator (\`--context laptop:tenant-a\`: as another of its people) |
| Where are contexts? | \`~/.config/slipway/contexts.json\`, readable only by you; \`SLIPWAY_CONFIG\` names another file. \`slipway context set prod --url https://… --token-file -\` adds one |
| Without https? | Refused except on this machine, since a token is sent; \`SLIPWAY_ALLOW_HTTP=1\` allows it |
| How do I log in? | \`slipway login --url https://…\`: the issuer's device flow, in a browser anywhere. The context keeps the token and renews it. \`slipway whoami\` and \`slipway doctor\` check it |
| Public or private API? | With a role of the provider the private one, over all tenants; \`--as provider\` or \`--as tenant\` chooses |
| How are objects named? | By name or id. Of several with one name the error lists all; \`--tenant\` and \`--project\` choose. Kinds may be plural: \`slipway clusters list\` |
| What does a field mean? | \`slipway explain cluster.spec.node_sets\` |
| Completion? | \`source <(slipway completion bash)\`, also \`zsh\` and \`fish\` |

## Options that many commands have

| option | meaning |
|---|---|
| \`-o\`, \`--output\` | \`table\` (default) and \`wide\` for people, never shortened; \`json\` and \`yaml\` are the API's objects; \`name\` |
| \`--watch\` | until Ctrl-C: a terminal redraws the table; else one line for each change, JSON with \`-o json\` |
| \`--limit\`, \`--filter\`, \`--order\`, \`--fields\` | as the API has them |
| \`--from FILE\` | the body in JSON or YAML; \`-\` is standard input |
| \`--set path=value\` | over \`--from\` and over the options of a member; \`path=@FILE\` takes a file's text, \`path=@-\` standard input's. Secrets are accepted only so |
| \`--dry-run\` | checks everything, changes nothing |
| \`--yes\` | for what cannot be restored, such as a deletion. On a terminal the command asks for the name instead; \`slipway api\` asks too |
| \`--wait\`, \`--timeout\` | follows the operation to its end and exits accordingly; lost connections are retried. Ctrl-C and the timeout leave the operation running |

Results go to standard output, everything else to standard error. Without a terminal the output is plain text; \`NO_COLOR\` is honored.
\`slipway server\` is short for \`baremetal-instance\`. \`slipway hub drain --plan\` counts slots and hosts only; constraints of
orders are checked when each is placed.
`;
