import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { World } from "../sim/world.ts";
import { envSh, type Urls } from "./env-sh.ts";
import type { Issuer } from "./issuer.ts";
import { people } from "./people.ts";

/**
 * Writes `dev.json` with all addresses, tokens, and a kubeconfig for each hub; and for shells `env.sh` and `site.sh`.
 */
export async function writeDevJson(
  data: string,
  { urls, issuer, world, site }: { urls: Urls; issuer: Issuer; world: World; site: string },
): Promise<void> {
  mkdirSync(join(data, "hubs"), { recursive: true, mode: 0o700 });
  const hubs = world.hubs().map(({ id, adminKubeconfig }) => {
    const path = join(data, "hubs", `${id}.kubeconfig`);
    if (adminKubeconfig !== undefined) writePrivate(path, adminKubeconfig);
    return { id, kubeconfig: path };
  });
  const tokens: Record<string, string> = {};
  for (const { token, claims } of people)
    if (token !== undefined) tokens[token] = await issuer.token(claims);
  writePrivate(join(data, "env.sh"), envSh(urls, tokens));
  writePrivate(join(data, "site.sh"), site);
  writePrivate(join(data, "dev.json"), `${JSON.stringify({ ...urls, tokens, hubs }, null, 2)}\n`);
}

/** Writes a second file and renames it, so that no reader sees half a file. */
function writePrivate(path: string, text: string): void {
  writeFileSync(`${path}.new`, text, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
