import type { Page } from "playwright-core";
import { launch } from "../test/support/browser.ts";
import { go, signIn } from "../test/support/console.ts";
import { type DevProcess, startDev } from "../test/support/dev-process.ts";

/** Milliseconds above which people notice a blocked page, as in the browser's definition of a long task. */
const long = 50;

/** Records long tasks in the browser from the page's start. */
const noting = `
  globalThis.tasks = [];
  new PerformanceObserver((list) => globalThis.tasks.push(...list.getEntries()))
    .observe({ type: "longtask", buffered: true });`;

/**
 * `npm run bench -- console`: what blocks the console's pages with 1,000 orders and 1,000 hosts, by the browser's
 * long-task entries (`-- console 100`: 100 of each). `blocked_ms` is the time of tasks beyond 50 ms each.
 */
export async function bench(): Promise<void> {
  const count = Number(process.argv[3] ?? 1000);
  const ends: (() => Promise<void> | void)[] = [];
  try {
    const env = { SLIPWAY_TENANT_RATE: "100000", SLIPWAY_USER_RATE: "100000" };
    const slipway = await startDev({ speed: 1, env, onEnd: (end) => void ends.push(end) });
    await fill(slipway, count);
    const browser = await launch();
    ends.push(() => browser.close());
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.addInitScript(noting);
    const measured = await walk(page, slipway);
    console.table(measured);
    console.log(JSON.stringify({ orders: count, hosts: count, measured }));
  } finally {
    for (const end of ends.toReversed()) await end();
  }
}

/** Creates orders, most of which wait for hosts, and hosts that are not switched on. */
async function fill({ order, admin }: DevProcess, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    await order(`order-${n}`);
    const digits = n.toString(16).padStart(4, "0");
    const mac = `52:54:01:00:${digits.slice(0, 2)}:${digits.slice(2)}`;
    const { status, body } = await admin("POST", "hosts", {
      metadata: { name: `host-${n}` },
      spec: {
        ...{ host_type: "h100", hub: "hub-a" },
        bmc: { address: `redfish://10.9.${n >> 8}.${n & 255}/redfish/v1/Systems/1` },
        nics: [{ name: "eno1", mac, switch: `leaf-${n % 40}`, port: `Ethernet${n}` }],
      },
    });
    if (status !== 200) throw new Error(`a host was refused: ${JSON.stringify(body)}`);
  }
}

async function walk(page: Page, { dev }: DevProcess) {
  await page.goto(dev.console ?? dev.api);
  await signIn(page, "admin");
  await page.getByRole("heading", { name: "Runs out next" }).waitFor();
  const rows = page.getByRole("row");
  const scenes: Record<string, () => Promise<unknown>> = {
    "open Now": () => page.reload().then(() => page.getByText("Runs out next").waitFor()),
    "open the orders": () => go(page, "/orders").then(() => rows.nth(50).waitFor()),
    "the next page": () =>
      page
        .getByRole("button", { name: "Next" })
        .click()
        .then(() => page.getByText("51 to 100").waitFor()),
    "those that wait": () =>
      page
        .getByRole("button", { name: "Waiting" })
        .click()
        .then(() => page.getByText("1 to 50 of").waitFor()),
    "be read again for 20 s": () => page.waitForTimeout(20_000),
    "open the hosts": () => go(page, "/hosts?view=table").then(() => rows.nth(50).waitFor()),
    "find a host": () => page.getByLabel("Find").pressSequentially("host-99"),
    "hosts read again for 20 s": () => page.waitForTimeout(20_000),
  };
  const measured = [];
  for (const [scene, act] of Object.entries(scenes)) {
    await page.evaluate("globalThis.tasks.length = 0");
    await act();
    await page.waitForTimeout(1000);
    const tasks = await page.evaluate<number[]>("tasks.map(({ duration }) => duration)");
    const sum = (all: number[]) => Math.round(all.reduce((total, each) => total + each, 0));
    measured.push({
      scene,
      long_tasks: tasks.length,
      longest_ms: Math.round(Math.max(0, ...tasks)),
      blocked_ms: sum(tasks.map((duration) => duration - long)),
    });
  }
  return measured;
}
