import { type LookupAddress, lookup as systemLookup } from "node:dns";
import { request as requestPlain } from "node:http";
import { request as requestTls } from "node:https";
import type { LookupFunction } from "node:net";
import type { Clock } from "../../clock.ts";
import { AppError } from "../../error.ts";
import { called } from "../../outside.ts";
import { isLoopback, isPublic, literalAddress, urlRefusal } from "./address.ts";
import type { WebhookAnswer, WebhookTransport } from "./transport.ts";

/** The limit of one delivery, from DNS lookup to answer, in milliseconds. */
const timeout = 10_000;
/** How many bytes of an answer are read. */
const answerLimit = 1024;

/** Resolves a name to all its addresses. */
export type Resolve = (
  hostname: string,
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

export interface HttpsOptions {
  wall: Clock;
  /** Permits receivers on this machine, also without TLS: for development. */
  loopback?: boolean;
  /** Replaces the system's DNS resolver. */
  resolve?: Resolve;
}

/**
 * Delivers over HTTPS, with one connection for each delivery. A name is resolved once and the connection uses
 * the addresses that were checked, so DNS rebinding gains nothing. Redirects are answers and are not
 * followed. Written by hand: address.ts also checks URLs when a webhook is created; request-filtering-agent
 * would check them again by rules of its own, which permit Azure's metadata address.
 */
export function httpsTransport({
  wall,
  loopback = false,
  resolve = systemResolve,
}: HttpsOptions): WebhookTransport {
  const mayReach = (address: string) => isPublic(address) || (loopback && isLoopback(address));
  return {
    refusal: async (url) => urlRefusal(url, { loopback }),
    async post(text, message) {
      const refusal = urlRefusal(text, { loopback });
      if (refusal !== undefined) throw refused(refusal);
      const url = new URL(text);
      // Plain HTTP is permitted only to this machine.
      const isPlain = url.protocol === "http:";
      const allows = isPlain ? isLoopback : mayReach;
      // A literal address needs no lookup.
      const literal = literalAddress(url);
      if (literal !== undefined && !allows(literal)) throw refused(notPublic);
      const abort = new AbortController();
      const timer = wall.after(timeout, () => abort.abort());
      try {
        const options = { lookup: lookupOf(resolve, allows), signal: abort.signal };
        // Without the path, which often contains the receiver's secret.
        return await called({ words: "the receiver", call: "POST" }, async (known) => {
          const answer = await ask(isPlain ? requestPlain : requestTls, url, message, options);
          known.status = answer.status;
          return answer;
        });
      } catch (error) {
        throw translated(error, abort.signal);
      } finally {
        timer.cancel();
      }
    },
  };
}

const notPublic = "must have an address that is public";
const refused = (why: string): AppError => new AppError("Rejected", `the URL ${why}`);

const systemResolve: Resolve = (hostname, done) => systemLookup(hostname, { all: true }, done);

/** Every address must be permitted: a name with public and private addresses is suspicious. */
function lookupOf(resolve: Resolve, allows: (address: string) => boolean): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) done(error ?? new Error("no address"), "", 4);
      else if (!addresses.every(({ address }) => allows(address))) done(refused(notPublic), "", 4);
      else if (options.all) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };
}

/** Rejects with the connection's error. */
function ask(
  request: typeof requestTls,
  url: URL,
  { headers, body }: { headers: Record<string, string>; body: string },
  options: { lookup: LookupFunction; signal: AbortSignal },
): Promise<WebhookAnswer> {
  return new Promise((resolve, reject) => {
    const length = { "content-length": String(Buffer.byteLength(body)) };
    const asked = request(
      url,
      { method: "POST", headers: { ...headers, ...length }, agent: false, ...options },
      (answer) => {
        const chunks: Buffer[] = [];
        let size = 0;
        const done = () => {
          const text = Buffer.concat(chunks).subarray(0, answerLimit).toString();
          resolve({ status: answer.statusCode ?? 0, text });
          asked.destroy();
        };
        answer.on("data", (chunk: Buffer) => {
          chunks.push(chunk);
          size += chunk.length;
          if (size >= answerLimit) done();
        });
        answer.on("end", done);
        answer.on("error", reject);
      },
    );
    asked.on("error", reject);
    asked.end(body);
  });
}

function translated(error: unknown, signal: AbortSignal): AppError {
  if (error instanceof AppError) return error;
  if (signal.aborted)
    return new AppError("Unavailable", `no answer in ${timeout / 1000} s`, { cause: error });
  const code = error instanceof Error && "code" in error ? `: ${String(error.code)}` : "";
  return new AppError("Unavailable", `cannot be reached${code}`, { cause: error });
}
