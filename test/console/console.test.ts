import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { hasBrowser, sharedBrowser } from "../support/browser.ts";
import { go, violations, visit } from "../support/console.ts";
import { operationIn, sharedDev } from "../support/dev-process.ts";

/** The console as people use it. Skipped where there is no Chromium. */

const timeout = 240_000;

describe.skipIf(!hasBrowser)("the console (needs /usr/bin/chromium)", { timeout }, () => {
  const slipway = sharedDev();
  const browser = sharedBrowser();

  it("orders a cluster from the template's form, and shows it become READY, step by step", async () => {
    const { page, complaints, origins } = await visit(browser(), slipway(), "tenant-a-user", {
      path: "/new",
    });
    await page.getByLabel("Name").fill("from-the-console");
    await page.getByText("--template").waitFor();
    await page.getByRole("button", { name: "Order", exact: true }).click();
    await page.getByRole("heading", { name: "from-the-console" }).waitFor();
    await page.getByRole("list", { name: "Steps" }).waitFor();
    await page.getByRole("heading", { name: "Reserve capacity" }).waitFor();
    await page.getByText("● READY").first().waitFor({ timeout: 120_000 });
    expect(await page.getByText("API URL").isVisible()).toBe(true);
    expect(complaints).toEqual([]);
    const { api, issuer } = slipway().dev;
    expect([...origins].filter((origin) => ![api, issuer].includes(origin))).toEqual([]);
    await page.context().close();
  });

  it("says why a name is refused as it is typed, and orders nothing", async () => {
    const { page } = await visit(browser(), slipway(), "tenant-a-user", { path: "/new" });
    await page.getByLabel("Name").fill("Not A Name");
    await page.getByRole("alert").getByText("metadata.name", { exact: true }).waitFor();
    expect(await page.getByRole("button", { name: "Order", exact: true }).isDisabled()).toBe(true);
    await page.context().close();
  });

  it("shows the sentence that the API has for what waits, until it goes on", async () => {
    const { sim, api, order, succeeded } = slipway();
    await sim("POST", "faults", { target: "fabric", fault: "error", status: 503, count: 0 });
    const { id, operation } = await order("waits");
    const { page } = await visit(browser(), slipway(), "tenant-a-user", {
      path: `/orders/clusters/${id}`,
    });
    await page.getByText("injected fault").first().waitFor();
    const { body } = await api("GET", `clusters/${id}`);
    const [wait] = body.status.waiting;
    expect(await page.getByText(wait.message).first().isVisible()).toBe(true);
    await sim("DELETE", "faults");
    await succeeded(operation);
    await page.getByText("● READY").first().waitFor();
    await page.context().close();
  });

  it("resizes and upgrades a cluster, and hands out its kubeconfig without showing it", async () => {
    const { order, succeeded, api } = slipway();
    const { id, operation } = await order("grows");
    await succeeded(operation);
    const { page } = await visit(browser(), slipway(), "tenant-a-user", {
      path: `/orders/clusters/${id}`,
    });
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download the kubeconfig" }).click();
    const kubeconfig = readFileSync(await (await download).path(), "utf8");
    const [, key = ""] = /token: "?([^"\s]+)/.exec(kubeconfig) ?? [];
    expect(key).not.toBe("");
    expect(await page.content()).not.toContain(key);
    await page.getByLabel("Nodes in workers").fill("3");
    await page.getByText("slipway cluster scale grows workers=3").waitFor();
    await page.getByRole("button", { name: "Resize" }).click();
    const workers = page.getByRole("row", { name: "workers fc430 3 3" });
    await workers.waitFor();
    const upgrade = page.getByRole("button", { name: /^Upgrade to / }).first();
    const [, , version = ""] = (await upgrade.textContent())?.split(" ") ?? [];
    await upgrade.click();
    await page.getByRole("dialog").getByRole("button", { name: "Upgrade" }).click();
    await page.getByRole("definition").getByText(version, { exact: true }).waitFor();
    const { body } = await api("GET", `clusters/${id}`);
    expect(body.spec.node_sets.workers.size).toBe(3);
    expect(body.status.version).toBe(version);
    await page.context().close();
  });

  it("is walked by keys alone: to a page, through its table, and to an object by its name", async () => {
    const { order } = slipway();
    await order("by-keys");
    const { page } = await visit(browser(), slipway(), "admin");
    await page.getByRole("heading", { name: "Now" }).waitFor();
    await page.keyboard.press("?");
    await page.getByRole("heading", { name: "Keys" }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("g");
    await page.keyboard.press("s");
    await page.getByRole("heading", { name: "Hosts" }).waitFor();
    await page.getByRole("link", { name: "fc430-a-01" }).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("fc430-a-0");
    await page.keyboard.press("Tab");
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    const host = await page.locator(":focus").textContent();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: host ?? "", level: 1 }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog", { name: "Go to" }).waitFor();
    await page.keyboard.type("by-k");
    await page.getByRole("option", { name: "by-keys cluster of tenant-a" }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "by-keys", level: 1 }).waitFor();
    await page.context().close();
  });

  it("orders a server into a subnet, with the command that does the same, and says why it failed", async () => {
    const { api, succeeded } = slipway();
    const made = async (plural: string, body: object) => {
      const { headers } = await api("POST", plural, body);
      await succeeded(operationIn(headers));
    };
    const network = { metadata: { name: "shop" }, spec: { ipv4_cidr: "10.20.0.0/16" } };
    await made("virtual_networks", network);
    const spec = { virtual_network: "shop", ipv4_cidr: "10.20.1.0/24" };
    await made("subnets", { metadata: { name: "web" }, spec });
    const { page } = await visit(browser(), slipway(), "tenant-a-user", { path: "/servers" });
    await page.getByRole("link", { name: "New server" }).click();
    await page.getByLabel("Name").fill("db-1");
    await page.getByLabel("Subnet").selectOption({ label: "web, shop (10.20.1.0/24)" });
    // Nobody could log in: the API says so before it is ordered.
    await page.getByRole("alert").getByText("spec.ssh_public_key", { exact: true }).waitFor();
    await page.getByLabel("SSH public key").fill("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPtSt me");
    await page.getByText("It can be ordered.").waitFor();
    expect(await page.getByText("slipway baremetal-instance create db-1").textContent()).toContain(
      "--set 'spec.ssh_public_key=ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPtSt me'",
    );
    await page.getByRole("button", { name: "Order", exact: true }).click();
    await page.getByRole("button", { name: "Try again" }).waitFor();
    const { body } = await api("GET", "baremetal_instances");
    const [{ status }] = body.items;
    expect(await page.getByRole("alert").textContent()).toContain(status.failure.message);
    await page.context().close();
  });

  it("deletes a cluster once its name is typed", async () => {
    const { order, succeeded, api } = slipway();
    const { id, operation } = await order("goes");
    await succeeded(operation);
    const { page } = await visit(browser(), slipway(), "tenant-a-user", {
      path: `/orders/clusters/${id}`,
    });
    await page.getByRole("button", { name: "Delete …" }).click();
    const really = page.getByRole("button", { name: "Delete", exact: true });
    expect(await really.isDisabled()).toBe(true);
    await page.getByLabel("Its name, to be sure").fill("goes");
    await really.click();
    await page.getByRole("heading", { name: "Clusters" }).waitFor();
    const { status, body } = await api("GET", `clusters/${id}`);
    expect(status === 404 || body.metadata.deletion_timestamp !== undefined).toBe(true);
    await page.context().close();
  });

  it("shows a tenant nothing of another's", async () => {
    const { order } = slipway();
    const { id } = await order("not-yours");
    const { page } = await visit(browser(), slipway(), "tenant-b-user", {
      path: `/orders/clusters/${id}`,
    });
    await page.getByRole("heading", { name: "Nothing here" }).waitFor();
    await go(page, "/orders");
    await page.getByText("There is no cluster yet").waitFor();
    expect(await page.content()).not.toContain("not-yours");
    await page.context().close();
  });

  it("keeps no token and no secret in the page or in storage, and signs in again by itself", async () => {
    const { page } = await visit(browser(), slipway(), "admin");
    await page.getByRole("heading", { name: "Now" }).waitFor();
    const kept = () =>
      page.evaluate<string>(
        "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])",
      );
    expect(await kept()).not.toMatch(/eyJ|BEGIN|password/i);
    expect(await page.content()).not.toMatch(/eyJhbGci|BEGIN|"auths"/);
    await page.reload();
    await page.getByRole("heading", { name: "Now" }).waitFor();
    expect(await kept()).not.toMatch(/eyJ|code=|state=/);
    await page.context().close();
  });

  it("says so when the API is away, with the age of what it shows", async () => {
    const { page } = await visit(browser(), slipway(), "admin");
    await page.getByRole("heading", { name: "Runs out next" }).waitFor();
    await page.route("**/api/**", (route) => route.abort());
    await page.getByText("offline").waitFor();
    await page.getByText(/as of \d\d:\d\d:\d\d/).waitFor();
    expect(await page.getByRole("heading", { name: "Runs out next" }).isVisible()).toBe(true);
    await page.context().close();
  });

  it("loads at most 170 KB of scripts before the first page", async () => {
    const { page, scripts } = await visit(browser(), slipway(), "admin");
    await page.getByRole("heading", { name: "Now" }).waitFor();
    const packed = await Promise.all(
      [...scripts.keys()].map(
        async (url) => gzipSync(Buffer.from(await (await fetch(url)).arrayBuffer())).length,
      ),
    );
    const sum = packed.reduce((total, size) => total + size, 0);
    expect(sum).toBeGreaterThan(0);
    expect(sum).toBeLessThan(170 * 1024);
    await page.context().close();
  });

  const screens = {
    admin: [
      "/",
      "/orders",
      "/orders?kind=baremetal_instances",
      "/hubs",
      "/hubs/hub-a/drain",
      "/hosts",
      "/sites",
      "/tenants",
      "/catalog",
      "/audit",
      "/nowhere",
    ],
    "tenant-a-user": [
      "/orders",
      "/new",
      "/servers",
      "/servers/new",
      "/networks",
      "/catalog",
      "/webhooks",
    ],
  };
  const looks = (["light", "dark"] as const).flatMap((colorScheme) =>
    [1440, 390].map((width) => ({ colorScheme, width })),
  );

  it.each(looks)("is for everybody: $colorScheme, $width wide", async ({ colorScheme, width }) => {
    const { order } = slipway();
    const { id } = await order(`seen-${colorScheme}-${width}`);
    const faults: string[] = [];
    for (const [person, paths] of Object.entries(screens)) {
      const { page, complaints } = await visit(browser(), slipway(), person, {
        colorScheme,
        viewport: { width, height: 900 },
      });
      for (const path of [...paths, `/orders/clusters/${id}`]) {
        await go(page, path);
        await page
          .getByText(/^(Reading|Searching) /)
          .first()
          .waitFor({ state: "hidden" });
        faults.push(...(await violations(page)).map((fault) => `${person} ${path}: ${fault}`));
      }
      faults.push(...complaints);
      await page.context().close();
    }
    expect(faults).toEqual([]);
  });
});
