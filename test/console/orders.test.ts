import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { wordsOf } from "../../console/src/saga/shape.ts";
import { stepsOf } from "../../core/kernel/saga/saga.ts";
import { clusterCreate } from "../../statemachines/cluster.ts";
import { hasBrowser, sharedBrowser } from "../support/browser.ts";
import { askedElsewhere, go, kept, violationsInThemes, visit } from "../support/console.ts";
import { fabricAway, stuck } from "../support/console-orders.ts";
import { operationIn, sharedDev } from "../support/dev-process.ts";
import { eventually } from "../support/eventually.ts";
import { signingRequest } from "../support/signing-request.ts";

/** Orders in the console, as people follow and change them. Skipped where there is no Chromium. */

describe.skipIf(!hasBrowser)("the console (needs /usr/bin/chromium)", () => {
  const slipway = sharedDev();
  const browser = sharedBrowser();
  afterEach(() => slipway().sim("DELETE", "faults"));

  it("orders a cluster, shows it become READY step by step, lets its tenant in, resizes, upgrades and deletes it", async () => {
    const visited = await visit(browser(), slipway(), "tenant-a-user", { path: "/new" });
    const { page } = visited;
    await page.getByLabel("Name").fill("from-the-console");
    await page.getByText("--template").waitFor();
    await page.getByRole("button", { name: "Order", exact: true }).click();
    await page.getByRole("heading", { name: "from-the-console" }).waitFor();
    await page.getByRole("region", { name: "Steps" }).waitFor();
    await page.getByRole("button", { name: "Reserve capacity" }).waitFor();
    await page.getByText("● Ready").first().waitFor({ timeout: 120_000 });
    expect(await page.getByText("API URL").isVisible()).toBe(true);
    // How it went can be seen once it is over.
    await page.getByText("Last operation: create").click();
    await page.getByRole("button", { name: "Reserve capacity" }).waitFor();

    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download the kubeconfig" }).click();
    const kubeconfig = readFileSync(await (await download).path(), "utf8");
    const [, secret = ""] = /token: "?([^"\s]+)/.exec(kubeconfig) ?? [];
    expect(secret).not.toBe("");
    expect(await kept(visited)).not.toContain(secret);

    await page.getByText("A certificate of 24 hours").click();
    await page.getByLabel("The request, ").fill(await signingRequest("tenant-a-user"));
    const issued = page.waitForEvent("download");
    await page.getByRole("button", { name: "Have it signed" }).click();
    const own = readFileSync(await (await issued).path(), "utf8");
    expect(own).toContain("client-certificate-data");
    const certificates = page.getByRole("region", { name: "Certificates" });
    await certificates.getByText("● Issued").waitFor();
    await page.getByRole("button", { name: "Revoke all certificates …" }).click();
    expect(await violationsInThemes(page)).toEqual([]);
    await page.getByRole("dialog").getByRole("button", { name: "Revoke all" }).click();
    await page.getByText(/^All earlier certificates .* are invalid\.$/).waitFor();
    const [, certificate = ""] = /client-certificate-data: "?([^"\s]+)/.exec(own) ?? [];
    expect(await kept(visited)).not.toContain(certificate);

    await page.getByLabel("Nodes in workers").fill("3");
    await page.getByText("slipway cluster scale from-the-console workers=3").waitFor();
    await page.getByRole("button", { name: "Resize" }).click();
    const upgrade = page.getByRole("button", { name: /^Upgrade to / }).first();
    await page.getByText("Nothing is upgraded while another change is under way").waitFor();
    expect(await upgrade.isDisabled()).toBe(true);
    await page.getByRole("row", { name: "workers fc430 3 3" }).waitFor();
    const [, , version = ""] = (await upgrade.textContent())?.split(" ") ?? [];
    await upgrade.click();
    expect(await violationsInThemes(page)).toEqual([]);
    await page.getByRole("dialog").getByRole("button", { name: "Upgrade" }).click();
    await page.getByRole("definition").getByText(version, { exact: true }).waitFor();
    const path = `clusters/${page.url().split("/").at(-1)}`;
    const changed = (await slipway().api("GET", path)).body;
    expect(changed.spec.node_sets.workers.size).toBe(3);
    expect(changed.status.version).toBe(version);

    await page.getByRole("button", { name: "Delete …" }).click();
    const really = page.getByRole("button", { name: "Delete cluster" });
    expect(await really.isDisabled()).toBe(true);
    expect(await violationsInThemes(page)).toEqual([]);
    await page.getByLabel("Type from-the-console to delete it").fill("from-the-console");
    await really.click();
    await page.getByRole("heading", { name: "Clusters" }).waitFor();
    const { status, body } = await slipway().api("GET", path);
    expect(status === 404 || body.metadata.deletion_timestamp !== undefined).toBe(true);

    expect(await kept(visited)).not.toContain(secret);
    expect(visited.complaints).toEqual([]);
    expect(askedElsewhere(visited, slipway())).toEqual([]);
    await page.context().close();
  });

  it("says in the API's own words what an order waits for, cancels it, and tries it again", async () => {
    const { api, sim } = slipway();
    await fabricAway(slipway());
    const { page } = await visit(browser(), slipway(), "tenant-a-user", { path: "/new" });
    await page.getByLabel("Name").fill("waits");
    await page.getByRole("button", { name: "Order", exact: true }).click();
    await page.getByRole("heading", { name: "waits", level: 1 }).waitFor();
    const path = `clusters/${page.url().split("/").at(-1)}`;
    const statusOf = async () => (await api("GET", path)).body.status;
    const said = async () => (await page.locator("main [role=status]").allTextContents()).join();
    await eventually(async () => {
      const [{ step, system, message }] = (await statusOf()).waiting;
      expect(message).toContain("503");
      expect(await said()).toMatch(
        new RegExp(`${wordsOf(step)} has waited [\\d minhs]+ for ${system}: `),
      );
      expect(await said()).toContain(message);
    });
    // The whole saga is on one screen.
    await page.setViewportSize({ width: 1440, height: 900 });
    const chips = page.getByRole("region", { name: "Steps" }).getByRole("button");
    expect(await chips.count()).toBe(stepsOf(clusterCreate.nodes).length);
    const boxes = await Promise.all((await chips.all()).map((chip) => chip.boundingBox()));
    const bottoms = boxes.map((box) => (box ? box.y + box.height : Number.POSITIVE_INFINITY));
    expect(Math.max(...bottoms)).toBeLessThanOrEqual(900);
    // A step that is chosen says what it tried.
    const details = page.getByRole("region", { name: "Step: Create layer2 network" });
    await chips.filter({ hasText: "Create layer2 network" }).click();
    await details.getByText("Failed attempts").waitFor();
    expect(page.url()).toContain("step=CreateLayer2Network");
    await go(page, "/orders?show=Waiting");
    const row = page.getByRole("row", { name: /^waits / });
    await eventually(async () => {
      const [{ message }] = (await statusOf()).waiting;
      expect(await row.textContent()).toContain(message);
    });
    await row.getByRole("link", { name: "waits" }).click();

    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Cancel" }).waitFor({ state: "hidden" });
    await sim("DELETE", "faults");
    const again = page.getByRole("button", { name: "Try again" });
    await again.waitFor();
    const { failure } = await statusOf();
    expect(await page.getByRole("alert").textContent()).toContain(failure.message);
    await again.click();
    await page.getByText("● Ready").first().waitFor();
    expect((await statusOf()).state).toBe("CLUSTER_STATE_READY");
    expect(await page.getByRole("alert").count()).toBe(0);
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
    const visited = await visit(browser(), slipway(), "tenant-a-user", { path: "/servers" });
    const { page } = visited;
    await page.getByRole("link", { name: "New server" }).click();
    await page.getByLabel("Name").fill("db-1");
    await page.getByLabel("Subnet").selectOption({ label: "web, shop (10.20.1.0/24)" });
    // Nobody could log in: the API says so before it is ordered.
    await page.getByRole("alert").getByText("spec.ssh_public_key", { exact: true }).waitFor();
    await page
      .getByLabel("SSH public key")
      .fill("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPtStuO8Ud5lKNpTXbrXuTUgoQ3rKM/wEJX1o7WQTJHk me");
    const secret = "a-secret-of-the-first-start";
    await page.getByLabel("User data").fill(`#cloud-config\n# ${secret}`);
    expect(await kept(visited)).toContain(secret);
    await page.getByText("It can be ordered.").waitFor();
    expect(await page.getByText("slipway baremetal-instance create db-1").textContent()).toContain(
      "--set 'spec.ssh_public_key=ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPtStuO8Ud5lKNpTXbrXuTUgoQ3rKM/wEJX1o7WQTJHk me'",
    );
    await page.getByRole("button", { name: "Order", exact: true }).click();
    await page.getByRole("button", { name: "Try again" }).waitFor();
    expect(await kept(visited)).not.toContain(secret);
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
    await page.getByRole("link", { name: "Who did what with it" }).click();
    const acts = page.getByRole("region", { name: "Audit entries" });
    await acts.getByRole("link", { name: "cluster is-stuck" }).first().waitFor();
    await acts.getByText("create", { exact: true }).waitFor();
    await page.getByLabel("When").selectOption("hour");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await page.waitForURL(/since=hour/);
    await acts.getByText("create", { exact: true }).waitFor();
    await page.context().close();
  });

  it("lists each kind of order whole, under way, waiting, stalled, stuck and failed", async () => {
    const { page } = await visit(browser(), slipway(), "admin", {
      path: "/orders?from=50",
    });
    const options = page.getByLabel("Kind").getByRole("option");
    await options.first().waitFor({ state: "attached" });
    const kinds = await options.evaluateAll((all) => all.map((each) => each.getAttribute("value")));
    const chips = page.getByRole("group", { name: "Which" }).getByRole("button");
    const names = await chips.allTextContents();
    const refused: string[] = [];
    for (const kind of kinds)
      for (const chip of names) {
        await go(page, "/hubs");
        const answer = page.waitForResponse((each) => each.url().includes(`/${kind}?limit=50`));
        await go(page, `/orders?kind=${kind}&show=${chip}`);
        if (!(await answer).ok()) refused.push(`${kind}, ${chip}: ${(await answer).url()}`);
      }
    expect(kinds.length * names.length).toBe(54);
    expect(refused).toEqual([]);
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
});
