import { expect, it } from "vitest";
import { secretReference } from "../../core/ports/secrets/secrets.ts";
import { addServerWithDpus, dpuOf } from "../support/dpus.ts";
import { orderServer, withServers } from "../support/instances.ts";
import { hostOf, untilHost } from "../support/managed-hosts.ts";
import { atRest, networkWithSubnet } from "../support/networks.ts";
import { withOverlay } from "../support/overlay.ts";
import { openSite, type Site } from "../support/site.ts";

/** What machines report of their health, each by its own token and in the states in which that makes sense. */

const alert = { id: "fan", message: "it stands", classifications: ["prevents_allocation"] };

/** The token that a machine has now. */
function tokenOf({ secrets }: Site, kind: "host" | "dpu", id: string): string | undefined {
  const prefix = secretReference.machineToken(kind, id, "");
  return [...secrets].find(([reference]) => reference.startsWith(prefix))?.[1];
}

async function report(site: Site, token: string, alerts: object[] = [alert]): Promise<number> {
  const answer = await site.world.network.ask(
    new Request("http://controller/site/v1/health", {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ successes: [], alerts }),
    }),
  );
  return answer.status;
}

it("are taken of a DPU from its installation on, of a host while it is discovered, and of a tenant's server never", {
  tags: "smoke",
}, async () => {
  const site = await openSite();
  await withServers(site);
  await withOverlay(site);
  await networkWithSubnet(site);
  const { host, dpus } = await addServerWithDpus(site, 1);
  const [dpu = ""] = dpus;
  const { laptop } = site;
  const machineAlerts = async () =>
    (await hostOf(site, host)).status.health?.alerts.filter(
      ({ source }: { source: string }) => source === "machine",
    );

  // A DPU, once it may be on.
  await laptop.until(async () => (await dpuOf(site, dpu)).boot?.phase === "booting", "it boots");
  const ofDpu = tokenOf(site, "dpu", dpu) ?? "";
  expect(await report(site, ofDpu, [])).toBe(204);

  // The host, from the start of its image until it is admitted.
  const told = async () => (await hostOf(site, host)).status.health?.sources;
  const hasTold = async () =>
    (await told())?.some(({ source }: { source: string }) => source === "machine");
  await laptop.until(hasTold, "what runs in the image has reported");
  const ofHost = tokenOf(site, "host", host) ?? "";
  expect(await machineAlerts()).toEqual([]);
  expect(await report(site, ofHost)).toBe(204);
  expect(await machineAlerts()).toMatchObject([alert]);
  // What it has found keeps the host from orders once it is discovered.
  await untilHost(site, host, "UNHEALTHY");
  expect(tokenOf(site, "host", host)).toBeUndefined();
  expect(await report(site, ofHost, [])).toBe(404);
  const mended = { source: "machine", successes: [], alerts: [] };
  expect((await site.admin("POST", `hosts/${host}/health`, mended)).status).toBe(200);
  await untilHost(site, host, "AVAILABLE");
  expect(await report(site, ofDpu, [])).toBe(204);

  // A tenant's server, whatever it is about.
  const id = await orderServer(site, "db-1");
  await laptop.until(async () => tokenOf(site, "host", host) !== undefined, "it boots its image");
  const ofServer = tokenOf(site, "host", host) ?? "";
  expect(await report(site, ofServer)).toBe(404);
  await atRest(site, "baremetal_instances", id);
  expect(await report(site, ofServer)).toBe(404);
  expect(await report(site, "no token")).toBe(404);
  expect(await machineAlerts()).toEqual([]);
});
