import { readFile } from "node:fs/promises";
import document from "../generated/openapi.json" with { type: "json" };
import { pageAt } from "./pages.ts";
import { scalarScript } from "./scalar.ts";

/**
 * The content security policy: everything is loaded from this server, only our own script files run, and nobody may
 * frame the page. Scalar writes its styles into the page; requests go to this API, and to the issuer for a token.
 */
const policy = (issuer: string | undefined): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    `connect-src 'self'${issuer === undefined ? "" : ` ${new URL(issuer).origin}`}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

const assets: Record<string, string> = {
  "docs.css": "text/css; charset=utf-8",
  "icon.svg": "image/svg+xml",
  "reference.js": "text/javascript; charset=utf-8",
};

export interface DocsOptions {
  /** The issuer at which people can log in from the reference. */
  issuer?: string | undefined;
}

/** Answers a path below `/docs`; undefined for an unknown path. */
export async function docsAnswer(
  path: string,
  { issuer }: DocsOptions,
): Promise<Response | undefined> {
  const place = path.replace(/^\/docs\/?/, "").replace(/\/$/, "");
  const answer = (
    body: string | Uint8Array<ArrayBuffer>,
    type: string,
    more: Record<string, string> = {},
  ) =>
    new Response(body, {
      headers: { ...headers(issuer), ...more, "Content-Type": type },
    });
  if (place === "openapi.json") return answer(JSON.stringify(document), "application/json");
  if (place === "assets/scalar.js")
    return answer(await scalarScript(), "text/javascript; charset=utf-8", compressed);
  const asset = place.replace(/^assets\//, "");
  if (asset !== place && Object.hasOwn(assets, asset))
    return answer(await readFile(new URL(place, import.meta.url), "utf8"), assets[asset] ?? "");
  const page = pageAt(place, issuer);
  return page === undefined ? undefined : answer(page, "text/html; charset=utf-8");
}

/** The compressed script: by far the largest part. It changes only with its package. */
const compressed = { "Content-Encoding": "gzip", "Cache-Control": "public, max-age=86400" };

const headers = (issuer: string | undefined): Record<string, string> => ({
  "Content-Security-Policy": policy(issuer),
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "public, max-age=300",
});
