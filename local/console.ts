import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { extname, join, normalize, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { asked, lasting, policyFor } from "../console/headers.ts";

/** The console of a laptop: the static site, built with the first request for it, and again when it has changed. */

const folder = resolve(import.meta.dirname, "../console");
const built = join(folder, "dist");

const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** Paths that are the API's own. */
const ofApi = /^\/(api|docs|healthz|site)(\/|$)/;

const execute = promisify(execFile);

/** Answers a request for the console; undefined for one that is the API's. */
export function localConsole(issuers: readonly string[]) {
  let ready: Promise<void> | undefined;
  const policy = policyFor(issuers.map((issuer) => new URL(issuer).origin));
  return async (request: Request): Promise<Response | undefined> => {
    const { pathname } = new URL(request.url);
    if (request.method !== "GET" || ofApi.test(pathname)) return undefined;
    ready ??= build().catch((error: unknown) => {
      ready = undefined;
      throw error;
    });
    await ready;
    const file = fileAt(pathname);
    const isPage = file.endsWith("index.html");
    return new Response(readFileSync(file), {
      headers: {
        "Content-Type": types[extname(file)] ?? "application/octet-stream",
        "Content-Security-Policy": policy,
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cache-Control": isPage ? asked : lasting,
      },
    });
  };
}

/** The file of a path; a path without one is a page, which the console's own router knows. */
function fileAt(pathname: string): string {
  const file = join(built, normalize(decodeURIComponent(pathname)));
  const isFile = file.startsWith(built) && existsSync(file) && statSync(file).isFile();
  return isFile ? file : join(built, "index.html");
}

/** Several processes may build at once, so each builds beside the site, and whoever is first puts his in its place. */
async function build(): Promise<void> {
  const page = join(built, "index.html");
  const isCurrent = () => existsSync(page) && statSync(page).mtimeMs >= newest(folder);
  if (isCurrent()) return;
  // A process of its own: what this one runs for is not what the site is built for.
  const vite = fileURLToPath(import.meta.resolve("vite/package.json")).replace(
    "package.json",
    "bin/vite.js",
  );
  const own = `${built}-${process.pid}`;
  const quietly = ["--logLevel", "error"];
  await execute(process.execPath, [vite, "build", folder, "--outDir", own, ...quietly], {
    env: { ...process.env, NODE_ENV: "production" },
  });
  if (!isCurrent()) {
    rmSync(built, { recursive: true, force: true });
    renameSync(own, built);
  }
  rmSync(own, { recursive: true, force: true });
}

/** When a file of the console was last changed. */
function newest(at: string): number {
  const names = readdirSync(at, { withFileTypes: true }).filter(
    ({ name }) => !/^dist\b/.test(name),
  );
  return Math.max(
    ...names.map((entry) =>
      entry.isDirectory() ? newest(join(at, entry.name)) : statSync(join(at, entry.name)).mtimeMs,
    ),
  );
}
