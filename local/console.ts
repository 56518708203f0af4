import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { extname, join, normalize, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { asked, lasting, policyFor } from "../console/headers.ts";

/** The console in local mode: a static site, built at its first request and again after its files change. */

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

/** Answers a request for the console; undefined for a request to the API. */
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

/** The file of a path; `index.html` for a path without a file, since the console's router handles it. */
function fileAt(pathname: string): string {
  const file = join(built, normalize(decodeURIComponent(pathname)));
  const isFile = file.startsWith(built) && existsSync(file) && statSync(file).isFile();
  return isFile ? file : join(built, "index.html");
}

/**
 * Builds the console. Several processes may build at once, so each builds into a folder of its own and then renames it.
 */
async function build(): Promise<void> {
  const page = join(built, "index.html");
  const isCurrent = () => existsSync(page) && statSync(page).mtimeMs >= newest(folder);
  if (isCurrent()) return;
  // Vite runs in a process of its own, since the build needs another NODE_ENV than this process.
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

/** The time of the newest change of a file of the console. */
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
