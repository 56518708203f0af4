import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { buildFolder } from "../bundle-folder.ts";

/** Bundles the functions for a deploy; a live development stage bundles by itself. */
export function bundles(): void {
  if (!$dev) execFileSync("node", ["infra/bundle.ts"], { stdio: "inherit" });
}

/** Builds the console, and answers its folder. */
export function builtConsole(): string {
  const folder = `${buildFolder}/console`;
  const out = resolve(folder);
  execFileSync("npm", ["run", "console", "--", "--outDir", out], { stdio: "inherit" });
  return folder;
}
