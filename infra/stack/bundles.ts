import { execFileSync } from "node:child_process";

/** Bundles the functions for a deploy. A live development stage bundles by itself. */
export function bundles(): void {
  if (!$dev) execFileSync("node", ["infra/bundle.ts"], { stdio: "inherit" });
}
