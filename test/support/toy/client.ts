import { beforeEffect } from "../../../core/effect.ts";
import { AppError } from "../../../core/error.ts";
import type { Deps } from "../../../core/kernel/deps.ts";
import type { CrateShown } from "./box.ts";

/** Asks the box, and says what it answers in the product's errors. */
export interface BoxClient {
  /** Undefined if there is no such crate. */
  get(id: string, signal: AbortSignal): Promise<CrateShown | undefined>;
  put(path: string, body: object, signal: AbortSignal): Promise<void>;
  /** What is not there counts as removed. */
  remove(path: string, signal: AbortSignal): Promise<void>;
}

declare module "../../../core/kernel/deps.ts" {
  interface Deps {
    /** Workers of the core zone have none, like every system outside. */
    box?: BoxClient;
  }
}

export function boxOf({ box }: Deps): BoxClient {
  if (!box) throw new AppError("Internal", "this worker does not reach the box");
  return box;
}

type Fetch = (request: Request) => Promise<Response>;

export function boxClient(fetch: Fetch): BoxClient {
  const ask = async (
    method: string,
    path: string,
    signal: AbortSignal,
    body?: object,
  ): Promise<Response> => {
    const url = `http://box.test/crates/${path}`;
    const request = new Request(url, {
      method,
      signal,
      ...(body && { body: JSON.stringify(body) }),
    });
    try {
      return await fetch(request);
    } catch (cause) {
      throw new AppError("Unavailable", "the box does not answer", { cause });
    }
  };
  return {
    async get(id, signal) {
      const response = await ask("GET", id, signal);
      if (response.status === 404) return undefined;
      refuse(response);
      return response.json() as Promise<CrateShown>;
    },
    async put(path, body, signal) {
      await beforeEffect();
      refuse(await ask("PUT", path, signal, body));
    },
    async remove(path, signal) {
      await beforeEffect();
      const response = await ask("DELETE", path, signal);
      if (response.status === 409) throw new AppError("Unavailable", "the box still needs it: 409");
      if (response.status !== 404) refuse(response);
    },
  };
}

/** Throws Unavailable for an answer that another try may better, Rejected for a refusal. */
function refuse({ ok, status }: Response): void {
  if (ok) return;
  const isPassing = status === 429 || status >= 500;
  throw new AppError(isPassing ? "Unavailable" : "Rejected", `the box answered ${status}`);
}
