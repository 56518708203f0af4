import type { HttpFetch } from "../../core/http.ts";
import type { FetchHandler } from "../../sim/kubernetes/api.ts";

export interface Asked {
  method: string;
  /** With its query, unescaped. */
  path: string;
  headers: Record<string, string>;
  /** JSON where it is some, else text. */
  body: unknown;
}

/** A simulated system as `fetch`, in process, with what was asked of it. */
export class RecordedFetch {
  readonly asked: Asked[] = [];
  /** What happens before a request reaches the system. */
  before: (asked: Asked) => Promise<void> = async () => {};
  readonly #handler: FetchHandler;

  constructor(handler: FetchHandler) {
    this.#handler = handler;
  }

  readonly fetch: HttpFetch = (url, { redirect: _, ...init }) => {
    const { pathname, search } = new URL(url);
    const { method, headers, body } = init;
    const path = decodeURIComponent(pathname + search);
    const asked = { method, path, headers, body: parsed(body) };
    this.asked.push(asked);
    const answer = this.before(asked).then(() => this.#handler(new Request(url, init)));
    // As over a network: who gives up waiting gets no answer.
    const givenUp = new Promise<never>((_, reject) => {
      init.signal.addEventListener("abort", () => reject(init.signal.reason), { once: true });
    });
    return Promise.race([answer, givenUp]);
  };

  /** The methods and paths, for a look at the order. */
  get calls(): string[] {
    return this.asked.map(({ method, path }) => `${method} ${path}`);
  }
}

function parsed(body: string | undefined): unknown {
  if (body === undefined) return undefined;
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
