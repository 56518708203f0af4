import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { hasBrowser, sharedBrowser } from "../support/browser.ts";
import { sharedDev } from "../support/dev-process.ts";

/** The reference in a browser, on the laptop's Slipway. Skipped where there is no Chromium. */

const timeout = 180_000;

describe.skipIf(!hasBrowser)("the reference (needs /usr/bin/chromium)", { timeout }, () => {
  const slipway = sharedDev();
  const browser = sharedBrowser();

  /** The start of the reference, with what its page asks of whom and complains of. */
  async function opened() {
    const page = await browser().newPage();
    page.setDefaultTimeout(60_000);
    const asked: { method: string; url: URL; token: string | undefined }[] = [];
    const complaints: string[] = [];
    page.on("request", (request) => {
      const token = request.headers().authorization;
      asked.push({ method: request.method(), url: new URL(request.url()), token });
    });
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
    page.on("pageerror", ({ message }) => complaints.push(message));
    await page.goto(`${slipway().dev.api}/docs`);
    await page.getByRole("heading", { name: "Slipway", exact: true }).waitFor();
    return { page, asked, complaints };
  }

  async function logIn(page: Page) {
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByRole("button", { name: "tenant-a-user" }).click();
    await page.getByRole("button", { name: "Log out" }).waitFor();
  }

  it("shows the operations, and asks nobody else for anything", async () => {
    const { page, asked, complaints } = await opened();
    expect(page.url()).toBe(`${slipway().dev.api}/docs`);
    await page.getByRole("link", { name: "Clusters" }).first().waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("kubeconfig");
    await page
      .getByRole("option", { name: /Get a kubeconfig/ })
      .first()
      .waitFor();
    expect(new Set(asked.map(({ url }) => url.origin))).toEqual(new Set([slipway().dev.api]));
    expect(complaints).toEqual([]);
  });

  it("logs in by the issuer's code flow, and keeps the token in the tab", async () => {
    const { page, asked } = await opened();
    await logIn(page);
    expect(page.url()).toBe(`${slipway().dev.api}/docs`);
    await page.getByText("tenant-a-user").waitFor();
    const kept = await page.evaluate(() => JSON.stringify({ ...localStorage }));
    expect(kept).not.toContain("eyJ");
    expect(new Set(asked.map(({ url }) => url.origin))).toEqual(
      new Set([slipway().dev.api, slipway().dev.issuer]),
    );
    await page.getByRole("button", { name: "Log out" }).click();
    await page.getByRole("button", { name: "Log in" }).waitFor();
  });

  it("asks a second time before it deletes", async () => {
    const { body } = await slipway().api("POST", "projects", { metadata: { name: "doomed" } });
    const { page, asked } = await opened();
    await logIn(page);
    await page.goto(
      `${slipway().dev.api}/docs#tag/projects/DELETE/api/fulfillment/v1/projects/{id}`,
    );
    await page.reload();
    await page
      .getByRole("button", { name: /Test Request.*delete/i })
      .first()
      .click();
    await page.locator('[contenteditable][aria-label$="Value"]').first().click();
    await page.keyboard.type(String(body.id));
    const deletions = () => asked.filter(({ method }) => method === "DELETE");

    const send = page.getByRole("button", { name: /^Send/ }).first();
    await send.click();
    await page.getByRole("button", { name: "Keep it" }).click();
    await page.getByRole("dialog", { name: "Delete it?" }).waitFor({ state: "hidden" });
    expect(deletions()).toEqual([]);
    expect((await slipway().api("GET", `projects/${body.id}`)).status).toBe(200);

    await send.click();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText("200 OK").waitFor();
    expect(deletions()).toMatchObject([{ token: expect.stringMatching(/^Bearer eyJ/) }]);
    expect((await slipway().api("GET", `projects/${body.id}`)).status).toBe(404);
  });
});
