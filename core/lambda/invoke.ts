import { createHash, createHmac } from "node:crypto";
import { SignatureV4 } from "@smithy/signature-v4";
import { type Clock, sleep } from "../clock.ts";
import { AppError } from "../error.ts";

/**
 * Invoking Lambda functions. It is one signed POST, so the SDK's client for all of Lambda, which
 * would be a tenth of each bundle, is not worth it.
 */

export interface InvokerOptions {
  region: string;
  credentials: Credentials;
  wall: Clock;
  /** Jitter of the pauses between tries: 0 ≤ n < 1. */
  random: () => number;
  /** In place of AWS's own. */
  endpoint?: string | undefined;
  fetch?: typeof globalThis.fetch;
}

export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

export interface Invoker {
  /** Hands a call over that nobody waits for; Lambda keeps it until it is done. Throws Unavailable. */
  later(worker: string, call: object): Promise<void>;
  /** Calls and waits. Throws Unavailable, or FunctionFailed with what the function threw. */
  now(worker: string, call: object): Promise<unknown>;
}

/** The function threw; `type` is the name of its error. */
export class FunctionFailed extends Error {
  readonly type: string;
  constructor(type: string) {
    super(`the function threw ${type}`);
    this.type = type;
  }
}

/** For one try, in milliseconds: of handing over, and of waiting (the API itself ends at 30 s). */
const handingOver = 5000;
const waiting = 25_000;
const tries = 3;
const firstPause = 100;

export function lambdaInvoker(options: InvokerOptions): Invoker {
  const { region, credentials, wall, random, fetch = globalThis.fetch } = options;
  const endpoint = options.endpoint ?? `https://lambda.${region}.amazonaws.com`;
  const signer = new SignatureV4({ service: "lambda", region, credentials, sha256: Sha256 });

  async function send(worker: string, call: object, type: Type, limit: number): Promise<Response> {
    const url = new URL(
      `/2015-03-31/functions/${encodeURIComponent(worker)}/invocations`,
      endpoint,
    );
    const request = {
      method: "POST",
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname,
      headers: { host: url.host, "x-amz-invocation-type": type },
      body: JSON.stringify(call),
    };
    const { headers } = await signer.sign(request, { signingDate: new Date(wall.now()) });
    const { host: _, ...sent } = headers;
    return fetch(url, {
      method: "POST",
      headers: sent,
      body: request.body,
      signal: AbortSignal.timeout(limit),
    });
  }

  /** Again after a throttle, a fault or no answer, where that cannot do harm. */
  async function insist(worker: string, call: object): Promise<Response> {
    for (let tried = 1; ; tried++) {
      try {
        const answer = await send(worker, call, "Event", handingOver);
        const passing = answer.status === 429 || answer.status >= 500;
        if (!passing || tried === tries) return answer;
      } catch (error) {
        if (tried === tries) throw unavailable(error);
      }
      await sleep(wall, random() * firstPause * 2 ** tried);
    }
  }

  return {
    async later(worker, call) {
      const answer = await insist(worker, call);
      if (!answer.ok) throw unavailable(await wordsOf(answer));
    },
    async now(worker, call) {
      const answer = await send(worker, call, "RequestResponse", waiting).catch((error) => {
        throw unavailable(error);
      });
      if (!answer.ok) throw unavailable(await wordsOf(answer));
      const result = await answer.json().catch((error) => {
        throw unavailable(error);
      });
      if (answer.headers.has("x-amz-function-error")) throw new FunctionFailed(typeOf(result));
      return result;
    },
  };
}

type Type = "Event" | "RequestResponse";

const unavailable = (cause: unknown): AppError =>
  new AppError("Unavailable", "a worker could not be asked", { cause });

const wordsOf = async (answer: Response): Promise<string> =>
  `${answer.status} ${(await answer.text()).slice(0, 500)}`;

/** Lambda answers `{errorType, errorMessage}` for what a function threw. */
function typeOf(result: unknown): string {
  const known = typeof result === "object" && result !== null && "errorType" in result;
  return known ? String(result.errorType) : "Unknown";
}

type Data = string | ArrayBuffer | ArrayBufferView;

const bytes = (data: Data): Buffer => {
  if (typeof data === "string") return Buffer.from(data);
  if (data instanceof ArrayBuffer) return Buffer.from(data);
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
};

/** What the signer asks for: a hash, or with a key an HMAC. */
class Sha256 {
  readonly #hash;
  constructor(key?: Data) {
    this.#hash = key === undefined ? createHash("sha256") : createHmac("sha256", bytes(key));
  }
  update(data: Data): void {
    this.#hash.update(bytes(data));
  }
  async digest(): Promise<Uint8Array> {
    return new Uint8Array(this.#hash.digest());
  }
}
