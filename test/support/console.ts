import { readFileSync } from "node:fs";
import type { AxeResults } from "axe-core";
import type { Browser, BrowserContextOptions, Locator, Page, Request } from "playwright-core";
import type { DevProcess } from "./dev-process.ts";

/** The console in a browser, on a laptop's Slipway. */

const axeSource = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");

export interface Visit {
  page: Page;
  /** What the browser complained of. */
  complaints: string[];
  /** What the page asked for, of whomever. */
  asked: Set<string>;
  /** What it has asked for and not been answered yet, but for the watch, which waits. */
  open: Set<Request>;
  /** The bytes of scripts as they came, by URL. */
  scripts: Map<string, number>;
}

/** Who does not sign in. */
export const nobody = "nobody";

/** A watch waits for what happens, however long that takes. */
export const isWatch = (request: Request): boolean => isWatched(request.url());

const isWatched = (url: string): boolean => /\/api\/(events|private\/v1\/events)\//.test(url);

/** A visit of somebody who signs in, at this page. */
export async function visit(
  browser: Browser,
  { dev }: DevProcess,
  person: string,
  { path = "/", ...options }: BrowserContextOptions & { path?: string } = {},
): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  // Scripts of the page alone: what checks it is put beside it.
  await context.addInitScript(axeSource);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const seen: Visit = {
    page,
    complaints: [],
    asked: new Set(),
    open: new Set(),
    scripts: new Map(),
  };
  page.on("request", (request) => {
    seen.asked.add(request.url());
    if (!isWatch(request)) seen.open.add(request);
  });
  const answered = (request: Request) => void seen.open.delete(request);
  page.on("requestfinished", answered);
  page.on("requestfailed", answered);
  page.on("response", async (response) => {
    if (response.request().resourceType() !== "script") return;
    const body = await response.body().catch(() => Buffer.alloc(0));
    seen.scripts.set(response.url(), body.length);
  });
  page.on("console", (message) => {
    // The browser notes each refusal, and an order that is judged as it is written is refused at first.
    const { url } = message.location();
    const isJudged = url.endsWith("dry_run=true");
    if (message.type() === "error" && !isJudged) seen.complaints.push(`${message.text()} ${url}`);
  });
  page.on("pageerror", ({ message }) => seen.complaints.push(message));
  if (person === nobody) await trustTwo(page);
  await page.goto(new URL(path, dev.console ?? dev.api).href);
  if (person === nobody) await page.getByRole("button", { name: "Sign in at " }).first().waitFor();
  else await signIn(page, person);
  return seen;
}

/** Has the API trust a second issuer, so that the console asks at which one to sign in, and leads to none by itself. */
const trustTwo = (page: Page): Promise<unknown> =>
  page.route("**/v1/capabilities", async (route) => {
    const response = await route.fetch();
    const json = (await response.json()) as { authn: { trusted_token_issuers: string[] } };
    json.authn.trusted_token_issuers.push("https://login.example.com");
    await route.fulfill({ response, json });
  });

/** Signs in at the laptop's issuer, to which the console leads by itself. */
export async function signIn(page: Page, person: string): Promise<void> {
  await page.getByRole("button", { name: new RegExp(`^${person} `) }).click();
  await page.getByRole("navigation", { name: "Places" }).waitFor();
}

/** Goes to another page of the console, as a link does. */
export async function go(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, "", ${JSON.stringify(path)})`);
  await page.evaluate(`dispatchEvent(new PopStateEvent("popstate"))`);
  await page.locator("main h1").waitFor();
}

/** Waits until a page has nothing more to ask. */
export async function settled({ page, open }: Visit): Promise<void> {
  for (let quiet = 0; quiet < 5; quiet = open.size === 0 ? quiet + 1 : 0)
    await page.waitForTimeout(30);
}

/** Waits until a page follows what happens, or has since it was opened: of one tenant, where it is named. */
export async function followed({ page, asked }: Visit, tenant = ""): Promise<void> {
  while (![...asked].some((url) => isWatched(url) && url.includes(tenant)))
    await page.waitForTimeout(30);
}

/** What a page asked for elsewhere than at the laptop's API and issuer. */
export const askedElsewhere = ({ asked }: Visit, { dev: { api, issuer } }: DevProcess): string[] =>
  [...asked].filter((url) => ![api, issuer].includes(new URL(url).origin));

/** How `kept` says that there is neither a database nor a cache, in which anything could be. */
export const nothingKept = '"databases":[],"caches":[]';

/** What a page shows, what is written in its fields, and all that it and the browser keep of it. */
export async function kept({ page, asked }: Visit): Promise<string> {
  const inBrowser = await page.evaluate<string>(`(async () => JSON.stringify([
    [...document.querySelectorAll("input, textarea")].map(({ value }) => value),
    { ...localStorage }, { ...sessionStorage }, document.cookie, location.href, history.state,
    { databases: await indexedDB.databases(), caches: await caches.keys() },
  ]))()`);
  return [await page.content(), inBrowser, ...asked].join("\n");
}

const rules = {
  all: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  /** Of these, the ones that colours and widths decide: the document is the same in each look. */
  ofLooks: ["color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size"],
};

/** What axe finds wrong with a page, in words. */
export async function violations(page: Page, which: keyof typeof rules = "all"): Promise<string[]> {
  const { violations: found } = await page.evaluate<AxeResults>(
    `axe.run(document, { runOnly: ${JSON.stringify(rules[which])} })`,
  );
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary}`),
  );
}

/** What axe finds wrong with what is open on a page, in light and in dark. */
export async function violationsInThemes(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    found.push(...(await violations(page)).map((each) => `${colorScheme}: ${each}`));
  }
  return found;
}

/** The heading of the page Now, once it is read: how many things need an operator. */
export const inbox = (page: Page): Locator =>
  page.getByRole("heading", {
    level: 1,
    name: /^(Nothing needs|1 thing needs|\d+ things need) you$/,
  });
