import { expect, it } from "vitest";
import { pausedAnnotation } from "../../core/ports/bare-metal/metal3/host.ts";
import {
  expectNoAgent,
  hostOf,
  machineOf,
  metal,
  untilHost,
  withMetal,
} from "../support/managed-hosts.ts";
import { accepted } from "../support/matrix/cluster-worlds.ts";
import {
  addServerByMetal3,
  bareMetalHostOf,
  changeBareMetalHost,
} from "../support/metal3-hosts.ts";
import { openSite } from "../support/site.ts";

/** Hosts whose servers Metal3 manages: discovered, used, erased, back. */

it("discovers a server that Metal3 has, erases it after its cluster, and offers it again", {
  tags: "smoke",
}, async () => {
  const site = await openSite();
  await withMetal(site);
  const id = await addServerByMetal3(site, 1);
  await untilHost(site, id, "AVAILABLE");
  const { server, agent } = (await hostOf(site, id)).status;
  expect(server.condition).toBe("SERVER_CONDITION_READY");
  expect(agent.state).toBe("known-unbound");
  const before = server.drives[0].erased_at;
  expect(machineOf(site, 1).images).toEqual({});
  expect(bareMetalHostOf(site, 1)).toMatchObject({
    spec: { consumerRef: { kind: "Host", name: id }, automatedCleaningMode: "disabled" },
  });
  const cluster = await site.order("c1", { template: { id: metal } });
  expect((await site.settled(cluster)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  await site.api("DELETE", `clusters/${cluster}`);
  expect((await site.settled(cluster)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  await untilHost(site, id, "CLEANING");
  await untilHost(site, id, "AVAILABLE");
  const after = (await hostOf(site, id)).status.server.drives[0].erased_at;
  expect(Date.parse(after)).toBeGreaterThan(Date.parse(before));
});

it("sets a server aside that somebody else has from Metal3, and leaves it as it is", async () => {
  const site = await openSite();
  await withMetal(site);
  const consumerRef = { kind: "Metal3Machine", namespace: "capm3", name: "worker-0" };
  const id = await addServerByMetal3(site, 1, { consumerRef });
  const before = bareMetalHostOf(site, 1).spec;
  await untilHost(site, id, "QUARANTINED");
  expect((await hostOf(site, id)).status.message).toContain(
    "its consumer is Metal3Machine capm3 worker-0",
  );
  expect(bareMetalHostOf(site, 1).spec).toEqual(before);
});

it("sets a server aside whose drives it cannot reach, as Metal3 erases none", async () => {
  const site = await openSite();
  await withMetal(site, { url_boot: false });
  const id = await addServerByMetal3(site, 1, {}, { hasCredentials: false });
  await untilHost(site, id, "QUARANTINED");
  expect((await hostOf(site, id)).status.message).toContain("Metal3 erases no drives");
});

it("waits while Metal3 fails to reach a server", async () => {
  const site = await openSite();
  await withMetal(site);
  const operation = "metal3 registration error";
  site.world.faults.add({ target: "bmc:server-1", operation, fault: "hold", count: 0 });
  const id = await addServerByMetal3(site, 1);
  await untilHost(site, id, "DISCOVERING");
  await site.laptop.until(
    async () => bareMetalHostOf(site, 1).status?.operationalStatus === "error",
    "Metal3 to fail",
  );
  site.world.faults.clear();
  await untilHost(site, id, "AVAILABLE");
});

it("waits while somebody has paused a server at Metal3, and says so", async () => {
  const site = await openSite();
  await withMetal(site);
  const id = await addServerByMetal3(site, 1);
  changeBareMetalHost(site, 1, {}, { [pausedAnnotation]: "" });
  await site.laptop.pass(2 * 60 * 60_000);
  const { status } = await hostOf(site, id);
  expect(status.state).toBe("HOST_STATE_DISCOVERING");
  const { body } = await site.admin("GET", `operations/${status.operation.id ?? status.operation}`);
  expect(JSON.stringify(body.status)).toContain(
    "Metal3 does nothing for the BareMetalHost servers/server-1: it is paused",
  );
  changeBareMetalHost(site, 1, {}, {});
  await untilHost(site, id, "AVAILABLE");
});

it("sets a server aside that never boots the discovery image, until a person asks again", async () => {
  const site = await openSite();
  await withMetal(site);
  site.world.faults.add({ target: "bmc:server-1", operation: "boot", fault: "error", count: 0 });
  const id = await addServerByMetal3(site, 1);
  await untilHost(site, id, "QUARANTINED");
  await expectNoAgent(site, id);
  site.world.faults.clear();
  accepted(await site.admin("POST", `hosts/${id}/retry`));
  await untilHost(site, id, "AVAILABLE");
});

it("gives a server up whose host is deleted", async () => {
  const site = await openSite();
  await withMetal(site);
  const id = await addServerByMetal3(site, 1);
  await untilHost(site, id, "AVAILABLE");
  expect((await site.admin("DELETE", `hosts/${id}`)).status).toBe(200);
  await site.laptop.until(
    async () => bareMetalHostOf(site, 1).spec?.consumerRef === undefined,
    "the server to be given up",
  );
  await site.laptop.until(async () => machineOf(site, 1).power === "Off", "the server to be off");
});

it("waits for a server that another host has not given up yet", async () => {
  const site = await openSite();
  await withMetal(site);
  const consumerRef = { apiVersion: "slipway.dev/v1", kind: "Host", name: "a-host-before" };
  const id = await addServerByMetal3(site, 1, { consumerRef });
  await untilHost(site, id, "DISCOVERING");
  changeBareMetalHost(site, 1, { consumerRef: undefined });
  await untilHost(site, id, "AVAILABLE");
});
