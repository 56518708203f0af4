import { describe, expect, it } from "vitest";
import { minutes } from "../../core/clock.ts";
import { wrongInBooks } from "../support/books.ts";
import { openSite, type Site, type Wire } from "../support/site.ts";

/** A hosted cluster whose API does not answer, while its hub and its site do. */

interface Silenced {
  site: Site;
  /** Whether hosted clusters are silent. */
  away: { now: boolean };
}

async function siteWithGuests(): Promise<Silenced> {
  const away = { now: false };
  let hubs: Set<string> | undefined;
  const site = await openSite({
    outside: async ({ url }, send) => {
      hubs ??= new Set(site.world.hubs().map(({ server = "" }) => server));
      const { origin, hostname } = new URL(url);
      const isGuest = !hubs.has(origin) && !hostname.endsWith(".sim");
      if (away.now && isGuest) throw new TypeError("fetch failed");
      return send();
    },
  });
  return { site, away };
}

const waiting = async (site: Site, id: string): Promise<Wire> =>
  (await site.cluster(id)).status.waiting?.[0];

const isAt = (site: Site, id: string, step: string) =>
  site.laptop.until(async () => (await waiting(site, id))?.step === step, step);

describe.each(["ConfigureCluster", "ValidateCluster"])("an outage during %s", (step) => {
  it("does not use up the step's time, however long, and the order ends well", async () => {
    const { site, away } = await siteWithGuests();
    // Its template has a test, for which ValidateCluster waits.
    const id = await site.order("one", { template: { id: "ocp_4_17_ai" } });
    await isAt(site, id, step);
    away.now = true;
    await site.laptop.until(
      async () => /does not answer/.test((await waiting(site, id))?.message),
      "the outage is noticed",
    );
    expect(await waiting(site, id)).toMatchObject({
      step,
      system: "hosted cluster",
      message: expect.stringMatching(/^the hosted cluster.* does not answer$/),
    });
    await site.laptop.pass(minutes(5 * 60));
    expect((await waiting(site, id)).step).toBe(step);
    away.now = false;
    expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
    expect(await wrongInBooks(site)).toEqual([]);
  });
});
