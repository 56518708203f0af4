import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { hasBrowser, sharedBrowser } from "../support/browser.ts";
import {
  followed,
  go,
  inbox,
  isWatch,
  kept,
  signIn,
  violations,
  violationsInThemes,
  visit,
} from "../support/console.ts";
import { waiting } from "../support/console-orders.ts";
import { operationIn, sharedDev } from "../support/dev-process.ts";

/** What stands around the pages of the console: keys, the session, what is offline, what is loaded. */

describe.skipIf(!hasBrowser)("the console (needs /usr/bin/chromium)", () => {
  const slipway = sharedDev();
  const browser = sharedBrowser();

  it("is walked by keys alone: to a page, through its table, and to an object by its name", async () => {
    const { order } = slipway();
    await order("by-keys");
    const { page } = await visit(browser(), slipway(), "admin");
    await inbox(page).waitFor();
    await page.keyboard.press("?");
    await page.getByRole("heading", { name: "Keys" }).waitFor();
    expect(await violationsInThemes(page)).toEqual([]);
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
    const host = await page.locator(":focus > :first-child").textContent();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: host ?? "", level: 1 }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog", { name: "Go to" }).waitFor();
    await page.keyboard.type("by-k");
    await page.getByRole("option", { name: "by-keys cluster of tenant-a" }).waitFor();
    expect(await violationsInThemes(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "by-keys", level: 1 }).waitFor();
    await page.context().close();
  });

  it("says beside each place how many wait or need somebody, and is used on a telephone: a menu, and rows as cards with their reason", async () => {
    const { api, sim } = slipway();
    const id = await waiting(slipway(), "on-the-phone");
    const { page } = await visit(browser(), slipway(), "admin");
    const places = page.getByRole("navigation", { name: "Places" });
    await places.getByRole("link", { name: /^Orders \d+ (waiting|stuck or stalled)$/ }).waitFor();
    const visited = await visit(browser(), slipway(), "tenant-a-user");
    const { page: phone } = visited;
    const own = phone.getByRole("navigation", { name: "Places" });
    await own.getByRole("link", { name: /^Clusters \d+ waiting/ }).waitFor();

    await phone.setViewportSize({ width: 390, height: 844 });
    await own.waitFor({ state: "hidden" });
    const header = await phone.getByRole("banner").boundingBox();
    expect(header?.height).toBeLessThanOrEqual(60);
    const menu = phone.getByRole("button", { name: "Menu" });
    await menu.click();
    await own.waitFor();
    expect(await violationsInThemes(phone)).toEqual([]);
    await phone.keyboard.press("Escape");
    await own.waitFor({ state: "hidden" });
    expect(await phone.locator(":focus").getAttribute("aria-label")).toBe("Menu");
    await menu.click();
    await own.getByRole("link", { name: "Servers" }).click();
    await phone.getByRole("heading", { name: "Servers" }).waitFor();
    await own.waitFor({ state: "hidden" });

    await go(phone, "/orders");
    const [{ message }] = (await api("GET", `clusters/${id}`)).body.status.waiting;
    const reason = await phone.getByText(message).boundingBox();
    const name = await phone.getByRole("link", { name: "on-the-phone" }).boundingBox();
    expect((reason?.x ?? 0) + (reason?.width ?? 0)).toBeLessThanOrEqual(390);
    expect(reason?.y).toBeGreaterThan(name?.y ?? 0);
    await phone.getByRole("button", { name: "Search or jump to" }).click();
    await phone.getByRole("dialog", { name: "Go to" }).waitFor();
    await sim("DELETE", "faults");
    await phone.context().close();
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
    // The same by its number alone.
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog", { name: "Go to" }).waitFor();
    await page.keyboard.type(`vlan ${vlan}`);
    await page.getByRole("option", { name: `vlan ${vlan}` }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "has-numbers" }).first().waitFor();
    expect(new URL(page.url()).search).toContain(`value=${vlan}`);
    await page.context().close();
  });

  it("keeps no token in the page, in storage or in an address, and signs in again by itself", async () => {
    const visited = await visit(browser(), slipway(), "admin");
    const { page } = visited;
    await inbox(page).waitFor();
    expect(await kept(visited)).not.toMatch(/eyJ/);
    await page.reload();
    await inbox(page).waitFor();
    expect(await kept(visited)).not.toMatch(/eyJ/);
    expect(page.url()).not.toMatch(/code=|state=/);
    await page.context().close();
  });

  it("leads nowhere else, and is no blank page, at an address that begins like another host's", async () => {
    for (const path of ["/.//evil.example/x", "/.//evil.example/"]) {
      const { page, complaints } = await visit(browser(), slipway(), "admin", { path });
      const { origin, pathname } = new URL(page.url());
      expect(origin).toBe(new URL(slipway().dev.console ?? slipway().dev.api).origin);
      expect(pathname).toMatch(/^\/evil\.example\//);
      expect(complaints).toEqual([]);
      await page.context().close();
    }
  });

  it("goes on with the next token when one has ended, and asks to sign in again when there is none", async () => {
    const { page } = await visit(browser(), slipway(), "admin");
    await inbox(page).waitFor();
    await go(page, "/audit");
    await page.getByLabel("Tenant").fill("tenant-a");
    const ended = async (token: string | undefined) =>
      page.route("**/api/**", (route) => {
        const { authorization } = route.request().headers();
        const isEnded = authorization !== undefined && [authorization, undefined].includes(token);
        return isEnded ? route.fulfill({ status: 401, json: {} }) : route.continue();
      });
    const first = page.waitForRequest((request) => request.url().includes("audit_entries"));
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await ended((await first).headers().authorization);
    const next = page.waitForResponse(
      (answer) => answer.url().includes("/hosts?") && answer.status() === 200,
    );
    await go(page, "/hosts");
    await next;
    expect(await page.getByRole("navigation", { name: "Places" }).isVisible()).toBe(true);
    await page.unroute("**/api/**");
    await ended(undefined);
    await page.route("**/token", (route) =>
      route.fulfill({ status: 400, json: { error: "invalid_grant" } }),
    );
    await go(page, "/sites");
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    await page.context().close();
  });

  it("follows for each person what that person may see, in tabs of one browser", async () => {
    const { page } = await visit(browser(), slipway(), "tenant-a-user");
    const other = await page.context().newPage();
    await other.goto(page.url());
    // The issuer knows who sits there, until they sign out; then somebody else signs in instead.
    await other.getByRole("button", { name: "Signed in as tenant-a-user" }).click();
    await other.getByRole("button", { name: "Sign out" }).click();
    await other.getByRole("heading", { name: "Log in" }).waitFor();
    await other.goto(page.url());
    await other.getByRole("heading", { name: "Log in" }).waitFor();
    const watched = other.waitForRequest(isWatch);
    await signIn(other, "tenant-b-user");
    await watched;
    await page.context().close();
  });

  it("shows the provider at once what changes: what is of all, and what is of the tenant whose order it looks at", async () => {
    const { admin, api } = slipway();
    const seen = await visit(browser(), slipway(), "admin");
    const { page } = seen;
    await go(page, "/catalog");
    await page.getByRole("heading", { name: "Offers of clusters" }).waitFor();
    await followed(seen);
    const offer = {
      ...{ metadata: { name: "live" }, title: "Offered just now", published: true },
      template: { id: "ocp_4_17_small" },
    };
    expect((await admin("POST", "cluster_catalog_items", offer)).status).toBe(200);
    await page.getByText("Offered just now").waitFor({ timeout: 15_000 });

    const asked = { metadata: { name: "live" }, spec: { ipv4_cidr: "10.20.0.0/16" } };
    const { status, body, headers } = await api("POST", "virtual_networks", asked);
    expect(status, JSON.stringify(body)).toBe(200);
    await slipway().succeeded(operationIn(headers));
    await go(page, `/orders/virtual_networks/${body.id}`);
    await page.getByText("● Ready").first().waitFor();
    await followed(seen, "tenant-a");
    expect((await api("DELETE", `virtual_networks/${body.id}`)).status).toBe(200);
    // What is at rest is read once a minute.
    await page.getByRole("heading", { name: "Nothing here" }).waitFor({ timeout: 30_000 });
    await page.context().close();
  });

  it("shows a tenant at once what changes of its own", async () => {
    const { api, succeeded } = slipway();
    const seen = await visit(browser(), slipway(), "tenant-a-user");
    const { page } = seen;
    await go(page, "/webhooks");
    await followed(seen);
    const spec = { url: "https://hooks.example.com/", event_types: ["slipway.*"] };
    const made = await api("POST", "webhooks", { metadata: { name: "just-made" }, spec });
    expect(made.status, JSON.stringify(made.body)).toBe(200);
    // What is at rest is read once a minute.
    await page.getByText("just-made").first().waitFor({ timeout: 15_000 });

    const asked = { metadata: { name: "theirs" }, spec: { ipv4_cidr: "10.20.0.0/16" } };
    const { body, headers } = await api("POST", "virtual_networks", asked);
    await succeeded(operationIn(headers));
    await go(page, `/orders/virtual_networks/${body.id}`);
    await page.getByText("● Ready").first().waitFor();
    expect((await api("DELETE", `virtual_networks/${body.id}`)).status).toBe(200);
    await page.getByRole("heading", { name: "Nothing here" }).waitFor({ timeout: 30_000 });
    await page.context().close();
  });

  it("says at once when the API is unreachable, with the age of what it shows, and reads it when it is back", async () => {
    const { page } = await visit(browser(), slipway(), "admin");
    await page.getByRole("heading", { name: "Runs out next" }).waitFor();
    const banner = page.getByRole("alert").filter({ hasText: "Offline." });
    await page.context().setOffline(true);
    await banner.waitFor({ timeout: 3000 });
    await banner.getByText(/as of \d\d:\d\d:\d\d/).waitFor();
    expect(await page.getByRole("heading", { name: "Runs out next" }).isVisible()).toBe(true);
    await page.context().setOffline(false);
    await banner.waitFor({ state: "hidden", timeout: 3000 });
    // The browser knows nothing of an API that is unreachable: a request has to fail.
    await go(page, "/catalog");
    await page.route("**/api/**", (route) => route.abort());
    await banner.waitFor({ timeout: 15_000 });
    await page.unroute("**/api/**");
    await banner.waitFor({ state: "hidden", timeout: 15_000 });
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
    await inbox(page).waitFor();
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
});
