import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { hasBrowser, sharedBrowser } from "../support/browser.ts";
import { askedElsewhere, go, kept, violationsInThemes, visit } from "../support/console.ts";
import { sharedDev } from "../support/dev-process.ts";

/** What tenants make for themselves in the console, from nothing. Skipped where there is no Chromium. */

describe.skipIf(!hasBrowser)("the console (needs /usr/bin/chromium)", () => {
  const slipway = sharedDev();
  const browser = sharedBrowser();

  /** Has a shell judge what the command beside a form would make. */
  const judged = async (page: Page) => {
    const { dev } = slipway();
    const command = (await page.locator("pre.command").textContent()) ?? "";
    const lines = [
      `slipway() { ${process.execPath} cli/slipway.js "$@"; }`,
      `${command.replace(/ \\\n {2}--wait$/, "")} --dry-run`,
    ];
    const env = { ...process.env, SLIPWAY_URL: dev.api, SLIPWAY_TOKEN: dev.tokens["tenant-a"] };
    const { status, stderr } = spawnSync("bash", ["-c", lines.join("\n")], {
      ...{ encoding: "utf8", env },
    });
    expect(status, `${command}\n${stderr}`).toBe(0);
  };

  it("leads a tenant who has no network from a new server to a network, a subnet, a security group and back", async () => {
    const visited = await visit(browser(), slipway(), "tenant-a-user", { path: "/servers/new" });
    const { page } = visited;
    await page.getByRole("link", { name: "New subnet" }).click();
    await page.getByText("You have no network yet").waitFor();
    await page.getByRole("main").getByRole("link", { name: "New network" }).click();

    await page.getByLabel("Name").fill("shop");
    // The API's own sentence, as it is written.
    await page.getByText("needs ipv4_cidr or ipv6_cidr").first().waitFor();
    await page.getByLabel("IPv4 prefix").fill("10.20.0.0/16");
    await page.getByText("It can be ordered.").waitFor();
    await page.getByText("--ipv4-cidr 10.20.0.0/16").waitFor();
    await judged(page);
    expect(await violationsInThemes(page)).toEqual([]);
    await page.getByRole("button", { name: "Order", exact: true }).click();
    await page.getByRole("heading", { name: "shop" }).waitFor();
    await page.getByText("● Ready").first().waitFor({ timeout: 60_000 });

    await go(page, "/networks");
    await page.getByRole("link", { name: "New subnet" }).click();
    await page.getByLabel("Name").fill("web");
    await page.getByText("A part of 10.20.0.0/16.").waitFor();
    // Named by nobody, Slipway chooses one.
    await page.getByText("It can be ordered, with 10.20.0.0/24.").waitFor();
    await page.getByLabel("IPv4 prefix").fill("10.30.1.0/24");
    await page.getByText("10.30.1.0/24 is not within 10.20.0.0/16").first().waitFor();
    const order = page.getByRole("button", { name: "Order", exact: true });
    expect(await order.isDisabled()).toBe(true);
    await page.getByLabel("IPv4 prefix").fill("10.20.1.0/24");
    await page.getByText("It can be ordered, with 10.20.1.0/24.").waitFor();
    await judged(page);
    expect(await violationsInThemes(page)).toEqual([]);
    await order.click();
    await page.getByRole("heading", { name: "web" }).waitFor();
    await page.getByText("● Ready").first().waitFor({ timeout: 60_000 });

    await go(page, "/networks/new-group");
    await page.getByLabel("Name").fill("web");
    await page.getByText("It can be ordered.").waitFor();
    for (const wrong of ["443-x", "443-444-445"]) {
      await page.getByLabel("Ports").fill(wrong);
      await page.getByText(`"port_to":"${wrong.slice(4)}"`).waitFor();
      await page.getByText("spec.ingress[0].port_to").first().waitFor();
    }
    await page.getByLabel("Ports").fill("443-444");
    await page.getByRole("button", { name: "Add a rule" }).click();
    const second = page.getByRole("group", { name: "Rule 2" });
    await second.getByLabel("Way").selectOption("out, from its members");
    await second.getByLabel("Protocol").selectOption("all");
    await second.getByLabel("Other end").fill("::/0");
    await page.getByText("spec.egress").first().waitFor();
    await page.getByText("It can be ordered.").waitFor();
    await judged(page);
    expect(await violationsInThemes(page)).toEqual([]);
    await order.click();
    await page.getByRole("heading", { name: "web" }).waitFor();
    await page.getByRole("row", { name: "in TCP 443–444 0.0.0.0/0" }).waitFor();
    await page.getByRole("row", { name: "out ALL all ::/0" }).waitFor();
    await page.getByText("● Ready").first().waitFor({ timeout: 60_000 });

    await go(page, "/servers/new");
    await page.getByRole("option", { name: "web, shop (10.20.1.0/24)" }).waitFor({
      state: "attached",
    });
    expect(visited.complaints).toEqual([]);
    expect(askedElsewhere(visited, slipway())).toEqual([]);
    await page.context().close();
  });

  it("makes a webhook, hands over its secrets as files alone, tries, stops and deletes it", async () => {
    const visited = await visit(browser(), slipway(), "tenant-a-user", { path: "/webhooks" });
    const { page } = visited;
    await page.getByRole("link", { name: "New webhook" }).click();
    await page.getByLabel("Name").fill("portal");
    await page.getByLabel("Where events are sent").fill("http://portal.example.com/");
    await page.getByText("spec.url").first().waitFor();
    await page.getByLabel("Where events are sent").fill("https://portal.example.com/");
    await page.getByLabel("Types of events").fill("slipway.cluster.*\nslipway.operation.*");
    await page.getByText("It can be created.").waitFor();
    await judged(page);
    expect(await violationsInThemes(page)).toEqual([]);
    const secrets: string[] = [];
    const handed = async (button: () => Promise<void>) => {
      const download = page.waitForEvent("download");
      await button();
      const file = await download;
      expect(file.suggestedFilename()).toBe("portal.secret");
      const secret = readFileSync(await file.path(), "utf8");
      expect(secret).toMatch(/^whsec_/);
      expect(secrets).not.toContain(secret);
      secrets.push(secret);
    };
    await handed(() => page.getByRole("button", { name: "Create", exact: true }).click());
    await page.getByRole("heading", { name: "portal" }).waitFor();
    await page.getByText("slipway.cluster.*, slipway.operation.*").waitFor();

    await page.getByRole("button", { name: "Send a test" }).click();
    await page.getByText("The test was not delivered: ").waitFor();
    await page.getByRole("button", { name: "New secret …" }).click();
    expect(await violationsInThemes(page)).toEqual([]);
    await handed(() =>
      page.getByRole("dialog").getByRole("button", { name: "New secret" }).click(),
    );
    const seen = await kept(visited);
    for (const secret of secrets) expect(seen).not.toContain(secret);

    await page.getByRole("button", { name: "Disable" }).click();
    await page.getByText("Disabled").waitFor();
    await page.getByRole("button", { name: "Enable" }).waitFor();
    await page.getByRole("button", { name: "Delete …" }).click();
    await page.getByLabel("Type portal to delete it").fill("portal");
    await page.getByRole("dialog").getByRole("button", { name: "Delete webhook" }).click();
    await page.getByText("You have no webhook yet.").waitFor();
    expect((await slipway().api("GET", "webhooks")).body.total).toBe(0);
    // The event of its end has its deliveries read once more.
    const others = visited.complaints.filter((each) => !each.endsWith("/deliveries"));
    expect(others).toEqual([]);
    await page.context().close();
  });
});
