import { execFileSync } from "node:child_process";

/** Bundles what is deployed. A live development stage bundles by itself. */
export function bundles(): void {
  if (!$dev) execFileSync("node", ["infra/bundle.ts"], { stdio: "inherit" });
}
