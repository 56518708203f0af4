import type { Flag } from "../api/operations.ts";
import type { Around } from "../around.ts";
import { wrongCall } from "../exit.ts";
import { at, isRecord } from "../output/values.ts";

/** The body of a request, from a file, from `--set` and from options. */

type Body = Record<string, unknown>;

export interface BodyOptions {
  /** A file in YAML or JSON, or `-`. */
  from?: string;
  /** `path=value`; `path=@file` is the text of a file. */
  set?: string[];
  tenant?: string;
  project?: string;
}

/**
 * What is said last wins: the file, then options, then `--set`. Throws for a file that cannot be read and for what is
 * no setting.
 */
export async function bodyFrom(
  { from, set = [], tenant, project }: BodyOptions,
  {
    name,
    flags,
    secrets = [],
    given,
  }: {
    name?: string | undefined;
    flags: Flag[];
    secrets?: string[];
    given: Record<string, unknown>;
  },
  around: Around,
): Promise<Body> {
  const body: Body = {};
  if (from !== undefined) {
    const stored = await parsedYaml(fileText(around, from), from);
    if (!isRecord(stored)) throw wrongCall(`${from} has no object in it`);
    Object.assign(body, stored);
  }
  if (name !== undefined) put(body, "metadata.name", name);
  if (tenant !== undefined) put(body, "metadata.tenant", tenant);
  if (project !== undefined) put(body, "metadata.project", project);
  for (const flag of flags) {
    const value = given[optionKey(flag.name)];
    if (value !== undefined) put(body, flag.path, flagValue(flag, value));
  }
  for (const setting of set) {
    const [, path, value] = /^([^=]+)=(.*)$/s.exec(setting) ?? [];
    if (path === undefined || value === undefined)
      throw wrongCall(`--set ${setting}: it is path=value, such as spec.node_sets.workers.size=3`);
    const isFile = value.startsWith("@");
    const wanted = isFile ? fileText(around, value.slice(1)) : await parsedYaml(value, path);
    if (!isFile) refuseSecrets(secrets, path, wanted);
    put(body, path, wanted);
  }
  return body;
}

/** What stands for a secret, and is none: the one that is stored, and none at all. */
const noSecrets: readonly unknown[] = [undefined, null, "", "***"];

/** Options are visible to other users of the machine. So this throws for a setting that is a secret, part of one, or contains one. */
function refuseSecrets(secrets: readonly string[], path: string, value: unknown): void {
  for (const secret of secrets) {
    const isWithin = `${path}.`.startsWith(`${secret}.`);
    if (!isWithin && !secret.startsWith(`${path}.`)) continue;
    const said = isWithin ? value : at(value, secret.slice(path.length + 1));
    if (noSecrets.includes(said)) continue;
    const member = `${isWithin ? path : secret}${isRecord(said) ? ".KEY" : ""}`;
    throw wrongCall(
      `--set ${path}: others may read what options say`,
      `take it from a file: --set ${member}=@FILE; @- is standard input`,
    );
  }
}

/** The name under which an option is read: `hostType` of `--host-type`. */
const optionKey = (name: string): string =>
  name.replaceAll(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

export function fileText(around: Around, file: string): string {
  try {
    return around.read(file);
  } catch (error) {
    throw wrongCall(`${file} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

/** What a text in YAML or JSON says. Throws for what is neither, and for what no body can be. */
export async function parsedYaml(text: string, place: string): Promise<unknown> {
  const { readYaml } = await import("../../core/kernel/input/yaml.ts");
  let value: unknown;
  try {
    value = readYaml(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    // The reader has no limit of its own.
    const isTooDeep = reason.includes("Maximum call stack");
    throw wrongCall(`${place}: ${isTooDeep ? tooDeep : reason}`);
  }
  if (depthOf(value) > deepest) throw wrongCall(`${place}: ${tooDeep}`);
  return value;
}

/** Deeper than any body of the API. */
const deepest = 100;
const tooDeep = `it is nested too deep; ${deepest} levels are the limit`;

/** How many levels of lists and objects a value has; one more than the deepest where there are more. */
function depthOf(value: unknown, above = 0): number {
  if (typeof value !== "object" || value === null || above > deepest) return above;
  return Math.max(above + 1, ...Object.values(value).map((each) => depthOf(each, above + 1)));
}

function flagValue({ name, type }: Flag, value: unknown): unknown {
  if (type === "integer") {
    if (!/^-?\d+$/.test(String(value))) throw wrongCall(`--${name} must be a whole number`);
    return Number(value);
  }
  if (type !== "boolean") return value;
  if (value === true || value === "true") return true;
  if (value === "false") return false;
  throw wrongCall(`--${name} must be true or false`);
}

/** Sets a member, and the objects that lead to it. */
function put(body: Body, path: string, value: unknown): void {
  const names = path.split(".");
  const last = names.pop() ?? "";
  let inner = body;
  for (const name of names) {
    const next = Object.hasOwn(inner, name) ? inner[name] : undefined;
    const found = isRecord(next) ? next : {};
    inner[name] = found;
    inner = found;
  }
  inner[last] = value;
}
