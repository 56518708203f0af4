import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll } from "vitest";

/** Debian's Chromium, for tests of pages; they are skipped where there is none. */

const executablePath = "/usr/bin/chromium";
const args = [
  ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"],
  ...["--disable-background-networking", "--disable-component-update"],
];

export const hasBrowser = existsSync(executablePath);
if (!hasBrowser) console.log(`tests of pages are skipped: there is no ${executablePath}`);

export const launch = (): Promise<Browser> => chromium.launch({ executablePath, args });

/** One browser for the tests of a file. */
export function sharedBrowser(): () => Browser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser?.close());
  return () => {
    if (!browser) throw new Error("the browser has not started");
    return browser;
  };
}
