import { readFile } from "node:fs/promises";
import { documentText } from "./document.ts";
import { pageAt } from "./pages.ts";

/** Everything comes from here, nothing runs that is not a file of ours, nobody frames it. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const assets: Record<string, string> = {
  "docs.css": "text/css; charset=utf-8",
  "docs.js": "text/javascript; charset=utf-8",
};

/** Answers a path below `/docs`; undefined where there is nothing. */
export async function docsAnswer(path: string): Promise<Response | undefined> {
  const place = path.replace(/^\/docs\/?/, "").replace(/\/$/, "");
  if (place === "openapi.json") return answer(documentText(), "application/json");
  const asset = place.replace(/^assets\//, "");
  if (asset !== place && Object.hasOwn(assets, asset))
    return answer(await readFile(new URL(place, import.meta.url), "utf8"), assets[asset] ?? "");
  const page = pageAt(place);
  return page === undefined ? undefined : answer(page, "text/html; charset=utf-8");
}

const answer = (body: string, type: string): Response =>
  new Response(body, {
    headers: {
      "Content-Type": type,
      "Content-Security-Policy": policy,
      "X-Content-Type-Options": "nosniff",
      "Referrer-Policy": "no-referrer",
      "Cache-Control": "public, max-age=300",
    },
  });
