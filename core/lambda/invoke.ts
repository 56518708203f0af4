import { type Access, signedPost, wordsOf } from "../aws/signed-post.ts";
import { sleep } from "../clock.ts";
import { AppError } from "../error.ts";

/** Invoking Lambda functions. */

export interface InvokerOptions extends Access {
  /** Jitter of the pauses between tries: 0 ≤ n < 1. */
  random: () => number;
  /** In place of AWS's own. */
  endpoint?: string | undefined;
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
  const { region, wall, random } = options;
  const endpoint = options.endpoint ?? `https://lambda.${region}.amazonaws.com`;
  const post = signedPost("lambda", options);

  const send = (worker: string, call: object, type: Type, limit: number): Promise<Response> =>
    post({
      url: new URL(`/2015-03-31/functions/${encodeURIComponent(worker)}/invocations`, endpoint),
      headers: { "x-amz-invocation-type": type },
      body: JSON.stringify(call),
      limit,
    });

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

/** Lambda answers `{errorType, errorMessage}` for what a function threw. */
function typeOf(result: unknown): string {
  const known = typeof result === "object" && result !== null && "errorType" in result;
  return known ? String(result.errorType) : "Unknown";
}
