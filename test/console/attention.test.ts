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

  it("has Now list what the status lists: what, why, since when and what to do, with a link; and nothing once all is well", async () => {
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
    const rows = list.getByRole("row");
    await rows.nth(2).waitFor();
    // The head, then the worst first.
    expect(await rows.count()).toBe(3);
    for (const [n, what, name, entry] of [
      [1, "Hub unreachable", "shared / hub-b", hub],
      [2, "Operation stuck", "tenant-a / nightly", order],
    ] as const) {
      const text = ((await rows.nth(n).textContent()) ?? "").replaceAll(/\s+/g, " ");
      for (const part of [what, name, entry.message, entry.command]) expect(text).toContain(part);
      expect(text).toMatch(/\d+ (s|min|h|d)/);
    }
    expect(await violationsInThemes(page)).toEqual([]);

    await list.getByRole("link", { name: "shared / hub-b" }).click();
    await page.getByRole("heading", { name: "hub-b" }).waitFor();
    expect(page.url()).toMatch(/\/hubs#hub-b$/);
    await page.goBack();
    await list.getByRole("link", { name: "tenant-a / nightly" }).click();
    await page.getByRole("heading", { name: "nightly" }).waitFor();
    expect(page.url()).toContain(id);
    await page.goBack();

    await slipway().sim("DELETE", "faults");
    await slipway().admin("POST", `operations/${order?.operation}/resume`, {});
    await list.waitFor({ state: "detached" });
    expect(await listed()).toEqual([]);
  });
});
