import { type LookupAddress, lookup as systemLookup } from "node:dns";
import type { LookupFunction } from "node:net";
import { Agent, request } from "undici";
import type { Clock } from "../clock.ts";
import { AppError } from "../error.ts";
import { isLoopback, isPublic, literalAddress, urlRefusal } from "./address.ts";
import type { WebhookTransport } from "./transport.ts";

/** For one delivery from its name to its answer, in milliseconds. */
const timeout = 10_000;
/** Bytes of an answer that are read. */
const answerLimit = 1024;

/** All addresses of a name. */
export type Resolve = (
  hostname: string,
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

export interface HttpsOptions {
  wall: Clock;
  /** Lets receivers on this machine be reached, without TLS too: for a laptop. */
  loopback?: boolean;
  /** In place of the system's. */
  resolve?: Resolve;
}

/**
 * Receivers over HTTPS. A name is resolved once, where the connection is made: it goes to the very
 * addresses that were judged, so a name server that answers otherwise the next time gains nothing.
 */
export function httpsTransport({
  wall,
  loopback = false,
  resolve,
}: HttpsOptions): WebhookTransport {
  const judged = (allows: (address: string) => boolean) =>
    new Agent({
      connect: { lookup: lookupOf(resolve ?? systemResolve, allows), timeout },
      connections: 4,
    });
  const mayReach = (address: string) => isPublic(address) || (loopback && isLoopback(address));
  const agents = { "https:": judged(mayReach), "http:": judged(loopback ? isLoopback : never) };

  return {
    refusal: (url) => urlRefusal(url, { loopback }),
    async post(text, { headers, body }) {
      const refusal = urlRefusal(text, { loopback });
      if (refusal !== undefined) throw refused(refusal);
      const url = new URL(text);
      // The lookup is not asked about these.
      const literal = literalAddress(url);
      if (literal !== undefined && !mayReach(literal)) throw refused(notPublic);
      const abort = new AbortController();
      const timer = wall.after(timeout, () => abort.abort());
      try {
        const answer = await request(url, {
          method: "POST",
          headers,
          body,
          dispatcher: agents[url.protocol === "http:" ? "http:" : "https:"],
          signal: abort.signal,
        });
        return { status: answer.statusCode, text: await beginning(answer.body) };
      } catch (error) {
        throw translated(error, abort.signal);
      } finally {
        timer.cancel();
      }
    },
  };
}

const notPublic = "must have an address that is public";
const never = (): boolean => false;
const refused = (why: string): AppError => new AppError("Rejected", `the URL ${why}`);

const systemResolve: Resolve = (hostname, done) => systemLookup(hostname, { all: true }, done);

/** Every address must be allowed: a name that leads to both kinds is up to something. */
function lookupOf(resolve: Resolve, allows: (address: string) => boolean): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) return done(error ?? new Error("no address"), "", 4);
      if (!addresses.every(({ address }) => allows(address)))
        return done(refused(notPublic), "", 4);
      return options.all ? done(null, addresses) : done(null, first.address, first.family);
    });
  };
}

async function beginning(body: AsyncIterable<Buffer> & { destroy(): unknown }): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= answerLimit) break;
  }
  body.destroy();
  return Buffer.concat(chunks).subarray(0, answerLimit).toString();
}

function translated(error: unknown, signal: AbortSignal): AppError {
  if (error instanceof AppError) return error;
  if (signal.aborted)
    return new AppError("Unavailable", `no answer in ${timeout / 1000} s`, { cause: error });
  const code = error instanceof Error && "code" in error ? `: ${String(error.code)}` : "";
  return new AppError("Unavailable", `cannot be reached${code}`, { cause: error });
}
