import type { Flag } from "../api/operations.ts";
import type { Around } from "../around.ts";
import { wrongCall } from "../exit.ts";
import { at, isRecord } from "../output/values.ts";

/** The body of a request: from a file, from options and from `--set`. */

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
 * Builds a body. Later sources take precedence: the file, then options, then `--set`. Throws for an unreadable file
 * and for an invalid setting.
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
    if (!isRecord(stored)) throw wrongCall(`${from} contains no object`);
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
      throw wrongCall(
        `expected --set PATH=VALUE, such as spec.node_sets.workers.size=3; got '${setting}'`,
      );
    const isFile = value.startsWith("@");
    const wanted = isFile ? fileText(around, value.slice(1)) : await parsedYaml(value, path);
    if (!isFile) refuseSecrets(secrets, path, wanted);
    put(body, path, wanted);
  }
  return body;
}

/** Values that reveal no secret: none, or the placeholder of a stored secret. */
const noSecrets: readonly unknown[] = [undefined, null, "", "***"];

/**
 * Throws for a setting that is a secret, is part of a secret, or contains one, because other users
 * of the computer can see options.
 */
function refuseSecrets(secrets: readonly string[], path: string, value: unknown): void {
  for (const secret of secrets) {
    const isWithin = `${path}.`.startsWith(`${secret}.`);
    if (!isWithin && !secret.startsWith(`${path}.`)) continue;
    const said = isWithin ? value : at(value, secret.slice(path.length + 1));
    if (noSecrets.includes(said)) continue;
    const member = `${isWithin ? path : secret}${isRecord(said) ? ".KEY" : ""}`;
    throw wrongCall(
      `--set ${path}: other users of this computer may see options`,
      `take it from a file: --set ${member}=@FILE; @- is standard input`,
    );
  }
}

/** The name of an option in the code: `hostType` for `--host-type`. */
const optionKey = (name: string): string =>
  name.replaceAll(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

export function fileText(around: Around, file: string): string {
  try {
    return around.read(file);
  } catch (error) {
    throw wrongCall(`${file} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

/** Parses YAML or JSON. Throws for invalid text, and for values that no body may have. */
export async function parsedYaml(text: string, place: string): Promise<unknown> {
  const { readYaml } = await import("../../core/kernel/input/yaml.ts");
  let value: unknown;
  try {
    value = readYaml(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    // The parser has no limit of nesting, so a deep text overflows its stack.
    const isTooDeep = reason.includes("Maximum call stack");
    throw wrongCall(`${place}: ${isTooDeep ? tooDeep : reason}`);
  }
  if (depthOf(value) > deepest) throw wrongCall(`${place}: ${tooDeep}`);
  return value;
}

/** The limit of nesting; no body of the API is that deep. */
const deepest = 100;
const tooDeep = `it is nested too deep; ${deepest} levels are the limit`;

/** The nesting depth of a value, counted up to one above the limit. */
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

/** Sets a member, and creates the objects that contain it. */
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
