import * as z from "zod";
import { AppError, type ErrorKind, type Violation } from "../core/error.ts";
import type { TemplateContent } from "../core/resources/cluster-template/model.ts";
import type { Template } from "./folder.ts";

/** Publishes templates to a running Slipway, through its private API. */

/** Sends a request to Slipway as an administrator; `path` begins with `/api/`. */
export type Ask = (path: string, init: RequestInit) => Response | Promise<Response>;

export interface Published {
  id: string;
  /** The previous revision; undefined for a new template. */
  before: number | undefined;
  after: number;
}

const collection = "/api/private/v1/cluster_templates";
const answerSchema = z.looseObject({ revision: z.int() });
const problemSchema = z.looseObject({
  message: z.string().optional(),
  errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
});

/**
 * Replaces the stored template with the folder's content. Equal content keeps its revision. Throws Invalid
 * with violations, Forbidden, Unauthenticated, Unavailable, Rejected.
 */
export async function publishTemplate(ask: Ask, template: Template): Promise<Published> {
  const { id, name } = template;
  const path = `${collection}/${encodeURIComponent(id)}`;
  const wanted = { id, metadata: { name }, ...bodyOf(template.content) };
  const current = await send(ask, path, { method: "GET" });
  if (current.status === 404) {
    const made = await revisionOf(await send(ask, collection, write("POST", wanted)));
    return { id, before: undefined, after: made };
  }
  const before = await revisionOf(current);
  // A mask with all members, so that those missing in the folder are cleared.
  const members = [...Object.keys(bodyOf(template.content)), "metadata.name"].join(",");
  const after = await send(ask, `${path}?update_mask=${members}`, write("PATCH", wanted));
  return { id, before, after: await revisionOf(after) };
}

/** The content in the API's form, with every member named. */
function bodyOf({ version, network, ...content }: TemplateContent) {
  return {
    title: null,
    description: null,
    allowed_host_types: null,
    storage: null,
    operators: null,
    validation: null,
    on_failure: null,
    ...content,
    node_sets: Object.fromEntries(
      Object.entries(content.node_sets).map(([name, set]) => [
        name,
        { allowed_host_types: [], ...set },
      ]),
    ),
    spec_defaults: {
      ...(version === undefined ? {} : { version: { name: version } }),
      ...(network === undefined ? {} : { network }),
    },
  };
}

const write = (method: string, body: object): RequestInit => ({
  method,
  body: JSON.stringify(body),
});

async function send(ask: Ask, path: string, init: RequestInit): Promise<Response> {
  const headers = {
    "Content-Type": "application/json",
    Accept: "application/json;profile=slipway",
  };
  try {
    return await ask(path, { ...init, headers });
  } catch (error) {
    throw new AppError("Unavailable", `Slipway cannot be reached: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

async function revisionOf(response: Response): Promise<number> {
  const text = await response.text();
  if (response.ok) {
    const answer = answerSchema.safeParse(jsonOf(text));
    if (answer.success) return answer.data.revision;
    throw new AppError("Rejected", "what answers is not Slipway's private API");
  }
  const { message, errors = [] } = problemSchema.safeParse(jsonOf(text)).data ?? {};
  const violations: Violation[] = errors;
  const kind = violations.length > 0 ? "Invalid" : (kinds[response.status] ?? kindOf(response));
  throw new AppError(kind, message ?? `Slipway answered ${response.status}`, { violations });
}

const kinds: Record<number, ErrorKind> = { 401: "Unauthenticated", 403: "Forbidden" };
const kindOf = ({ status }: Response): ErrorKind =>
  status === 429 || status >= 500 ? "Unavailable" : "Rejected";

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The cause of a fetch error, whose own message is only "fetch failed". */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause.message : String(cause);
}
