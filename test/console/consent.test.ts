import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { hasBrowser, sharedBrowser } from "../support/browser.ts";
import { violations, violationsInThemes, visit } from "../support/console.ts";
import { operationIn, sharedDev, until } from "../support/dev-process.ts";
import { eventually } from "../support/eventually.ts";
import { sshKey } from "../support/orders.ts";
import { lookedAt } from "./looked-at.ts";
import { everyWay } from "./screens.ts";
import { nothing } from "./worlds.ts";

/** A tenant's consent to what its provider asks for, on servers with DPUs. Skipped where there is no Chromium. */

describe.skipIf(!hasBrowser)("the console (needs /usr/bin/chromium)", () => {
  const slipway = sharedDev({ speed: 600, env: { SLIPWAY_SERVERS: "dpus" } });
  const browser = sharedBrowser();
  let server = "";
  beforeAll(async () => {
    const { api, admin, succeeded } = slipway();
    const made = async (plural: string, name: string, spec: object) => {
      const { body, headers } = await api("POST", plural, { metadata: { name }, spec });
      await succeeded(operationIn(headers));
      return String(body.id);
    };
    const network_class = { id: "overlay" };
    await made("virtual_networks", "shop", { ipv4_cidr: "10.20.0.0/16", network_class });
    await made("subnets", "web", { virtual_network: "shop", ipv4_cidr: "10.20.1.0/24" });
    await until(async () => {
      const { body } = await admin(
        "GET",
        "hosts?filter=this.status.state == 'HOST_STATE_AVAILABLE'",
      );
      return body.total > 0;
    }, "a host with its DPUs");
    server = await made("baremetal_instances", "db-1", {
      ...{ catalog_item: { id: "rhel-server" }, ssh_public_key: sshKey("ann") },
      network_attachments: [{ subnet: "web" }],
    });
  });
  const statusOf = async () =>
    (await slipway().api("GET", `baremetal_instances/${server}`)).body.status;
  const maintenanceOf = async () =>
    (await statusOf()).conditions.find(({ type }: { type: string }) =>
      type.endsWith("_MAINTENANCE"),
    );

  it("tells a tenant what its provider asks for, and takes each consent", async () => {
    const { admin } = slipway();
    const { page } = await visit(browser(), slipway(), "tenant-a-user", {
      path: `/orders/baremetal_instances/${server}`,
    });
    await page.getByText("● Running").waitFor();
    expect(await page.getByRole("heading", { name: "Your provider asks" }).count()).toBe(0);
    const [{ id: host }] = (await admin("GET", "hosts?filter=has(this.status.owner)")).body.items;
    expect((await admin("POST", `hosts/${host}/reprovision`)).status).toBe(200);
    await eventually(async () => expect((await maintenanceOf()).reason).toBe("ConsentAwaited"));
    // What is at rest is read again each minute where the watch has told nothing.
    const asks = page.getByRole("heading", { name: "Your provider asks" });
    await asks.waitFor({ timeout: 90_000 });
    const { message } = await maintenanceOf();
    await page.getByText(message).first().waitFor();
    expect(await violations(page)).toEqual([]);

    const given = (repair: object) =>
      eventually(async () => expect((await statusOf()).repair).toMatchObject(repair));
    await page.getByText("In a window").click();
    const { headers } = await slipway().api("GET", "capabilities");
    const from = new Date(Date.parse(headers.get("date") ?? "") + 10 * day);
    await fillTime(page, "It may begin from", from);
    await fillTime(page, "and until", new Date(from.getTime() + day));
    await page.getByRole("button", { name: "Begin in the window" }).click();
    await given({ consent: "window" });
    expect(Date.parse((await statusOf()).repair.from)).toBe(minuteOf(from));
    await page.getByRole("button", { name: "With its next restart" }).click();
    await given({ consent: "on_restart" });
    await page.getByRole("button", { name: "Take it back" }).click();
    await eventually(async () => expect((await maintenanceOf()).reason).toBe("ConsentAwaited"));
    await page.getByRole("button", { name: "Take it back" }).waitFor({ state: "hidden" });

    await page.getByRole("button", { name: "Begin now …" }).click();
    expect(await violationsInThemes(page)).toEqual([]);
    await page.getByRole("dialog").getByRole("button", { name: "Begin now" }).click();
    await page.getByRole("heading", { name: "Reinstall DPUs" }).waitFor();
    await asks.waitFor({ state: "hidden", timeout: 90_000 });
    await page.getByText("● Running").waitFor();
    expect((await maintenanceOf()).reason).toBe("NoMaintenance");
    await page.context().close();
  });

  it("is for everybody: a server that runs, its host, and its DPUs", async () => {
    const { admin } = slipway();
    const [{ id: host }] = (await admin("GET", "hosts?filter=has(this.status.owner)")).body.items;
    const [{ id: dpu }] = (await admin("GET", `dpus?filter=this.spec.host == '${host}'`)).body
      .items;
    const paths = {
      "tenant-a-user": [`/orders/baremetal_instances/${server}`, "/servers"],
      admin: [`/orders/hosts/${host}`, `/orders/dpus/${dpu}`, "/hosts", "/orders?kind=dpus"],
    } as const;
    const faults: string[] = [];
    for (const of of ["tenant-a-user", "admin"] as const) {
      const visited = await visit(browser(), slipway(), of);
      for (const path of paths[of]) {
        const ways = everyWay({ of, screen: `with DPUs ${path}`, state: "full", path: () => path });
        const found = await lookedAt(visited, ways, nothing);
        faults.push(...found.map((fault) => `${path}: ${fault}`));
      }
      await visited.page.context().close();
    }
    expect(faults).toEqual([]);
  });
});

const day = 24 * 60 * 60_000;
const minuteOf = (time: Date): number => Math.floor(time.getTime() / 60_000) * 60_000;

/** A time as a person of this machine's zone writes it. */
async function fillTime(page: Page, label: string, time: Date): Promise<void> {
  const local = new Date(minuteOf(time) - time.getTimezoneOffset() * 60_000);
  await page.getByLabel(label).fill(local.toISOString().slice(0, 16));
}
