import { afterEach, describe, expect, it } from "vitest";
import { hasBrowser, sharedBrowser } from "../support/browser.ts";
import { violationsInThemes, visit } from "../support/console.ts";
import { stuck } from "../support/console-orders.ts";
import { sharedDev } from "../support/dev-process.ts";
import { eventually } from "../support/eventually.ts";
import type { Wire } from "../support/site.ts";
import { hubAway } from "./troubles.ts";

/** What needs attention, on the first page that an operator sees. Skipped where there is no Chromium. */

describe.skipIf(!hasBrowser)("the console (needs /usr/bin/chromium)", () => {
  const slipway = sharedDev();
  const browser = sharedBrowser();
  afterEach(() => slipway().sim("DELETE", "faults"));

  it("has Now list what the status lists: what, why, since when and what to do, with a link and a button; and nothing once all is well", async () => {
    const id = await stuck(slipway(), "nightly");
    await hubAway(slipway(), "hub-b");
    const listed = async (): Promise<Wire[]> =>
      (await slipway().admin("GET", "status")).body.attention;
    await eventually(async () =>
      expect((await listed()).map(({ reason }) => reason)).toEqual([
        "HubUnreachable",
        "OperationStuck",
      ]),
    );
    const [hub, order] = await listed();

    const { page } = await visit(browser(), slipway(), "admin");
    const list = page.getByRole("region", { name: "What needs attention" });
    await page.getByRole("heading", { name: "2 things need you" }).waitFor();
    const cards = list.getByRole("article");
    expect(await cards.count()).toBe(2);
    for (const [n, what, name, entry] of [
      [0, "Hub hub-b is unreachable", "hub-b", hub],
      [1, "Stuck: cluster nightly", "tenant-a / nightly", order],
    ] as const) {
      const text = ((await cards.nth(n).textContent()) ?? "").replaceAll(/\s+/g, " ");
      for (const part of [what, name, entry.message, entry.command]) expect(text).toContain(part);
      expect(text).toMatch(/for \d+ (s|min|h|d)/);
    }
    expect(await violationsInThemes(page)).toEqual([]);

    await list.getByRole("link", { name: "hub-b" }).click();
    await page.getByRole("heading", { name: "hub-b", exact: true }).waitFor();
    expect(page.url()).toMatch(/\/hubs#hub-b$/);
    await page.goBack();
    await list.getByRole("link", { name: "tenant-a / nightly" }).click();
    await page.getByRole("heading", { name: "nightly", exact: true }).waitFor();
    expect(page.url()).toContain(id);
    await page.goBack();

    // What the card offers is what solves it.
    await slipway().sim("DELETE", "faults");
    await cards.nth(1).getByRole("button", { name: "Resume" }).click();
    await page.getByRole("heading", { name: "Nothing needs you" }).waitFor({ timeout: 120_000 });
    await list.waitFor({ state: "detached" });
    expect(await listed()).toEqual([]);
  });
});
