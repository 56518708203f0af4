import { dashed } from "../api/commands.ts";
import { type ApiOperation, areaOf, kindOf, operations } from "../api/operations.ts";
import { isWork } from "../api/work.ts";
import type { Client } from "../client.ts";
import { CliFailure, exits } from "../exit.ts";
import { shellWord } from "../output/shell-word.ts";
import { at, list, shown, text } from "../output/values.ts";

/** Finds objects by their names. */

export interface Narrowed {
  tenant?: string | undefined;
  project?: string | undefined;
}

const quoted = (value: string): string => JSON.stringify(value);

/**
 * The id of the object with this name, or the text itself where no object has this name. Throws when several have
 * it, and names them.
 */
export async function foundIdOf(
  client: Client,
  operation: ApiOperation,
  name: string,
  { tenant, project }: Narrowed = {},
): Promise<string> {
  const collection = operations().find(
    (each) =>
      areaOf(each) === areaOf(operation) &&
      kindOf(each) === kindOf(operation) &&
      each.id.endsWith(".list") &&
      each.query.includes("filter"),
  );
  if (!collection || isWork(kindOf(operation)) || isUuid(name)) return name;
  const conditions = [
    `this.metadata.name == ${quoted(name)}`,
    ...(tenant === undefined ? [] : [`this.metadata.tenant == ${quoted(tenant)}`]),
    ...(project === undefined ? [] : [`this.metadata.project == ${quoted(project)}`]),
  ];
  const { body } = await client.get(collection.path, {
    filter: conditions.join(" && "),
    limit: "20",
  });
  const found = list(at(body, "items"));
  const [first, ...others] = found;
  if (others.length === 0) return text(at(first, "id")) || name;
  const kind = dashed(kindOf(operation));
  throw new CliFailure(
    exits.refused,
    `${found.length} objects have the name '${name}'; use an id:`,
    {
      details: found.map((each) =>
        [`slipway ${kind} get ${shellWord(text(at(each, "id")))}`, ...placesOf(each)].join("   "),
      ),
    },
  );
}

const isUuid = (name: string): boolean => /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/.test(name);

const placesOf = (object: unknown): string[] =>
  ["tenant", "project"].flatMap((place) => {
    const value = shown(at(object, `metadata.${place}`));
    return value === "" ? [] : [`${place} ${value}`];
  });

/** The path of a request about one object. */
export const pathTo = ({ path }: ApiOperation, id: string): string =>
  path.replace("{id}", encodeURIComponent(id));

/**
 * The id of the object in a request's path: empty for a path without one, undefined for a path of another
 * operation.
 */
export function idIn({ path }: ApiOperation, pathname: string): string | undefined {
  const [before = "", after] = path.split("{id}");
  if (after === undefined) return pathname === path ? "" : undefined;
  if (!pathname.startsWith(before) || !pathname.endsWith(after)) return undefined;
  const id = pathname.slice(before.length, pathname.length - after.length);
  return id === "" || id.includes("/") ? undefined : decodeURIComponent(id);
}
