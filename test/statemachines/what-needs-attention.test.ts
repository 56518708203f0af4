import { expect, it } from "vitest";
import { days } from "../../core/clock.ts";
import { AppError } from "../../core/error.ts";
import { changeObject } from "../../core/kernel/events/rewrite.ts";
import { addServerWithDpus, dpuName } from "../support/dpus.ts";
import { orderServer, withServers } from "../support/instances.ts";
import { addServer, untilHost, withMetal } from "../support/managed-hosts.ts";
import { atRest, networkWithSubnet } from "../support/networks.ts";
import { nightFaults } from "../support/night-faults.ts";
import { withOverlay } from "../support/overlay.ts";
import { siteAfter } from "../support/save-site.ts";
import { openSite, type Site, type Wire } from "../support/site.ts";

/**
 * The faults that an operator meets at night: each is in the one list of the status within a minute of when it can be
 * known, with what, why, since when, whose and what to do; and no longer once it is mended.
 */

const minute = 60_000;

const status = async (site: Site): Promise<Wire> => (await site.admin("GET", "status")).body;
const attention = async (site: Site, reason: string): Promise<Wire[]> =>
  (await status(site)).attention.filter((each: Wire) => each.reason === reason);

/** Until something of this is in the list; within so long. */
async function told(site: Site, reason: string, within: number): Promise<Wire> {
  const end = site.laptop.clock.now() + within;
  await site.laptop.until(
    async () => (await attention(site, reason)).length > 0 || site.laptop.clock.now() > end,
    reason,
  );
  const [first] = await attention(site, reason);
  expect(first, reason).toMatchObject({
    ...{ kind: expect.any(String), id: expect.any(String), name: expect.any(String) },
    ...{ tenant: expect.any(String), message: expect.any(String) },
    since: expect.stringMatching(/^20\d\d-/),
    command: expect.stringMatching(/^slipway /),
  });
  expect(Date.parse(first.since)).toBeLessThanOrEqual(site.laptop.clock.now());
  return first;
}

const quiet = (site: Site, reason: string): Promise<void> =>
  site.laptop.until(
    async () => (await attention(site, reason)).length === 0,
    `${reason} is no more`,
  );

it("says nothing of a site that is well", { tags: "smoke" }, async () => {
  const site = await openSite();
  await site.laptop.pass(5 * minute);
  expect((await status(site)).attention).toEqual([]);
});

it.each(nightFaults)(
  "%s: what, why, since when, whose and what to do, in a minute",
  async (_, begin) => {
    const { site, isKnowable, told, object, mend } = await begin();
    const { laptop } = site;
    await laptop.until(isKnowable, "it can be known");
    const knowable = laptop.clock.now();
    const entry = async () => (await attention(site, told.reason)).find(({ id }) => id === told.id);
    const isOver = () => laptop.clock.now() - knowable > minute;
    await laptop.until(async () => isOver() || (await entry()) !== undefined, "it is listed");
    const { message, command, ...what } = told;
    const found = await entry();
    expect(found).toMatchObject({
      ...what,
      message: expect.stringMatching(message),
      command: expect.stringMatching(command),
      since: expect.stringMatching(/^20\d\d-/),
    });
    expect(Date.parse(found?.since)).toBeLessThanOrEqual(laptop.clock.now());
    // One entry a cause, however many orders it holds up.
    expect(await attention(site, told.reason)).toHaveLength(1);
    const says = async () =>
      object.says((await site.admin("GET", object.path)).body.status, await entry());
    await laptop.until(async () => isOver() || (await says()), "the object says it");
    expect(await says()).toBe(true);

    await mend();
    const all = async () => (await status(site)).attention;
    await laptop.until(async () => (await all()).length === 0, "nothing needs attention any more");
    expect((await site.admin("GET", object.path)).body.status?.stalled).toBeUndefined();
  },
);

it("a system that does not answer stalls an order, with the system and how often it was asked", async () => {
  const site = await openSite();
  site.world.faults.add({ target: "dns", fault: "error", status: 503, count: 0 });
  const id = await site.order("one", { placement: { region: "eu-west" } });
  const late = await told(site, "OperationStalled", 30 * minute);
  expect(late).toMatchObject({ kind: "cluster", id, tenant: "tenant-a" });
  expect(late.message).toMatch(/^CreateDnsRecords takes longer .*503.* attempts, last \d+ min ago/);
  site.world.faults.clear();
  await quiet(site, "OperationStalled");
});

it("a drive that cannot be erased: its host is quarantined, and in service again after a retry", async () => {
  const { site } = await siteAfter(async (site) => withMetal(site));
  const target = "bmc:server-1";
  site.world.faults.add({ target, count: 0, fault: "hold", operation: "wipe fails" });
  const id = await addServer(site, 1);
  await untilHost(site, id, "QUARANTINED");
  const seen = await told(site, "HostQuarantined", minute);
  const { body } = await site.admin("GET", `hosts/${id}`);
  expect(body.status.conditions).toEqual([
    {
      type: "HOST_CONDITION_TYPE_IN_SERVICE",
      ...{ status: "CONDITION_STATUS_FALSE", reason: "Quarantined" },
      message: body.status.server.quarantine.reason,
      last_transition_time: seen.since,
    },
  ]);
  site.world.faults.clear();
  expect((await site.admin("POST", `hosts/${id}/retry`)).status).toBe(200);
  await quiet(site, "HostQuarantined");
  const again = await site.admin("GET", `hosts/${id}`);
  expect(again.body.status.conditions).toMatchObject([{ status: "CONDITION_STATUS_TRUE" }]);
});

it("a silent DPU under a tenant's server: both say so and stay what they are", async () => {
  const { site } = await siteAfter(async (site) => {
    await withServers(site);
    await withOverlay(site);
    await networkWithSubnet(site);
    const { host } = await addServerWithDpus(site, 1);
    await untilHost(site, host, "AVAILABLE");
  });
  const id = await orderServer(site, "db-1");
  await atRest(site, "baremetal_instances", id);
  const target = `bmc:${dpuName(1, 1)}`;
  site.world.faults.add({ target, operation: "agent", fault: "hold", count: 0 });
  const seen = await told(site, "DpuSilent", 90 * minute);
  expect(seen).toMatchObject({ kind: "dpu", name: dpuName(1, 1), tenant: "shared" });
  const server = await told(site, "ServerOnSilentDpu", minute);
  expect(server).toMatchObject({
    kind: "baremetal_instance",
    id,
    name: "db-1",
    tenant: "tenant-a",
  });
  const conditionOf = async (path: string, type: string, asked = site.admin) =>
    (await asked("GET", path)).body.status.conditions.find((each: Wire) =>
      each.type.endsWith(type),
    );
  const [dpu, own] = [`dpus/${seen.id}`, `baremetal_instances/${id}`];
  await site.laptop.pass(minute);
  expect(await conditionOf(dpu, "_REPORTS")).toMatchObject({
    ...{ status: "CONDITION_STATUS_FALSE", reason: "Silent", last_transition_time: seen.since },
  });
  expect(await conditionOf(own, "_DPUS_REPORT", site.api)).toMatchObject({
    ...{ status: "CONDITION_STATUS_FALSE", reason: "Silent", last_transition_time: seen.since },
  });
  expect((await site.admin("GET", dpu)).body.status.state).toBe("DPU_STATE_READY");
  const tenants = (await site.api("GET", own)).body.status;
  expect(tenants.state).toBe("BARE_METAL_INSTANCE_STATE_RUNNING");
  expect(JSON.stringify(tenants)).not.toContain(dpuName(1, 1));
  const osac = await site.api("GET", own, undefined, { accept: "application/json;profile=osac" });
  expect(osac.status).toBe(200);
  site.world.faults.clear();
  await quiet(site, "DpuSilent");
  await quiet(site, "ServerOnSilentDpu");
  await site.laptop.pass(minute);
  expect(await conditionOf(dpu, "_REPORTS")).toMatchObject({ status: "CONDITION_STATUS_TRUE" });
  expect(await conditionOf(own, "_DPUS_REPORT", site.api)).toMatchObject({
    status: "CONDITION_STATUS_TRUE",
  });
});

it("a webhook whose receiver takes nothing: for its tenant and for the provider", async () => {
  const receiver = { up: false };
  const site = await openSite({
    webhooks: {
      refusal: async () => undefined,
      post: async () => {
        if (!receiver.up) throw new AppError("Unavailable", "cannot be reached (ECONNREFUSED)");
        return { status: 204, text: "" };
      },
    },
  });
  const hook = { metadata: { name: "hook" }, spec: { url: "https://events.example.com/x" } };
  const { body: made } = await site.api("POST", "webhooks", hook);
  await site.order("one");
  const seen = await told(site, "WebhookFailing", 2 * minute);
  expect(seen).toMatchObject({ kind: "webhook", id: made.id, tenant: "tenant-a" });
  const ofTenant = async () => (await site.api("GET", `webhooks/${made.id}`)).body.status;
  expect(await ofTenant()).toMatchObject({
    state: "WEBHOOK_STATE_ACTIVE",
    failing: { since: seen.since, message: "cannot be reached (ECONNREFUSED)" },
    conditions: [
      {
        ...{ type: "WEBHOOK_CONDITION_TYPE_FAILING", status: "CONDITION_STATUS_TRUE" },
        last_transition_time: seen.since,
      },
    ],
  });
  const { tries } = (await ofTenant()).failing;
  expect(tries).toBeGreaterThanOrEqual(2);
  await site.laptop.pass(60 * minute);
  const later = await ofTenant();
  expect(later.failing.tries).toBeGreaterThan(tries);
  expect(later.failing.since).toBe(seen.since);
  receiver.up = true;
  await quiet(site, "WebhookFailing");
  expect(await ofTenant()).not.toHaveProperty("failing");
  expect((await ofTenant()).conditions).toMatchObject([{ status: "CONDITION_STATUS_FALSE" }]);
});

it("credentials of a hub that end: thirty days before, worse once they have ended, quiet when renewed", async () => {
  const site = await openSite();
  const { deps, clock } = site.laptop;
  const ends = (at: number | undefined) =>
    changeObject(deps, "hub", "hub-a", ({ spec: { credentials_end: _, ...spec }, ...hub }) => ({
      ...{ ...hub, spec },
      ...(at !== undefined && {
        spec: { ...spec, credentials_end: new Date(at).toISOString() },
      }),
    }));
  const conditionOf = async (): Promise<Wire> =>
    (await site.admin("GET", "hubs/hub-a")).body.status.conditions.find(
      ({ type }: Wire) => type === "HUB_CONDITION_TYPE_CREDENTIALS_VALID",
    );
  await ends(clock.now() + days(31));
  expect(await attention(site, "CertificateEnds")).toEqual([]);
  expect(await conditionOf()).toBeUndefined();
  await ends(clock.now() + days(29));
  const soon = await told(site, "CertificateEnds", minute);
  expect(soon).toMatchObject({ kind: "hub", id: "hub-a" });
  const soonEnds = {
    ...{ type: "HUB_CONDITION_TYPE_CREDENTIALS_VALID", status: "CONDITION_STATUS_FALSE" },
    ...{ reason: "EndsSoon", message: soon.message, last_transition_time: soon.since },
  };
  expect(await conditionOf()).toEqual(soonEnds);
  const filter = encodeURIComponent('this.status.conditions[2].reason == "EndsSoon"');
  const { items } = (await site.admin("GET", `hubs?filter=${filter}`)).body;
  expect(items).toMatchObject([{ id: "hub-a", status: { state: "HUB_STATE_READY" } }]);
  await ends(clock.now() - minute);
  await told(site, "CertificateEnded", minute);
  expect(await conditionOf()).toMatchObject({ reason: "Ended" });
  expect(await attention(site, "CertificateEnds")).toEqual([]);
  await ends(clock.now() + days(300));
  expect((await status(site)).attention).toEqual([]);
});
