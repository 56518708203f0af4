import * as z from "zod";
import { AppError } from "../../error.ts";
import { ask, type HttpOptions, type HttpReply, type HttpRequest } from "../../http.ts";
import { refusePage } from "../../http-body.ts";
import { netboxError } from "./error.ts";

export interface NetboxApiOptions extends Omit<HttpOptions, "system"> {
  /** Reads the token, before each call. */
  token: () => Promise<string>;
}

/** Filters and options of a request; a list matches any of its values. */
export type NetboxQuery = Record<string, string | number | readonly (string | number)[]>;

/** NetBox allows up to 1,000 by default; a server with a lower limit answers fewer. */
const pageSize = 500;

const identified = z.looseObject({ id: z.int() });
const listSchema = z.object({ count: z.int(), results: z.array(z.unknown()) });

/**
 * NetBox's REST API, from version 4.2 on. Calls throw Unavailable and Rejected. NetBox ignores unknown
 * filters and then answers every object, so callers that filter must check each object again.
 */
export class NetboxApi {
  readonly #options: NetboxApiOptions;

  constructor(options: NetboxApiOptions) {
    this.#options = options;
  }

  async read<T>(path: string, schema: z.ZodType<T>, query: NetboxQuery = {}): Promise<T> {
    const request = { method: "GET", path: path + queryText(query) } as const;
    return parsed(await this.send(request), schema, request);
  }

  /**
   * Pages through a list by id, so that objects created or deleted between two pages do not shift the others.
   * `after` is the last id already read.
   */
  async *pages<T extends { id: number }>(
    path: string,
    schema: z.ZodType<T>,
    query: NetboxQuery,
    { after = 0, size = pageSize }: { after?: number; size?: number } = {},
  ): AsyncGenerator<T[]> {
    for (let last = after; ; ) {
      const paged = { ...query, ordering: "id", limit: size, ...(last > 0 && { id__gt: last }) };
      const { count, results } = await this.read(path, listSchema, paged);
      const ids = z
        .array(identified)
        .parse(results)
        .map(({ id }) => id);
      if (ids.some((id, n) => id <= (ids[n - 1] ?? last)))
        throw new AppError("Unavailable", "NetBox's pages are not sorted by id", {
          detail: path,
        });
      const newest = ids.at(-1);
      if (newest === undefined) return;
      yield results.map((each) => checked(each, schema, path));
      if (count <= ids.length) return;
      last = newest;
    }
  }

  /** All objects of a short list. */
  async all<T extends { id: number }>(
    path: string,
    schema: z.ZodType<T>,
    query: NetboxQuery,
  ): Promise<T[]> {
    const found: T[] = [];
    let pages = 0;
    for await (const page of this.pages(path, schema, query)) {
      refusePage(++pages, `NetBox's list ${path}`);
      found.push(...page);
    }
    return found;
  }

  /** The number of objects that match. Only for filters that every NetBox version has. */
  async count(path: string, query: NetboxQuery): Promise<number> {
    return (await this.read(path, listSchema, { ...query, limit: 1 })).count;
  }

  /** Sends a request. Answers also the error statuses in `expected`; throws for others. */
  async send(request: HttpRequest, expected: readonly number[] = []): Promise<HttpReply> {
    const authorization = authorizationOf(await this.#options.token());
    const headers = { accept: "application/json", authorization, ...request.headers };
    const reply = await ask({ ...this.#options, system: "NetBox" }, { ...request, headers });
    if (reply.status >= 300 && !expected.includes(reply.status))
      throw netboxError(reply, `${request.method} ${request.path}`);
    return reply;
  }
}

/** Version 2 tokens, since NetBox 4.5, begin with `nbt_`. */
const authorizationOf = (token: string): string =>
  token.startsWith("nbt_") ? `Bearer ${token}` : `Token ${token}`;

function parsed<T>(reply: HttpReply, schema: z.ZodType<T>, { method, path }: HttpRequest): T {
  const { data, success } = schema.safeParse(reply.json);
  if (success) return data;
  throw netboxError({ ...reply, status: 200 }, `${method} ${path}`);
}

function checked<T>(json: unknown, schema: z.ZodType<T>, path: string): T {
  const { data, error } = schema.safeParse(json);
  if (error) {
    const detail = `${path}: ${error.message}`;
    throw new AppError("Unavailable", "NetBox's answer is malformed", { detail });
  }
  return data;
}

function queryText(query: NetboxQuery): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((each) => `${encodeURIComponent(name)}=${encodeURIComponent(each)}`),
  );
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}
