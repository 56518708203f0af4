import { mkdirSync } from "node:fs";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { hasBrowser, sharedBrowser } from "../support/browser.ts";
import {
  askedElsewhere,
  go,
  kept,
  settled,
  type Visit,
  violations,
  visit,
} from "../support/console.ts";
import { sharedDev } from "../support/dev-process.ts";
import { type Look, looks, type Screen, screens } from "./screens.ts";
import { type Full, fill, nothing } from "./worlds.ts";

/**
 * Every screen of the console in every state, theme and width: nothing that axe finds, no complaint of the browser, no
 * request to elsewhere, no secret, nothing wider than the screen. `npm test` takes a share, another with each commit;
 * `npm run test:console:whole` takes all. PICTURES names a folder for a picture of each.
 */

const share = process.env.MATRIX ?? "0";
const all = looks(share);
const pictures = process.env.PICTURES;

describe.skipIf(!hasBrowser)("the console (needs /usr/bin/chromium)", () => {
  const full = sharedDev();
  const empty = sharedDev({ env: { SLIPWAY_SITE: "empty" } });
  const browser = sharedBrowser();
  let filled = nothing;
  beforeAll(async () => {
    filled = await fill(full());
    if (pictures) mkdirSync(pictures, { recursive: true });
  });

  const byVisit = Map.groupBy(
    all,
    ({ of, state }) => `${state === "empty" ? "empty" : "full"} ${of}`,
  );
  it.each([...byVisit.keys()])(`is for everybody (MATRIX=${share}): %s`, async (key) => {
    const [world, person = ""] = key.split(" ");
    const isEmpty = world === "empty";
    const slipway = isEmpty ? empty() : full();
    const visited = await visit(browser(), slipway, person);
    const faults: string[] = [];
    const ofVisit = byVisit.get(key) ?? [];
    for (const [name, same] of Map.groupBy(ofVisit, ({ screen, state }) => `${screen}, ${state}`)) {
      const found = await lookedAt(visited, same, isEmpty ? nothing : filled);
      faults.push(...found.map((fault) => `${name}: ${fault}`));
    }
    const elsewhere = askedElsewhere(visited, slipway);
    faults.push(...elsewhere.map((url) => `asked ${url}`));
    await visited.page.context().close();
    expect(faults).toEqual([]);
  });

  it("shows a second tenant nothing of what the first has", async () => {
    const { page, ...visited } = await visit(browser(), full(), "tenant-b-user");
    for (const { of, at } of Object.values<Screen>(screens)) {
      const paths = new Set(Object.values(at).map((path) => path(filled)));
      for (const path of of === "tenant-a-user" ? paths : []) {
        await go(page, path);
        await settled({ page, ...visited });
        expect(await page.content(), path).not.toMatch(/seen-|>seen<|tenant-a/);
        if (/^\/orders\/./.test(path))
          expect(await page.locator("main h1").textContent()).toBe("Nothing here");
      }
    }
    await page.context().close();
  });
});

/** Brings a screen into a state, looks at it in each of these ways, and answers what is wrong. */
async function lookedAt(visited: Visit, same: readonly Look[], world: Full): Promise<string[]> {
  const [first] = same;
  if (!first) return [];
  const { page, complaints } = visited;
  const { state, path, screen } = first;
  complaints.length = 0;
  // From elsewhere, so that what was refused before is asked for again.
  await go(page, "/nowhere");
  await settled(visited);
  if (state === "refused") {
    // What was read a moment ago is not read again.
    await page.waitForTimeout(1000);
    await page.route("**/api/**", refuse);
  }
  await go(page, path(world));
  await settled(visited);
  await isRead(page);
  if (state === "offline") {
    await page.context().setOffline(true);
    await page.getByRole("navigation", { name: "Places" }).getByText("offline").waitFor();
  }
  const faults: string[] = [];
  if (state === "refused" && !(await page.getByText(refusal.message).first().isVisible()))
    faults.push("it does not say that it was refused");
  for (const [n, { theme, width }] of same.entries()) {
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width, height: 900 });
    const found = await violations(page, n === 0 ? "all" : "ofLooks");
    const isWide = await page.evaluate<boolean>(
      "document.documentElement.scrollWidth > innerWidth",
    );
    if (isWide) found.push("it is wider than the screen");
    faults.push(...found.map((fault) => `${theme} ${width}: ${fault}`));
    const file = `${first.of} ${screen} ${state} ${theme} ${width}.png`.replaceAll(/[^\w.]+/g, "-");
    if (pictures) await page.screenshot({ path: `${pictures}/${file}`, fullPage: true });
  }
  const shown = await kept(visited);
  faults.push(
    ...world.canaries.filter((each) => shown.includes(each)).map((each) => `has ${each}`),
  );
  if (/eyJhbGci|BEGIN |"auths"/.test(shown)) faults.push("has a token, a key or a pull secret");
  await page.context().setOffline(false);
  await page.unroute("**/api/**");
  // Of requests that fail because they are to, the browser tells as well.
  const isMeant = (complaint: string) =>
    ["offline", "refused"].includes(state) && complaint.startsWith("Failed to load resource");
  return [...faults, ...complaints.filter((each) => !isMeant(each))];
}

const refusal = {
  ...{ title: "unavailable", message: "the store is away: try again later", request_id: "r-1" },
};
const refuse: Parameters<Page["route"]>[1] = (route) =>
  route.fulfill({
    status: 503,
    contentType: "application/problem+json",
    json: refusal,
  });

/** Nothing that the page awaits is missing any more. */
const isRead = (page: Page): Promise<void> =>
  page
    .getByText(/^(Reading|Searching|Looking|Finding) /)
    .first()
    .waitFor({ state: "hidden" });
