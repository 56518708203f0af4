import { readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";

/**
 * Takes the screenshot in the README: an order that waits, on this laptop's Slipway (`npm run
 * dev`). Requires Debian's Chromium.
 */

interface Dev {
  console: string;
  api: string;
  sim: string;
  tokens: Record<string, string>;
}
const data = process.env.SLIPWAY_DATA ?? ".local";
const dev = JSON.parse(readFileSync(join(data, "dev.json"), "utf8")) as Dev;

const ask = async (url: string, body: object, token?: string): Promise<{ id: string }> => {
  const answer = await fetch(url, {
    method: "POST",
    headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url}: ${await answer.text()}`);
  return (await answer.json()) as { id: string };
};

await ask(`${dev.sim}/faults`, { target: "dns", fault: "error", status: 503, count: 0 });
const order = { metadata: { name: "shop" }, spec: { template: { id: "ocp_4_17_small" } } };
const token = dev.tokens["tenant-a"];
const { id } = await ask(`${dev.api}/api/fulfillment/v1/clusters`, order, token);

const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});
const page = await browser.newPage({
  viewport: { width: 1440, height: 820 },
  colorScheme: "light",
});
await page.goto(`${dev.console}orders/clusters/${id}`);
await page.getByRole("button", { name: /^admin / }).click();
await page.getByText("(503)").first().waitFor({ timeout: 120_000 });
await page.waitForTimeout(3000);
await page.screenshot({ path: "docs/console.png" });
await browser.close();
await fetch(`${dev.sim}/faults`, { method: "DELETE" });
