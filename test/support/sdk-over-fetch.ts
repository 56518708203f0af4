import type { HttpFetch } from "../../core/http.ts";
import { readText } from "../../core/http-body.ts";

interface SdkRequest {
  protocol: string;
  hostname: string;
  path: string;
  method: string;
  query: Record<string, string | string[] | null>;
  headers: Record<string, string>;
  /** Text or its bytes, as a service's protocol has it. */
  body?: string | Uint8Array;
}

/** A request handler for clients of the AWS SDK that asks a `fetch`. */
export function sdkOver(fetch: HttpFetch) {
  return {
    async handle(request: SdkRequest, { abortSignal }: { abortSignal?: AbortSignal } = {}) {
      const url = new URL(`${request.protocol}//${request.hostname}${request.path}`);
      for (const [name, value] of Object.entries(request.query)) {
        url.searchParams.set(name, String(value));
      }
      const answer = await fetch(url.href, {
        method: request.method,
        headers: request.headers,
        ...(request.body && { body: bodyOf(request.body) }),
        signal: abortSignal ?? new AbortController().signal,
        redirect: "manual",
      });
      const body = new TextEncoder().encode(await readText(answer));
      return { response: { statusCode: answer.status, headers: {}, body } };
    },
  };
}

const bodyOf = (body: string | Uint8Array): string =>
  typeof body === "string" ? body : new TextDecoder().decode(body);
