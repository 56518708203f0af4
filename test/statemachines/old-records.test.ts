import { expect, it } from "vitest";
import { days, timeText } from "../../core/clock.ts";
import type { Kind } from "../../core/kernel/object/object.ts";
import type { ObjectOf } from "../../core/kernel/object/object-of.ts";
import { mustLoad, putChanged } from "../../core/kernel/object/records.ts";
import { newAuthority } from "../core/ports/certificates/authorities.ts";
import { addServerWithDpus, dpuName } from "../support/dpus.ts";
import { orderServer, withServers } from "../support/instances.ts";
import { addServer, untilHost, withMetal } from "../support/managed-hosts.ts";
import { atRest, networkWithSubnet } from "../support/networks.ts";
import { withOverlay } from "../support/overlay.ts";
import { siteAfter } from "../support/save-site.ts";
import { openSite, type Site, type Wire } from "../support/site.ts";

/** Objects that were stored before their kinds had conditions: what is not well shows without a change of theirs. */

/** Stores an object as an earlier version had it, with nothing computed again. */
async function storedAs<K extends Kind>(
  { laptop: { deps } }: Site,
  kind: K,
  id: string,
  former: (object: ObjectOf[K]) => ObjectOf[K],
): Promise<void> {
  const object = await mustLoad(deps, kind, id);
  await deps.store.transact(putChanged(deps.kinds, object, former(object)));
}

const conditionsOf = async (site: Site, path: string): Promise<Wire[]> =>
  (await site.admin("GET", path)).body.status.conditions ?? [];

it("a host that was quarantined before hosts had conditions says so at once", {
  tags: "smoke",
}, async () => {
  const { site } = await siteAfter(async (site) => withMetal(site));
  const target = "bmc:server-1";
  site.world.faults.add({ target, count: 0, fault: "hold", operation: "wipe fails" });
  const id = await addServer(site, 1);
  await untilHost(site, id, "QUARANTINED");
  const now = await conditionsOf(site, `hosts/${id}`);
  expect(now).toMatchObject([{ status: "CONDITION_STATUS_FALSE", reason: "Quarantined" }]);
  await storedAs(site, "host", id, ({ status: { conditions: _, ...status }, ...host }) => ({
    ...host,
    status,
  }));
  expect(await conditionsOf(site, `hosts/${id}`)).toEqual(now);
  site.world.faults.clear();
  expect((await site.admin("POST", `hosts/${id}/retry`)).status).toBe(200);
  await untilHost(site, id, "AVAILABLE");
  expect(await conditionsOf(site, `hosts/${id}`)).toEqual([]);
});

it("a DPU that was silent before DPUs had conditions, and its server, say so once their hub is swept", async () => {
  const { site, brought } = await siteAfter(async (site) => {
    await withServers(site);
    await withOverlay(site);
    await networkWithSubnet(site);
    const { host, dpus } = await addServerWithDpus(site, 1);
    await untilHost(site, host, "AVAILABLE");
    return { host, dpus };
  });
  const [, dpu = ""] = brought.dpus;
  const server = await orderServer(site, "db-1");
  await atRest(site, "baremetal_instances", server);
  const target = `bmc:${dpuName(1, 1)}`;
  site.world.faults.add({ target, operation: "agent", fault: "hold", count: 0 });
  const told = async (path: string) =>
    (await conditionsOf(site, path)).find(({ reason }) => reason === "Silent");
  const paths = [`hosts/${brought.host}`, `dpus/${dpu}`, `baremetal_instances/${server}`];
  const areTold = async () => {
    const all = await Promise.all(paths.map(told));
    return all.every((each) => each !== undefined);
  };
  await site.laptop.until(areTold, "all say that the DPU is silent");
  const now = await Promise.all(paths.map(told));

  await storedAs(
    site,
    "host",
    brought.host,
    ({ status: { conditions: _, ...status }, ...host }) => ({
      ...host,
      status,
    }),
  );
  await storedAs(
    site,
    "dpu",
    dpu,
    ({ silent: _, status: { conditions: __, ...status }, ...rest }) => ({
      ...rest,
      status,
    }),
  );
  await storedAs(site, "baremetal_instance", server, ({ silence: _, status, ...rest }) => ({
    ...rest,
    status: {
      ...status,
      conditions: status.conditions.filter(({ type }) => !type.endsWith("_DPUS_REPORT")),
    },
  }));
  expect(await told(`hosts/${brought.host}`)).toEqual(now[0]);
  expect(await told(`dpus/${dpu}`)).toBeUndefined();
  await site.laptop.until(areTold, "all say so again");
  expect(await Promise.all(paths.map(told))).toEqual(now);
  const { attention } = (await site.admin("GET", "status")).body;
  expect(attention.map(({ reason }: Wire) => reason)).toEqual(["DpuSilent", "ServerOnSilentDpu"]);
});

it("an authority that was registered before sites said when it ends: shown at once, listed after the next sweep", async () => {
  const site = await openSite();
  const { clock } = site.laptop;
  const to = clock.now() + days(20);
  const { certificate, key } = await newAuthority({ from: clock.now() - days(1), to });
  const registered = await site.admin("PATCH", "sites/site-1", {
    spec: { certificates: { authority: certificate }, secrets: { certificates: key } },
  });
  expect(registered.status, JSON.stringify(registered.body)).toBe(200);
  const ends = registered.body.status.authority_ends;
  expect(Math.abs(Date.parse(ends) - to)).toBeLessThan(1000);
  await storedAs(
    site,
    "site",
    "site-1",
    ({ status: { authority_ends: _, ...status }, ...rest }) => ({
      ...rest,
      status,
    }),
  );
  expect(await conditionsOf(site, "sites/site-1")).toMatchObject([
    {
      type: "SITE_CONDITION_TYPE_AUTHORITY_VALID",
      status: "CONDITION_STATUS_FALSE",
      message: `its authority of certificates ends at ${timeText(ends)}`,
    },
  ]);
  const listed = async () =>
    (await site.admin("GET", "status")).body.attention.filter(
      ({ reason }: Wire) => reason === "CertificateEnds",
    );
  await site.laptop.until(async () => (await listed()).length > 0, "it is listed");
  expect(await listed()).toMatchObject([{ kind: "site", id: "site-1" }]);
});
