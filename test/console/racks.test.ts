import { afterEach, describe, expect, it } from "vitest";
import { hasBrowser, sharedBrowser } from "../support/browser.ts";
import { go, violationsInThemes, visit } from "../support/console.ts";
import { sharedDev } from "../support/dev-process.ts";
import { eventually } from "../support/eventually.ts";

/** The hosts as racks, as an operator looks at them. Skipped where there is no Chromium. */

describe.skipIf(!hasBrowser)("the console (needs /usr/bin/chromium)", () => {
  const slipway = sharedDev();
  const browser = sharedBrowser();
  afterEach(() => slipway().sim("DELETE", "faults"));

  it("has a row for each host in its rack, which says its use and leads to it; and the same as tables", async () => {
    const { body } = await slipway().admin("GET", "hosts?limit=100");
    const { page, complaints } = await visit(browser(), slipway(), "admin");
    await go(page, "/hosts");
    const rows = page.getByRole("list", { name: /^Hosts, / }).getByRole("link");
    await rows.first().waitFor();
    expect(await rows.count()).toBe(body.items.length);
    await page.getByText("24 free").waitFor();
    expect(await violationsInThemes(page)).toEqual([]);

    await page.getByLabel("Find").fill("fc430-a-03");
    await eventually(async () => expect(await rows.count()).toBe(1));
    await page.getByRole("link", { name: "Table", exact: true }).click();
    await page.getByRole("row", { name: /^fc430-a-03 / }).waitFor();
    expect(page.url()).toMatch(/\?find=fc430-a-03&view=table$/);
    await page.getByRole("link", { name: "Racks", exact: true }).click();
    await rows.first().click();
    await page.getByRole("heading", { name: "fc430-a-03" }).waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
