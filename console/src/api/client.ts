import type { Problem } from "../generated/answers.ts";
import { noteReach } from "../live/reach.ts";
import { accessToken, renewed, signedOut } from "../session/session.ts";
import { noteTime } from "../ui/time.tsx";

/** Requests to the API, at the console's own origin. */

/** A refusal, with the API's message. */
export class Refusal extends Error {
  readonly status: number;
  readonly problem: Partial<Problem>;

  constructor(status: number, problem: Partial<Problem>) {
    super(problem.message ?? problem.detail ?? `the API answered ${status}`);
    this.status = status;
    this.problem = problem;
  }
}

/** The API is unreachable: either the network or the API's machine. */
class Unreachable extends Error {}

export type Query = Record<string, string | number | boolean | undefined>;

function urlOf(path: string, query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) search.set(name, String(value));
  return search.size > 0 ? `${path}?${search}` : path;
}

interface Sent {
  method?: string;
  query?: Query;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** The response. Throws Refusal or Unreachable. */
export async function ask(path: string, sent: Sent = {}): Promise<Response> {
  const token = accessToken();
  const answer = await answerTo(path, sent, token);
  if (answer.status !== 401) return accepted(answer);
  // A refused request has changed nothing, so it is repeated with a renewed token, and no form is lost.
  if (token !== undefined && (token !== accessToken() || (await renewed()))) {
    const again = await answerTo(path, sent, accessToken());
    if (again.status !== 401) return accepted(again);
  }
  signedOut();
  return accepted(answer);
}

async function accepted(answer: Response): Promise<Response> {
  if (answer.ok) return answer;
  throw new Refusal(answer.status, await problemIn(answer));
}

async function answerTo(path: string, sent: Sent, token: string | undefined): Promise<Response> {
  const { method = "GET", query, body, headers = {}, signal } = sent;
  const request: RequestInit = {
    method,
    headers: {
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  };
  const answer = await fetch(urlOf(path, query), request).catch((cause: unknown) => {
    if (signal?.aborted) throw cause;
    noteReach(false);
    throw new Unreachable("the API is unreachable", { cause });
  });
  noteReach(true);
  noteTime(answer.headers.get("date"));
  return answer;
}

async function problemIn(answer: Response): Promise<Partial<Problem>> {
  try {
    return (await answer.json()) as Partial<Problem>;
  } catch {
    return {};
  }
}

/** The object in a response, without a check: its path determines the type, and the API is of the same release. */
export async function get<T>(path: string, query?: Query, signal?: AbortSignal): Promise<T> {
  const answer = await ask(path, { ...(query && { query }), ...(signal && { signal }) });
  return (await answer.json()) as T;
}

/** Sends a change. A repeated POST is carried out once. */
export async function send<T>(
  method: "POST" | "PATCH" | "DELETE",
  path: string,
  body?: unknown,
  query?: Query,
): Promise<T> {
  const headers: Record<string, string> =
    method === "POST" ? { "Idempotency-Key": crypto.randomUUID() } : {};
  const answer = await ask(path, { method, body, headers, ...(query && { query }) });
  return (await answer.json()) as T;
}

export interface Page<T> {
  items: T[];
  size: number;
  total: number;
  next_page_token?: string;
}
