import type { Handler } from "./serve.ts";

const loopback = new Set(["127.0.0.1", "localhost", "[::1]"]);

/**
 * Refuses requests of other sites' pages. A browser lets any page send simple requests to any port of this machine, and
 * a page whose name resolves to this machine can read the answers too. Clients other than browsers send no Origin, and
 * the right Host.
 */
export function awayFromPages(handler: Handler): Handler {
  return (request, source) => {
    const why = refusalOf(request);
    if (why === undefined) return handler(request, source);
    return Response.json({ code: "Forbidden", message: why }, { status: 403 });
  };
}

function refusalOf({ method, url, headers }: Request): string | undefined {
  if (!loopback.has(new URL(url).hostname)) return "the Host must be one of this machine";
  // Reading is allowed: other pages cannot see the answer.
  if (method === "GET" || method === "HEAD") return undefined;
  const origin = headers.get("Origin");
  const isForeign = origin !== null && !isOfThisMachine(origin);
  if (isForeign || headers.get("Sec-Fetch-Site") === "cross-site")
    return "pages of other sites may not ask this";
  return undefined;
}

/** Whether an Origin is on this machine. The Origin of a page without one, such as a file, is not a URL. */
const isOfThisMachine = (origin: string): boolean =>
  URL.canParse(origin) && loopback.has(new URL(origin).hostname);
