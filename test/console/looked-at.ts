import type { Page } from "playwright-core";
import { go, kept, nothingKept, settled, type Visit, violations } from "../support/console.ts";
import type { Look } from "./screens.ts";
import type { Full } from "./worlds.ts";

/** The folder for a picture of each look; none unless named. */
const pictures = process.env.PICTURES;

/** Brings a screen into a state, looks at it in each of these ways, and answers what is wrong. */
export async function lookedAt(
  visited: Visit,
  same: readonly Look[],
  world: Full,
): Promise<string[]> {
  const [first] = same;
  if (!first) return [];
  const { page, complaints } = visited;
  const { state, path, screen, answers = {}, says = [] } = first;
  complaints.length = 0;
  // From elsewhere, so that what was refused before is asked for again.
  await go(page, "/nowhere");
  await settled(visited);
  if (state === "refused") {
    // What was read a moment ago is not read again.
    await page.waitForTimeout(1000);
    await page.route("**/api/**", refuse);
  }
  for (const [end, json] of Object.entries(answers)) {
    await page.waitForTimeout(1000);
    await page.route(`**${end}`, (route) => route.fulfill({ json }));
  }
  await go(page, path(world));
  await settled(visited);
  await isRead(page);
  if (state === "offline") {
    await page.context().setOffline(true);
    await page.getByRole("alert").getByText("Offline.").waitFor();
  }
  const faults: string[] = [];
  if (state === "refused") {
    const said = page.getByText(refusal.message).first().waitFor({ timeout: 20_000 });
    await said.catch(() => faults.push("it does not say that it was refused"));
  }
  for (const words of says) {
    const said = page.getByRole("main").getByText(words).first().waitFor({ timeout: 20_000 });
    await said.catch(() => faults.push(`it does not say "${words}"`));
  }
  const name = `${first.of} ${screen} ${state}`;
  faults.push(...(await inEachWay(page, same, name)));
  if (!isBroken(state)) {
    for (const { of, open } of await dialogsOf(page, first.keys)) {
      await open();
      await page.locator("dialog[open]").waitFor();
      const found = await inEachWay(page, same, `${name} ${of}`);
      faults.push(...found.map((fault) => `the dialog of ${of}: ${fault}`));
      await page.keyboard.press("Escape");
      await page.locator("dialog[open]").waitFor({ state: "hidden" });
    }
  }
  const shown = await kept(visited);
  if (!shown.includes(nothingKept)) faults.push("keeps something in a database or a cache");
  faults.push(
    ...world.canaries.filter((each) => shown.includes(each)).map((each) => `has ${each}`),
  );
  if (/eyJhbGci|BEGIN |"auths"/.test(shown)) faults.push("has a token, a key or a pull secret");
  await page.context().setOffline(false);
  await page.unroute("**/api/**");
  for (const end of Object.keys(answers)) await page.unroute(`**${end}`);
  // Of requests that fail because they are to, the browser tells as well.
  const isMeant = (complaint: string) =>
    isBroken(state) && complaint.startsWith("Failed to load resource");
  return [...faults, ...complaints.filter((each) => !isMeant(each))];
}

const isBroken = (state: Look["state"]): boolean => ["offline", "refused"].includes(state);

/** What is wrong with what is shown, in each of these ways. */
async function inEachWay(page: Page, ways: readonly Look[], name: string): Promise<string[]> {
  const faults: string[] = [];
  for (const [n, { theme, width }] of ways.entries()) {
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width, height: 900 });
    const found = await violations(page, n === 0 ? "all" : "ofLooks");
    const isWide = await page.evaluate<boolean>(
      "document.documentElement.scrollWidth > innerWidth",
    );
    if (isWide) found.push("it is wider than the screen");
    faults.push(...found.map((fault) => `${theme} ${width}: ${fault}`));
    const file = `${name} ${theme} ${width}.png`.replaceAll(/[^\w.]+/g, "-");
    if (pictures) await page.screenshot({ path: `${pictures}/${file}`, fullPage: true });
  }
  return faults;
}

/** Every dialog that can be opened on a page: of a button that asks first, and of these keys. */
async function dialogsOf(page: Page, keys: readonly string[] = []) {
  const asking = page.getByRole("button", { name: / …$/, disabled: false });
  const names = await asking.allTextContents();
  return [
    ...names.map((of) => ({
      of,
      open: () => page.getByRole("button", { name: of, exact: true }).click(),
    })),
    ...keys.map((of) => ({ of, open: () => page.keyboard.press(of) })),
  ];
}

const refusal = {
  ...{
    title: "unavailable",
    message: "the store is unreachable: try again later",
    request_id: "r-1",
  },
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
