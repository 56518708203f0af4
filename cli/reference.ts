import type { Command } from "commander";
import { commandOf, hidden } from "./api/commands.ts";
import type { Operation } from "./api/operations.ts";
import { exitMeanings, exits } from "./exit.ts";
import { programOf } from "./program.ts";

/** docs/cli.md: how the CLI is used, every command, and the command of every operation of the API. */
export function reference(operations: readonly Operation[]): string {
  const program = programOf(async () => {});
  const shown = program.createHelp().visibleCommands(program);
  const commands = shown.flatMap((each) =>
    each.commands.length > 0 ? each.commands.map((inner) => [each, inner]) : [[each]],
  );
  return `${introduction}
## Exit codes

| code | |
|---|---|
${lines(Object.entries(exits), ([name, code]) => `| ${code} | ${exitMeanings[name as keyof typeof exits]} |`)}

## Commands

| command | |
|---|---|
${lines(commands, row)}

## Options of changes

Beside \`--from\` and \`--set\`, these members have an option.

| command | options |
|---|---|
${lines(commands, ownOptions)}

## Operations

| operation | command |
|---|---|
${lines(operations, (each) => `| \`${each.id}\` | ${commandOf(each) === undefined ? `none: ${hidden[each.id]}` : `\`${commandOf(each)}\``} |`)}
`;
}

const lines = <T>(items: readonly T[], line: (item: T) => string): string =>
  items
    .map(line)
    .filter((each) => each !== "")
    .join("\n");

const callOf = (path: Command[]): string => {
  const last = path.at(-1);
  const words = path.map((each) => each.name());
  const names = last?.registeredArguments.map((each) =>
    each.required ? `<${each.name()}>` : `[${each.name()}]`,
  );
  return ["slipway", ...words, ...(names ?? [])].join(" ");
};

const row = (path: Command[]): string => `| \`${callOf(path)}\` | ${path.at(-1)?.description()} |`;

/** Options that many commands have, and that the text explains. */
const usual =
  /^--(output|watch|limit|filter|order|tenant|project|from|set|wait|timeout|dry-run|yes)$/;

function ownOptions(path: Command[]): string {
  const options = path.at(-1)?.options.filter(({ long }) => !usual.test(long ?? "")) ?? [];
  if (options.length === 0) return "";
  const words = path.map((each) => each.name()).join(" ");
  return `| \`${words}\` | ${options.map(({ long }) => `\`${long}\``).join(" ")} |`;
}

const introduction = `# The command line

<!-- generated: npm run generate -->

\`slipway\` does everything that the API can. It is one file that needs nothing but Node:
\`npm ci\` makes it, \`.build/slipway.mjs\`, \`npm link\` puts it on the path, and \`npm run bundle:cli\` makes it anew.
From the sources of this repository it is \`npm run -s slipway --\`.
\`slipway --help\` and \`slipway <command> --help\` say how each command is called.

\`\`\`sh
npm run -s slipway -- status
npm run -s slipway -- cluster list
npm run -s slipway -- cluster create web --tenant tenant-a --template ocp_4_17_small --set spec.node_sets.workers.size=2 --dry-run
npm run -s slipway -- operation list --stalled
npm run -s slipway -- who vlan 107
npm run -s slipway -- audit search --actor root --since 2h
\`\`\`

**Which Slipway.** \`--url\` with \`--token-file\`; \`SLIPWAY_URL\` with \`SLIPWAY_TOKEN\`; \`--context\`, \`SLIPWAY_CONTEXT\` or
the context in use; and without all of them that of this laptop, as its administrator. \`slipway context list\` also
has the laptop's other people: \`--context laptop:tenant-a\`. Contexts are in \`~/.config/slipway/contexts.json\`
(\`SLIPWAY_CONFIG\` is another file), which only you can read; a token goes into it from a file or from standard input:
\`slipway context set prod --url https://… --token-file -\`. A Slipway elsewhere is asked by https alone, since a token
goes along; \`SLIPWAY_ALLOW_HTTP=1\` allows another for a command.

**Logging in.** \`slipway login --url https://…\` asks the issuer that this Slipway trusts, by the device flow: it says
which page to open, anywhere, and goes on when somebody has logged in there. The context keeps the token, and gets the
next one by itself. \`slipway whoami\` says whom it names, \`slipway doctor\` whether all of it works.

**Whose API.** With a role of the provider a command asks the private API, over all tenants, otherwise the public one;
\`--as provider\` and \`--as tenant\` say so for one command.

**Names.** Objects are called by their name or their id. Where several have the name, the answer lists them;
\`--tenant\` and \`--project\` tell them apart. Kinds may be written in the plural: \`slipway clusters list\`.

\`source <(slipway completion bash)\` completes commands and names (also \`zsh\` and \`fish\`);
\`slipway explain cluster.spec.node_sets\` says what a member means.

**Output.** The result stands on standard output, all else on standard error. \`-o table\` (the default) and \`-o wide\`
are for people: no reason is ever shortened. \`-o json\` and \`-o yaml\` are the API's own objects, \`-o name\` the names.
\`--watch\` goes on until Ctrl-C: a table is drawn again in its place on a terminal; elsewhere each change is a line, in
JSON with \`-o json\`. Without a terminal nothing but text is printed; \`NO_COLOR\` is heeded.

**Changes.** A body comes from \`--from FILE\` (JSON, or YAML as kubectl reads it; \`-\` is standard input), then from options, then from
\`--set path=value\`; \`--set path=@FILE\` takes the text of a file, and \`@-\` that of standard input. Secrets, which no
answer has, are taken so alone. \`--dry-run\` checks everything and changes nothing. What cannot be had back, such as a deletion, shows what goes and asks for its name on a terminal; without one
it needs \`--yes\`, by \`slipway api\` as well. A change that takes time says how to follow it; \`--wait\` follows it, step by step, and
ends with a code that tells how it went. A lost connection is waited out. Ctrl-C and \`--timeout\` leave the order
running, and say how to follow it.

**Clusters and servers in few words.** \`slipway cluster scale\` and \`upgrade\` change what is changed most, \`describe\`
has a cluster on one page, \`events\` what was told of it and with \`--watch\` what comes, \`open\` the address of its
console, which a terminal also shows in a browser. \`slipway cluster issue-credential demo --set csr=@alice.csr\` prints
the kubeconfig of a new certificate, which nobody gets a second time. \`slipway server\` (short for \`baremetal-instance\`) has \`create\`
with \`--subnet\` and \`--ssh-key FILE\`, \`update\` with another \`--subnet\`, \`restart\`, \`stop\`, \`start\`, \`reinstall\`, and \`maintenance\`, which says what
the provider asks for and with \`--consent\` allows it.

**Setting up.** \`slipway template init DIR\` writes a template to begin with, \`validate\` and \`publish\` do the rest.
\`slipway site extend\` adds numbers to a site's pools once all of it is judged, \`slipway site pools\` says what is left.

**At night.** \`slipway status\` says what needs a person and which command helps, what waits for what, which hubs are
away and what runs out next. \`slipway hub drain --plan\` says what stands on a hub, and whether there is room for it in
its region; the plan counts slots and hosts, and each order is placed by all its wishes when it comes.
\`slipway host replace\` takes a host out of its cluster once another one is a node in its place.
`;
