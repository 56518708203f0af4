import { type ApiOperation, areaOf, kindOf, operations } from "./operations.ts";

/**
 * The command of each operation: `<kind> <verb>`, unless the operation has another name here or in
 * its kind, or no command.
 */

const named: Record<string, string> = {
  "public.capabilities.get": "capabilities",
  "public.health.get": "health",
  "private.capacity.get": "capacity",
  "private.status.get": "status",
  "private.owner.list": "who",
  "private.audit_entry.list": "audit search",
  "public.cluster.credentials": "cluster kubeconfig",
  "public.cluster.credentials.password": "cluster password",
  "public.cluster.credentials.list": "cluster credentials",
  "private.hub.plan": "hub drain",
};

/** Operations without a command, and the reasons. */
export const hidden: Record<string, string> = {
  "private.hub.report": "hub agents report, and nobody else",
};

/** Commands that are written by hand; all others are derived from the document. */
export const byHand: readonly string[] = [
  "status",
  "who",
  "audit search",
  "event watch",
  "hub drain",
  "baremetal-instance maintenance",
  "site numbers",
];

/** The command of an operation, such as `cluster list`; undefined for an operation without one. */
export function commandOf({ id, command }: ApiOperation): string | undefined {
  if (hidden[id] !== undefined) return undefined;
  const [, kind = "", ...verbs] = id.split(".");
  return named[id] ?? `${dashed(kind)} ${command ?? verbs.map(dashed).join("-")}`;
}

/** A command with its operations: one for tenants, one for the provider, or both. */
export interface ApiCommand {
  /** The command's words: `cluster`, `list`. */
  words: string[];
  kind: string;
  public?: ApiOperation;
  private?: ApiOperation;
}

/** Every command that is derived from the document, in its order. */
export const apiCommands = (): ApiCommand[] =>
  allCommands().filter(({ words }) => !byHand.includes(words.join(" ")));

/** The command with these words. Throws when no operation has it. */
export function commandNamed(name: string): ApiCommand {
  const command = allCommands().find(({ words }) => words.join(" ") === name);
  if (!command) throw new Error(`the document has no ${name}`);
  return command;
}

let made: ApiCommand[] | undefined;

function allCommands(): ApiCommand[] {
  made ??= commandsOf(operations());
  return made;
}

function commandsOf(operations: readonly ApiOperation[]): ApiCommand[] {
  const commands = new Map<string, ApiCommand>();
  for (const operation of operations) {
    const name = commandOf(operation);
    if (name === undefined) continue;
    const known = commands.get(name) ?? { words: name.split(" "), kind: kindOf(operation) };
    commands.set(name, { ...known, [areaOf(operation)]: operation });
  }
  return [...commands.values()];
}

/** Converts the API's name of a kind to the commands' name. */
export const dashed = (kind: string): string => kind.replaceAll("_", "-");
