import { randomUUID } from "node:crypto";
import { answerOf } from "./answer-of.ts";
import { expiryOf } from "./api/area.ts";
import type { Around } from "./around.ts";
import { type ApiEndpoint, type Environment, laptopEndpoints } from "./endpoint.ts";
import { CliFailure, type Exit, exits } from "./exit.ts";
import { counted, plainValue } from "./output/values.ts";

/** A request of the API, by its path from the root. */
export interface ClientRequest {
  method: string;
  path: string;
  query?: Record<string, string | undefined>;
  body?: unknown;
  /** Whether it has an `Idempotency-Key`, without which a `POST` is not repeated after a lost connection. */
  isKeyed?: boolean;
  /** Aborts the request. */
  signal?: AbortSignal;
}

export interface ClientAnswer {
  headers: Headers;
  text: string;
  /** The answer's JSON; undefined for other content. */
  body: unknown;
}

/** Milliseconds after which a request counts as lost; a watch is answered within 25 s. */
const patience = 60_000;
/**
 * Milliseconds before each further attempt. Long-running readers retry by themselves; a change is retried long
 * enough for a restart of Slipway.
 */
const pauses = [500, 1500];
const pausesOfChange = [...pauses, 4000, 8000, 16_000];

/** Slipway's API, with one person's token. */
export class Client {
  readonly endpoint: ApiEndpoint;
  readonly #around: Around;
  /** Answers a new token in place of an expired one, if possible. */
  readonly #renew: (refused: string) => Promise<string | undefined>;

  constructor(
    endpoint: ApiEndpoint,
    around: Around,
    renew = async (_refused: string): Promise<string | undefined> => undefined,
  ) {
    this.endpoint = { ...endpoint };
    this.#around = around;
    this.#renew = renew;
  }

  /** Throws Failure for every refusal, and without an answer. */
  async ask(request: ClientRequest): Promise<ClientAnswer> {
    let { response, text } = await this.#sent(request);
    const token = response.status === 401 ? await this.#renew(this.endpoint.token) : undefined;
    if (token !== undefined) {
      this.endpoint.token = token;
      ({ response, text } = await this.#sent(request));
    }
    const { url } = this.endpoint;
    const answer = { headers: response.headers, text, body: jsonIn(response.headers, text) };
    if (!response.ok) {
      const isOld = response.status === 401 && hasEnded(this.endpoint.token, this.#around.now());
      throw refusal(response.status, answer, { url, path: request.path, isOld });
    }
    // An HTML page comes from a proxy or the console, because Slipway's API never answers HTML.
    if (response.headers.get("content-type")?.includes("html"))
      throw new CliFailure(exits.unreachable, `${url} answers with a web page, not like Slipway`, {
        details: ["is the address right? slipway context list"],
      });
    return answer;
  }

  get(
    path: string,
    query: ClientRequest["query"] = {},
    signal?: AbortSignal,
  ): Promise<ClientAnswer> {
    return this.ask({ method: "GET", path, query, ...(signal && { signal }) });
  }

  async #sent({
    method,
    path,
    query = {},
    body,
    isKeyed,
    signal: given,
  }: ClientRequest): Promise<{ response: Response; text: string }> {
    const { url, token } = this.endpoint;
    const known = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    );
    const search = known.length === 0 ? "" : `?${new URLSearchParams(Object.fromEntries(known))}`;
    const headers: Record<string, string> = {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(isKeyed && { "idempotency-key": randomUUID() }),
    };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    // All other requests are safe to repeat.
    const isRepeatable = isKeyed || method !== "POST";
    for (let tried = 0; ; tried++) {
      try {
        const lost = AbortSignal.timeout(patience);
        const signal = given ? AbortSignal.any([lost, given]) : lost;
        const response = await answerOf(this.#around, `${url}${path}${search}`, {
          ...init,
          signal,
        });
        // The connection may also be lost while the answer is read.
        return { response, text: await response.text() };
      } catch (error) {
        if (error instanceof CliFailure) throw error;
        const next = (method === "GET" ? pauses : pausesOfChange)[tried];
        const wait = isRepeatable && !given?.aborted ? next : undefined;
        const lost = unreachable(url, error, this.#around.env);
        if (wait === undefined) throw lost;
        // One short interruption is not reported.
        if (tried === pauses.length) this.#around.err.write(`${lost.message}; trying again\n`);
        await this.#around.pause(wait, given);
        if (given?.aborted) throw lost;
      }
    }
  }
}

function jsonIn(headers: Headers, text: string): unknown {
  if (!headers.get("content-type")?.includes("json")) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unreachable(url: string, error: unknown, env: Environment): CliFailure {
  const { cause } = error instanceof Error ? error : {};
  const reason = [error, cause].flatMap((each) => (each instanceof Error ? each.message : []));
  const isLaptop = Object.values(laptopEndpoints(env)).some((each) => each.url === url);
  const details = isLaptop
    ? ["npm run dev is not running: start it, or name another Slipway: slipway context list"]
    : ["is it running, and is the address right? slipway context list"];
  return new CliFailure(exits.unreachable, `${url} is unreachable: ${reason.join(": ")}`, {
    details,
    mayPass: true,
    mayBeDone: true,
  });
}

/** The members of a problem that are shown; absent where something other than Slipway answered. */
interface Problem {
  title?: string;
  detail?: string;
  errors?: { field: string; message: string }[];
  in_use?: { kind: string; count: number; objects: { id: string; name: string }[] }[];
  retryable?: boolean;
  request_id?: string;
}

/** The next thing to do, by the status of a refusal. */
const next: Record<number, string> = {
  401: "log in: slipway login, or bring a token with SLIPWAY_TOKEN or slipway context set",
  403: "who you are: slipway whoami",
  412: "it has changed meanwhile: read it again",
  413: "send less at a time",
  429: "wait a moment, and try again",
};

/** Whether a token has expired, according to its claims. */
const hasEnded = (token: string, now: number): boolean => (expiryOf(token) ?? now) < now;

interface Refused {
  url: string;
  path: string;
  /** Whether the token has expired, according to its claims. */
  isOld: boolean;
}

function refusal(
  status: number,
  { body, headers }: ClientAnswer,
  { url, path, isOld }: Refused,
): CliFailure {
  const problem: Problem = typeof body === "object" && body !== null ? body : {};
  const { title = `status ${status}`, detail, errors = [], in_use = [] } = problem;
  const [, collection] = /^\/api\/[a-z]+\/v1\/([a-z-]+)\//.exec(path.replaceAll("_", "-")) ?? [];
  const id = problem.request_id ?? headers.get("x-request-id");
  const details = [
    ...errors.map(({ field, message }) => `${field === "" ? "the body" : field}: ${message}`),
    ...in_use.map(({ kind, count, objects }) => {
      const names = objects.map((each) => each.name || each.id).join(", ");
      return `used by ${counted(count, kind)}${names && `: ${names}`}`;
    }),
    ...(isOld ? ["the token has expired, and could not be renewed"] : []),
    ...(next[status] === undefined ? [] : [next[status]]),
    ...(status === 404 && collection ? [`list all: slipway ${collection} list`] : []),
    ...(id ? [`request ${id}`] : []),
  ];
  // Omitted if the detail only repeats the messages of fields.
  const isNews =
    detail !== undefined &&
    detail.toLowerCase() !== title.toLowerCase() &&
    (errors.length === 0 || errors.some(({ message }) => !detail.includes(message)));
  const message = `${title}${isNews ? `: ${detail}` : ""}${body === undefined ? ` from ${url}` : ""}`;
  const exit = exitFor(status);
  const mayPass = problem.retryable ?? (status === 429 || status >= 500);
  // Slipway's own 503 is a refusal; after any other 5xx it is unknown whether the change was made.
  const mayBeDone = status >= 500 && !(status === 503 && problem.title !== undefined);
  return new CliFailure(exit, plainValue(message), {
    details: details.map(plainValue),
    mayPass,
    mayBeDone,
  });
}

function exitFor(status: number): Exit {
  if (status === 401) return exits.loggedOut;
  return status >= 502 && status <= 504 ? exits.unreachable : exits.refused;
}
