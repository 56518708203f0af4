import type { Command } from "commander";
import type { Act } from "../call.ts";
import type { ChangeOptions } from "../generic/change.ts";
import type { GetOptions } from "../generic/get.ts";
import type { ListOptions } from "../generic/list.ts";
import { shortcutsOf } from "../generic/shortcuts.ts";
import { commandGroupOf } from "../groups.ts";
import type { OperationListOptions } from "../operations.ts";
import { operationFor } from "./area.ts";
import { type ApiCommand, dashed } from "./commands.ts";
import { destroys } from "./destroys.ts";
import type { ApiOperation } from "./operations.ts";
import { isWork } from "./work.ts";

/** Creates the commands that are derived from the API's document. */

const collect = (value: string, earlier: string[] = []): string[] => [...earlier, value];

/**
 * `isCalled` says whether a group's commands may be called. The verbs of other groups are listed
 * without their commands, because creating all commands takes most of the start.
 */
export function addApiCommands(
  program: Command,
  commands: readonly ApiCommand[],
  act: Act,
  isCalled: (group: Command) => boolean,
): Map<Command, string[]> {
  const unmade = new Map<Command, string[]>();
  const plurals = new Map(
    commands.flatMap((api) => {
      const [name, verb] = api.words;
      return verb === "list" ? [[name, pluralOf(operationFor(api, "public"))] as const] : [];
    }),
  );
  for (const api of commands) {
    const [name = "", verb] = api.words;
    const operation = operationFor(api, "public");
    const parent = verb === undefined ? program : commandGroupOf(program, name, plurals.get(name));
    if (verb !== undefined && !isCalled(parent)) {
      unmade.set(parent, [...(unmade.get(parent) ?? []), verb]);
      continue;
    }
    const command = parent.command(verb ?? name).description(operation.summary);
    if (verb === undefined && !isCalled(command)) continue;
    command.option("-o, --output <form>", "table, wide, json, yaml or name");
    if (operation.method !== "GET") addChange(command, api, operation, act);
    else if (operation.query.includes("filter")) addList(command, api, act);
    else addGet(command, api, operation, act);
  }
  return unmade;
}

/** The last part of a collection's path, such as `nat-gateways`. */
const pluralOf = ({ path }: ApiOperation): string => dashed(path.split("/").at(-1) ?? "");

const fields = ["--fields <members>", "the columns, such as: metadata.name,status.state"] as const;

function addList(command: Command, api: ApiCommand, act: Act): void {
  command
    .option("--filter <condition>", 'such as: this.status.state == "CLUSTER_STATE_READY"')
    .option("--order <members>", "such as: metadata.name desc")
    .option("--limit <number>", "the largest number of entries", "1000")
    .option("--tenant <name>", "of this tenant")
    .option("--project <path>", "of this project")
    .option(...fields)
    .option("-w, --watch", "keep running, and show what changes");
  if (operationFor(api, "public").query.includes("include_unpublished"))
    command.option("--include-unpublished", "also those that cannot be ordered yet");
  if (isWork(api.kind)) {
    command
      .option("--stuck", "that need an operator")
      .option("--stalled", "that take longer than they should")
      .option("--waiting-for <system>", "that wait for a system or for one of it, such as hub");
    act<OperationListOptions>(command, async () => {
      const { listOperations } = await import("../operations.ts");
      return (call) => listOperations(api, call);
    });
    return;
  }
  act<ListOptions>(command, async () => {
    const { listObjects } = await import("../generic/list.ts");
    return (call) => listObjects(api, call);
  });
}

function addGet(command: Command, api: ApiCommand, operation: ApiOperation, act: Act): void {
  if (operation.path.includes("{id}")) addName(command, api);
  if (operation.id.endsWith(".get"))
    command.option(...fields).option("-w, --watch", "keep running, and show what changes");
  act<GetOptions>(command, async () => {
    const { getObject } = await import("../generic/get.ts");
    return (call) => getObject(api, call);
  });
}

function addChange(command: Command, api: ApiCommand, operation: ApiOperation, act: Act): void {
  if (operation.id.endsWith(".create")) {
    command
      .argument("[name]", "its name")
      .option("--tenant <name>", "the tenant of the new object")
      .option("--project <path>", "the project of the new object");
  } else if (operation.path.includes("{id}")) addName(command, api);
  if (operation.body)
    command
      .option("--from <file>", "the object, in YAML or JSON; - reads standard input")
      .option("--set <path=value>", "a member; @file is the text of a file", collect);
  for (const { name, type, description } of flagsOf(api))
    command.option(`--${name} ${type === "boolean" ? "[boolean]" : `<${type}>`}`, description);
  for (const [option, description] of shortcutsOf(api.words).options)
    command.option(option, description);
  if (operation.query.includes("dry_run"))
    command.option("--dry-run", "check the request by every rule, and change nothing");
  if (destroys(operation)) command.option("--yes", "ask nothing; needed without a terminal");
  command
    .option("--wait", "follow the operation to its end")
    .option("--timeout <time>", "how long to follow it, such as 30m");
  act<ChangeOptions>(command, async () => {
    const { change } = await import("../generic/change.ts");
    return (call) => change(api, call);
  });
}

/** The flags of a command's two operations, except those with the name of an option of every change. */
function flagsOf(api: ApiCommand) {
  const flags = [...(api.public?.flags ?? []), ...(api.private?.flags ?? [])];
  return flags.filter(
    ({ name }, n) => !taken.includes(name) && flags.findIndex((each) => each.name === name) === n,
  );
}

/** Options that every command has. */
const taken = [
  "url",
  "token",
  "context",
  "as",
  "output",
  "wait",
  "timeout",
  "yes",
  "from",
  "set",
  "tenant",
  "project",
];

function addName(command: Command, { kind }: ApiCommand): void {
  command.argument("<name>", `the name or the id of the ${dashed(kind)}`);
  if (isWork(kind)) return;
  command
    .option("--tenant <name>", "the object's tenant, if several objects have the name")
    .option("--project <path>", "the object's project, if several objects have the name");
}
