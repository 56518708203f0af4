import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startDev } from "../support/dev-process.ts";
import { lacksShell, missing, root, runBlocks, runnableOf } from "../support/document-commands.ts";

/**
 * Each walk from an empty site to the first cluster, in a world of its own in which nothing is registered:
 * every command as it stands, in order.
 */

const walks = readdirSync(join(root, "docs/first-cluster")).filter(
  // Metal3's servers are written down on the hub.
  (walk) => walk !== "metal3.md" || !missing.includes("kubectl"),
);

/** Lines that the commands of a walk print, among others. */
const printed: Record<string, (string | RegExp)[]> = {
  "ironic.md": [
    /^ok +bare_metal: accepts the credentials and shows the nodes of http:/,
    /^ok +dns: 127\.0\.0\.1:\d+ answer for example\.com/,
    "dc-1",
    /^created +hub-a /,
    "512",
    "52:54:00:00:03:02",
    /^created +fc430-a-03/,
    /^HOST_STATE_AVAILABLE HOST_STATE_AVAILABLE /,
    "enroll,manageable ours,manageable ours",
    /^https:\/\/api\.first\./,
  ],
  "metal3.md": [
    /^ok +dns: 127\.0\.0\.1:\d+ answer for example\.com/,
    "dc-1",
    /^created +hub-a /,
    /^rack-1-01 +OK +available /,
    "512",
    /^created +fc430-a-02/,
    "Host",
    /^https:\/\/api\.first\./,
  ],
  "redfish.md": [
    /^ok +dhcp: /,
    /^ok +dns: 127\.0\.0\.1:\d+ answer for example\.com/,
    "dc-1",
    /^created +hub-a /,
    "512",
    /^created +fc430-a-03/,
    /^HOST_STATE_AVAILABLE HOST_STATE_AVAILABLE /,
    /^https:\/\/api\.first\./,
    /^4 in 10\.64\.\d+\.0\/24$/,
  ],
};

describe.skipIf(lacksShell)("from an empty site to the first cluster", () => {
  if (missing.length > 0) console.log(`skipped, as these are not there: ${missing.join(", ")}`);

  it.each(walks)("%s does what it shows", async (walk) => {
    const dev = await startDev({ env: { SLIPWAY_SITE: "empty" } });
    expect((await dev.admin("GET", "hosts")).body.items).toEqual([]);
    const { status, stdout, stderr, all } = await runBlocks(
      runnableOf(`docs/first-cluster/${walk}`),
      dev.data,
    );
    expect(status, all).toBe(0);
    expect(stdout).not.toMatch(/^undefined$/m);
    // Nothing failed behind the scenes either.
    expect(readFileSync(join(dev.data, "slipway.log"), "utf8")).not.toContain('"level":50');
    const lines = `${stdout}\n${stderr}`.split("\n");
    // Why one was set aside, where it was.
    const { items: hosts } = (await dev.admin("GET", "hosts")).body;
    for (const { status: said } of hosts) if (said.message) lines.push(said.message);
    for (const line of printed[walk] ?? [])
      expect(lines).toContainEqual(typeof line === "string" ? line : expect.stringMatching(line));
    // Nothing is left of the cluster.
    expect((await dev.ledger()).filter(({ owner }) => owner?.kind === "cluster")).toEqual([]);
  });
});
