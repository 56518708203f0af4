import { beforeAll, describe, expect, it } from "vitest";
import { hasBrowser, sharedBrowser } from "../support/browser.ts";
import { askedElsewhere, go, settled, visit } from "../support/console.ts";
import { sharedDev } from "../support/dev-process.ts";
import { isWhole, seed } from "../support/seed.ts";
import { lookedAt } from "./looked-at.ts";
import { looks, type Screen, screens } from "./screens.ts";
import { fill, nothing } from "./worlds.ts";

/**
 * Every screen of the console in every state, theme and width: nothing that axe finds, no complaint of the browser, no
 * request to elsewhere, no secret, nothing wider than the screen. `npm run test:worlds` takes each screen in one state a
 * theme, `npm run matrix` all. PICTURES names a folder for a picture of each.
 */

const all = looks(isWhole, seed);

/** All screens of a person in one visit: minutes, of a busy machine. */
const timeout = 1_200_000;

describe.skipIf(!hasBrowser)("the console (needs /usr/bin/chromium)", { timeout }, () => {
  const full = sharedDev({ speed: 200, env: { SLIPWAY_SERVERS: "off" } });
  const empty = sharedDev({ env: { SLIPWAY_SITE: "empty" } });
  const browser = sharedBrowser();
  let filled = nothing;
  beforeAll(async () => {
    filled = await fill(full());
  });

  const byVisit = Map.groupBy(
    all,
    ({ of, state }) => `${state === "empty" ? "empty" : "full"} ${of}`,
  );
  it.each([...byVisit.keys()])("is for everybody: %s", async (key) => {
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
