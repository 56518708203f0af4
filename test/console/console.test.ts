import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { hasBrowser, sharedBrowser } from "../support/browser.ts";
import { go, violations, visit } from "../support/console.ts";
import { type DevProcess, operationIn, sharedDev } from "../support/dev-process.ts";
import { eventually } from "../support/eventually.ts";
import { signingRequest } from "../support/signing-request.ts";

/** The console as people use it. Skipped where there is no Chromium. */

const timeout = 240_000;

describe.skipIf(!hasBrowser)("the console (needs /usr/bin/chromium)", { timeout }, () => {
  const slipway = sharedDev();
  const browser = sharedBrowser();

  it("orders a cluster, shows it become READY step by step, lets its tenant in, resizes, upgrades and deletes it", async () => {
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

    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download the kubeconfig" }).click();
    const kubeconfig = readFileSync(await (await download).path(), "utf8");
    const [, secret = ""] = /token: "?([^"\s]+)/.exec(kubeconfig) ?? [];
    expect(secret).not.toBe("");
    expect(await page.content()).not.toContain(secret);

    await page.getByText("A certificate of 24 hours").click();
    await page.getByLabel("The request, ").fill(await signingRequest("tenant-a-user"));
    const issued = page.waitForEvent("download");
    await page.getByRole("button", { name: "Have it signed" }).click();
    const own = readFileSync(await (await issued).path(), "utf8");
    expect(own).toContain("client-certificate-data");
    const certificates = page.getByRole("region", { name: "Certificates" });
    await certificates.getByText("● ISSUED").waitFor();
    await page.getByRole("button", { name: "Revoke all certificates …" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke all" }).click();
    await page.getByText(/^All certificates of before .* are invalid\.$/).waitFor();
    const [, certificate = ""] = /client-certificate-data: "?([^"\s]+)/.exec(own) ?? [];
    expect(await page.content()).not.toContain(certificate);

    await page.getByLabel("Nodes in workers").fill("3");
    await page.getByText("slipway cluster scale from-the-console workers=3").waitFor();
    await page.getByRole("button", { name: "Resize" }).click();
    await page.getByRole("row", { name: "workers fc430 3 3" }).waitFor();
    // An upgrade is refused while the resizing is still under way.
    await page.getByRole("heading", { name: /^Being changed/ }).waitFor({ state: "hidden" });
    const upgrade = page.getByRole("button", { name: /^Upgrade to / }).first();
    const [, , version = ""] = (await upgrade.textContent())?.split(" ") ?? [];
    await upgrade.click();
    await page.getByRole("dialog").getByRole("button", { name: "Upgrade" }).click();
    await page.getByRole("definition").getByText(version, { exact: true }).waitFor();
    const path = `clusters/${page.url().split("/").at(-1)}`;
    const changed = (await slipway().api("GET", path)).body;
    expect(changed.spec.node_sets.workers.size).toBe(3);
    expect(changed.status.version).toBe(version);

    await page.getByRole("button", { name: "Delete …" }).click();
    const really = page.getByRole("button", { name: "Delete", exact: true });
    expect(await really.isDisabled()).toBe(true);
    await page.getByLabel("Its name, to be sure").fill("from-the-console");
    await really.click();
    await page.getByRole("heading", { name: "Clusters" }).waitFor();
    const { status, body } = await slipway().api("GET", path);
    expect(status === 404 || body.metadata.deletion_timestamp !== undefined).toBe(true);

    const kept = await page.evaluate<string>(
      "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])",
    );
    expect(kept).not.toContain(secret);
    expect(complaints).toEqual([]);
    const { api, issuer } = slipway().dev;
    expect([...origins].filter((origin) => ![api, issuer].includes(origin))).toEqual([]);
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

  it("shows why an order is stuck, and goes on with it", async () => {
    const { sim, admin } = slipway();
    const id = await stuck(slipway(), "is-stuck");
    const { page } = await visit(browser(), slipway(), "admin", { path: `/orders/clusters/${id}` });
    const { body } = await admin("GET", `clusters/${id}`);
    const { failure } = (await admin("GET", `operations/${body.status.operation}`)).body.status;
    await page.getByText(failure.message).first().waitFor();
    await sim("DELETE", "faults");
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByRole("button", { name: "Try again" }).waitFor();
    const failed = (await admin("GET", `clusters/${id}`)).body.status.failure;
    expect(await page.getByRole("alert").textContent()).toContain(failed.message);
    await page.context().close();
  });

  it("shows each number of a pool: whose it is, and from where one wants to see them", async () => {
    const { order, succeeded, admin } = slipway();
    const { id, operation } = await order("has-numbers");
    await succeeded(operation);
    const { vlan } = (await admin("GET", `clusters/${id}`)).body.status.network;
    const { page } = await visit(browser(), slipway(), "admin", { path: "/sites" });
    await page.getByRole("link", { name: "vlans" }).click();
    await page.getByRole("heading", { name: "vlans of site-1" }).waitFor();
    await page.getByLabel("Begin at").fill(String(vlan));
    await page.getByRole("button", { name: "Go" }).click();
    const first = page.getByRole("region", { name: "Numbers" }).getByRole("row").nth(1);
    await first.getByText(String(vlan), { exact: true }).waitFor();
    expect(page.url()).toContain(`?from=${vlan}`);
    expect(await violations(page)).toEqual([]);
    await first.getByRole("link", { name: "tenant-a / has-numbers" }).click();
    await page.getByRole("heading", { name: "has-numbers", level: 1 }).waitFor();
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
    const kept = () => page.evaluate<string>(storage);
    expect(await kept()).not.toMatch(/eyJ|BEGIN|password/i);
    expect(await page.content()).not.toMatch(/eyJhbGci|BEGIN|"auths"/);
    await page.reload();
    await page.getByRole("heading", { name: "Now" }).waitFor();
    expect(await kept()).not.toMatch(/eyJ|code=|state=/);
    await page.context().close();
  });

  it("says at once when the API is away, with the age of what it shows, and reads it when it is back", async () => {
    const { page } = await visit(browser(), slipway(), "admin");
    await page.getByRole("heading", { name: "Runs out next" }).waitFor();
    const status = page.getByRole("navigation").getByRole("status");
    await page.context().setOffline(true);
    await status.getByText("offline").waitFor({ timeout: 3000 });
    await status.getByText(/as of \d\d:\d\d:\d\d/).waitFor();
    expect(await page.getByRole("heading", { name: "Runs out next" }).isVisible()).toBe(true);
    await page.context().setOffline(false);
    await status.getByText("offline").waitFor({ state: "hidden", timeout: 3000 });
    // The browser knows nothing of an API that is away: a request has to fail.
    await go(page, "/catalog");
    await page.route("**/api/**", (route) => route.abort());
    await status.getByText("offline").waitFor({ timeout: 15_000 });
    await page.unroute("**/api/**");
    await status.getByText("offline").waitFor({ state: "hidden", timeout: 15_000 });
    await page.context().close();
  });

  it("tells a tenant what its provider asks for, and takes the consent", async () => {
    const { api } = slipway();
    const { body } = await api("GET", "baremetal_instances");
    const [server] = body.items;
    const message = "the network cards (DPUs) of the server are to be installed anew";
    // A server with DPUs takes a long time to come into being: the API's answer is made to ask.
    const asked = {
      ...{ type: "BARE_METAL_INSTANCE_CONDITION_TYPE_MAINTENANCE", message },
      ...{ status: "CONDITION_STATUS_TRUE", reason: "ConsentGiven" },
      last_transition_time: server.metadata.creation_timestamp,
    };
    const conditions = [...server.status.conditions, asked];
    const shown = { ...server, status: { ...server.status, conditions } };
    const said: unknown[] = [];
    const { page } = await visit(browser(), slipway(), "tenant-a-user");
    await page.route(`**/baremetal_instances/${server.id}`, (route) =>
      route.fulfill({ json: shown }),
    );
    await page.route("**/maintenance", (route) => {
      said.push(route.request().postDataJSON());
      return route.fulfill({ json: shown });
    });
    await go(page, `/orders/baremetal_instances/${server.id}`);
    await page.getByRole("heading", { name: "Your provider asks" }).waitFor();
    await page.getByText(message).first().waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Begin now …" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Begin now" }).click();
    await page.getByText("In a window").click();
    await page.getByLabel("It may begin from").fill("2026-12-01T22:00");
    await page.getByLabel("and until").fill("2026-12-02T04:00");
    await page.getByRole("button", { name: "Begin in the window" }).click();
    await page.getByRole("button", { name: "With its next restart" }).click();
    await page.getByRole("button", { name: "Take it back" }).click();
    await eventually(() => expect(said).toHaveLength(4));
    expect(said).toEqual([
      { consent: "now" },
      {
        consent: "window",
        from: new Date("2026-12-01T22:00").toISOString(),
        until: new Date("2026-12-02T04:00").toISOString(),
      },
      { consent: "on_restart" },
      { consent: "none" },
    ]);
    await page.context().close();
  });

  it("says so when a page cannot be loaded, since its release is gone, and loads it again", async () => {
    const { page } = await visit(browser(), slipway(), "admin");
    await page.route("**/assets/catalog-*.js", (route) => route.abort());
    await go(page, "/catalog");
    await page.getByRole("heading", { name: "This page cannot be shown" }).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await page.getByRole("navigation", { name: "Places" }).isVisible()).toBe(true);
    await page.unroute("**/assets/catalog-*.js");
    await page.getByRole("button", { name: "Load it again" }).click();
    await page.getByRole("heading", { name: "Catalog" }).waitFor();
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
      "/sites/site-1/prefixes",
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
    // They have nothing.
    "tenant-b-user": ["/orders", "/servers", "/networks", "/webhooks"],
  };
  // Colours do not depend on the width, nor does what stands where on the colours.
  const looks = [
    { colorScheme: "light", width: 1440, rules: "all" },
    { colorScheme: "dark", width: 390, rules: "ofLooks" },
  ] as const;

  it("is for everybody: light and dark, wide and narrow, empty, busy, failed, stuck and offline", async () => {
    const { sim, order, dev } = slipway();
    const canaries = await withCanaries(slipway());
    const isFailed = await failed(slipway(), "seen-failed");
    const isStuck = await stuck(slipway(), "seen-stuck");
    await sim("POST", "faults", { target: "fabric", fault: "error", status: 503, count: 0 });
    const { id: isBusy } = await order("seen-busy");
    const orders = [isFailed, isStuck, isBusy].map((id) => `/orders/clusters/${id}`);
    const faults: string[] = [];
    for (const [person, paths] of Object.entries(screens)) {
      const { page, complaints, origins } = await visit(browser(), slipway(), person);
      const look = async (path: string) => {
        for (const { colorScheme, width, rules } of looks) {
          await page.emulateMedia({ colorScheme });
          await page.setViewportSize({ width, height: 900 });
          const found = await violations(page, rules);
          faults.push(...found.map((fault) => `${person} ${path} ${colorScheme}: ${fault}`));
        }
      };
      for (const path of [...paths, ...(person === "tenant-b-user" ? [] : orders)]) {
        await go(page, path);
        await page
          .getByText(/^(Reading|Searching) /)
          .first()
          .waitFor({ state: "hidden" });
        await look(path);
        const kept = (await page.content()) + (await page.evaluate<string>(storage));
        faults.push(...canaries.filter((each) => kept.includes(each)).map((each) => path + each));
      }
      faults.push(...complaints);
      await page.route("**/api/**", (route) => route.abort());
      await go(page, "/orders");
      await page.getByText("offline").waitFor();
      await look("offline");
      faults.push(...[...origins].filter((origin) => ![dev.api, dev.issuer].includes(origin)));
      await page.context().close();
    }
    await sim("DELETE", "faults");
    expect(faults).toEqual([]);
  });
});

/** What the browser keeps. */
const storage =
  "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])";

/** Secrets of a tenant that Slipway has, as texts that are found anywhere. */
async function withCanaries({ api }: DevProcess): Promise<string[]> {
  const secret = "whsec_Y2FuYXJ5LW9mLWEtd2ViaG9vay1vZi10ZW5hbnQtYQ==";
  const spec = { url: "https://hooks.example.com/", event_types: ["slipway.*"], secret };
  const { status, body } = await api("POST", "webhooks", { metadata: { name: "canary" }, spec });
  expect(status, JSON.stringify(body)).toBe(200);
  return [secret, "eyJhbGci", "BEGIN ", '"auths"'];
}

/** An order that has failed. Answers the cluster's id. */
async function failed(process: DevProcess, name: string): Promise<string> {
  const id = await stuck(process, name);
  const { operation } = (await process.admin("GET", `clusters/${id}`)).body.status;
  await process.sim("DELETE", "faults");
  await process.admin("POST", `operations/${operation}/resume`, {});
  await eventually(async () => {
    const { body } = await process.admin("GET", `clusters/${id}`);
    expect(body.status.failure).toBeDefined();
  });
  return id;
}

/** An order whose undo a system refuses, until its faults are taken away. Answers the cluster's id. */
async function stuck({ sim, order, ended }: DevProcess, name: string): Promise<string> {
  await sim("POST", "faults", { target: "dns", fault: "error", status: 400, count: 0 });
  const { id, operation } = await order(name);
  const { status } = await ended(operation);
  expect(status.state).toBe("OPERATION_STATE_STUCK");
  return id;
}
