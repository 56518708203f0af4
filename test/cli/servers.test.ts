import { expect, it } from "vitest";
import { siteWithServers } from "../support/instances.ts";
import { sshKey } from "../support/orders.ts";
import { openSite } from "../support/site.ts";
import { terminalAt } from "../support/terminal.ts";

/** A tenant's server from the command line, and its host from the provider's. */

const files = { "key.pub": `${sshKey("ann")}\n`, "init.yaml": "#cloud-config\n" };

it("is ordered, restarted, stopped, started and installed anew, each followed step by step", async () => {
  const site = await openSite();
  await siteWithServers(site, 1);
  const { slipway } = terminalAt(site, { files });
  const order =
    "server create web --catalog-item rhel --subnet shop-web --ssh-key key.pub --user-data-file init.yaml";
  const ordered = await slipway(`${order} --wait`, "alice");
  expect(ordered.err).toMatch(/^CREATE baremetal_instance web .*\n✔ ReserveHost/);
  expect(ordered).toMatchObject({ exit: 0, out: expect.stringMatching(/^NAME .*\nweb +RUNNING/) });

  const restarted = await slipway("server restart web --wait", "alice");
  expect(restarted.err).toMatch(/✔ SUCCEEDED\n$/);
  expect(restarted).toMatchObject({ exit: 0, out: expect.stringMatching(/\nweb +RUNNING/) });
  const again = await slipway("server restart web --dry-run -o json", "alice");
  expect(JSON.parse(again.out).spec.restart_trigger).toBe(2);
  expect(await slipway("server stop web --wait", "alice")).toMatchObject({
    exit: 0,
    out: expect.stringMatching(/\nweb +STOPPED/),
  });
  expect(await slipway("server start web --wait", "alice")).toMatchObject({ exit: 0 });
  const moved = "server update web --subnet shop-web --security-group default --dry-run";
  expect(await slipway(moved, "alice")).toMatchObject({
    exit: expect.not.closeTo(0),
    err: expect.stringContaining("network_attachments[0].security_groups[0]"),
  });
  const anew = await slipway("server reinstall web --wait --yes", "alice");
  expect(anew).toMatchObject({ exit: 0, err: expect.stringMatching(/✔ AwaitPhoneHome/) });
  // It is gone then, and that is how it should be.
  const issue = "--set issue.category=hardware --set issue.summary=slow";
  const given = await slipway(`server release web ${issue} --wait --yes`, "alice");
  expect(given).toMatchObject({ exit: 0, out: "", err: expect.stringMatching(/✔ SUCCEEDED\n$/) });
});

it("says what its provider asks for, and takes a consent", async () => {
  const site = await openSite();
  const {
    hosts: [host = ""],
  } = await siteWithServers(site, 1);
  const terminal = terminalAt(site, { files });
  const { slipway } = terminal;
  const order = "server create web --catalog-item rhel --subnet shop-web --ssh-key key.pub";
  expect(await slipway(`${order} --wait`, "alice")).toMatchObject({ exit: 0 });
  expect(await slipway("server maintenance web", "alice")).toEqual({
    ...{ exit: 0, out: "", err: "nothing is asked for\n" },
  });
  const early = await slipway("server maintenance web --consent now", "alice");
  expect(early).toMatchObject({ exit: 1, err: expect.stringContaining("nothing is asked for") });
  const window = "server maintenance web --from 2026-12-01T22:00:00Z";
  expect(await slipway(window, "alice")).toMatchObject({ exit: 2 });
  const said: unknown[] = [];
  terminal.intercept = (url, { method, body }) => {
    if (method !== "POST" || !url.endsWith("/maintenance")) return undefined;
    said.push(JSON.parse(String(body)));
    return Response.json({ metadata: { name: "web" } });
  };
  const until = "--until 2026-12-02T04:00:00Z";
  expect(await slipway(`${window} ${until} --consent window`, "alice")).toMatchObject({ exit: 0 });
  expect(said).toEqual([
    { consent: "window", from: "2026-12-01T22:00:00Z", until: "2026-12-02T04:00:00Z" },
  ]);
  await slipway(["host", "maintain", host, "--tenant-message", "a fan is to be replaced"]);
  const told = async () => (await slipway("server maintenance web", "alice")).out;
  await site.laptop.until(async () => (await told()) !== "", "the tenant to be told");
  expect(await told()).toContain("a fan is to be replaced\n");
});

it("shows who reports on a host, and what keeps it from orders", async () => {
  const site = await openSite();
  const { slipway } = terminalAt(site);
  const [name = ""] = (await slipway("host list -o name")).out.split("\n");
  expect(await slipway(`host health ${name}`)).toMatchObject({
    ...{ exit: 0, out: "", err: `no source has reported on ${name}\n` },
  });
  const alert = { id: "fan", message: "it stands", classifications: ["prevents_allocation"] };
  const report = ["host", "report-health", name, "--source", "dcgm", "--set"];
  expect(await slipway([...report, `alerts=${JSON.stringify([alert])}`])).toMatchObject({
    exit: 0,
  });
  const { out } = await slipway(`host health ${name}`);
  expect(out).toMatch(
    new RegExp(`^${name} ALERT since \\S+Z: no order gets it\n\nSOURCE .*\ndcgm `),
  );
  expect(out).toMatch(/\nALERT .* WHY\nfan .* dcgm .*prevents_allocation +it stands\n$/);
});
