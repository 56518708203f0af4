import { expect, it } from "vitest";
import { addServerWithDpus } from "../support/dpus.ts";
import { orderServer, withServers } from "../support/instances.ts";
import { untilHost } from "../support/managed-hosts.ts";
import { atRest, networkWithSubnet } from "../support/networks.ts";
import { withOverlay } from "../support/overlay.ts";
import { openSite, type Site, type Wire } from "../support/site.ts";

/** What has become of servers, their hosts and their DPUs. */

type Ask = Site["admin"];

/** All events of an object that are kept, page by page. */
async function historyOf(ask: Ask, path: string): Promise<Wire[]> {
  const events: Wire[] = [];
  let token = "";
  do {
    const { status, body } = await ask("GET", `${path}/history?limit=3${token}`);
    expect(status, JSON.stringify(body)).toBe(200);
    events.push(...body.items);
    token = body.next_page_token === undefined ? "" : `&page_token=${body.next_page_token}`;
  } while (token !== "");
  return events;
}

/** Each state that an object has come into, with the operation that had it there. */
const statesIn = (events: Wire[]): [string, string | undefined][] =>
  events.flatMap(({ data }) => {
    const { state, operation } = data.object.status;
    const isOther = data.changed.some((path: string) => /^status\.(state|operation)$/.test(path));
    return isOther ? [[state.replace(/^.*_STATE_/, ""), operation]] : [];
  });

it("tell each state of a server, its host and its DPUs, since when, why and by which operation", {
  tags: "smoke",
}, async () => {
  const site = await openSite();
  await withServers(site);
  await withOverlay(site);
  await networkWithSubnet(site);
  const { host, dpus } = await addServerWithDpus(site, 1);
  await untilHost(site, host, "AVAILABLE");
  const id = await orderServer(site, "db-1");
  await atRest(site, "baremetal_instances", id);
  expect((await site.api("DELETE", `baremetal_instances/${id}`)).status).toBe(200);
  expect(await atRest(site, "baremetal_instances", id)).toBeUndefined();
  await untilHost(site, host, "AVAILABLE");

  const operation = expect.any(String);
  const ofHost = await historyOf(site.admin, `hosts/${host}`);
  expect(statesIn(ofHost)).toEqual([
    ["DISCOVERING", operation],
    ["AVAILABLE", undefined],
    ["RESERVED", undefined],
    ["CLEANING", undefined],
    ["CLEANING", operation],
    ["OFF", undefined],
    ["DISCOVERING", operation],
    ["AVAILABLE", undefined],
  ]);
  const held = ofHost.find(({ data }) => data.object.status.state === "HOST_STATE_RESERVED");
  expect(held.data.object.status).toMatchObject({ since: held.time, owner: { id } });
  expect(held.data.changes).toContainEqual({
    path: "status.state",
    ...{ before: "HOST_STATE_AVAILABLE", after: "HOST_STATE_RESERVED" },
  });
  expect(statesIn(await historyOf(site.admin, `dpus/${dpus[0]}`))).toEqual([
    ["PROVISIONING", operation],
    ["READY", undefined],
  ]);
  const ofServer = await historyOf(site.api, `baremetal_instances/${id}`);
  expect(statesIn(ofServer)).toEqual([
    ["RUNNING", operation],
    ["RUNNING", undefined],
    ["DELETING", operation],
  ]);
  // The host is the provider's business, and another tenant's server nobody's.
  expect(JSON.stringify(ofServer)).not.toContain(host);
  expect((await site.neighbour("GET", `baremetal_instances/${id}/history`)).status).toBe(404);
});
