import { expect, it } from "vitest";
import { minutes } from "../../core/clock.ts";
import { hostId } from "../../sim/host.ts";
import { addNode, addNodeHost, askIronic, nodeName, withIronic } from "../support/ironic-hosts.ts";
import { hostOf, machineOf, metal, untilHost, withMetal } from "../support/managed-hosts.ts";
import { addServerByMetal3, bareMetalHostOf } from "../support/metal3-hosts.ts";
import { openSite, type Site } from "../support/site.ts";

/** Another server than the known one, where a service manages servers: it is not touched. */

const swap = (site: Site) =>
  site.world.faults.add({
    ...{ target: "bmc:server-1", operation: "another server" },
    ...{ fault: "hold", count: 0 },
  });

const ask = async (site: Site, id: string, verb: string) =>
  (await site.admin("POST", `hosts/${id}/${verb}`)).status;
const identityOf = async (site: Site, id: string) => (await hostOf(site, id)).status.identity;

const byMetal3 = async (options = {}) => {
  const site = await openSite();
  await withMetal(site);
  const id = await addServerByMetal3(site, 1, {}, options);
  return { site, id };
};

it("is known of Metal3's by its controller, and by what Metal3's inspection has found", {
  tags: "smoke",
}, async () => {
  const { site, id } = await byMetal3();
  await untilHost(site, id, "AVAILABLE");
  expect((await identityOf(site, id)).known).toEqual({
    serial_number: machineOf(site, 1).serial.toUpperCase(),
    uuid: hostId("server-1"),
    record: bareMetalHostOf(site, 1).metadata.uid,
    since: expect.any(String),
  });
});

it("is not erased at its controller when Metal3 has let go of it", async () => {
  const { site, id } = await byMetal3();
  await untilHost(site, id, "AVAILABLE");
  const cluster = await site.order("c1", { template: { id: metal } });
  expect((await site.settled(cluster)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  swap(site);
  await site.api("DELETE", `clusters/${cluster}`);
  await site.settled(cluster);
  await untilHost(site, id, "QUARANTINED");
  expect((await hostOf(site, id)).status.message).toContain("reports serial number ANOTHER-");
  expect(site.world.bmcs.touched()).toEqual([]);
  site.world.faults.clear();
  expect(await ask(site, id, "retry")).toBe(200);
  await untilHost(site, id, "AVAILABLE");
  expect(machineOf(site, 1).drives.every(({ written }) => written === undefined)).toBe(true);
});

/** Somebody has enrolled another server by the name of the node. */
async function enrolAnother(site: Site) {
  await askIronic(site, "DELETE", `/v1/nodes/${nodeName(1)}`);
  await addNode(site, 2, nodeName(1));
}

it("is known of Ironic's by its node: one that was enrolled anew is not touched until a person accepts it", async () => {
  const site = await openSite();
  await withIronic(site);
  await withMetal(site, { url_boot: false });
  await addNode(site, 1);
  const id = await addNodeHost(site, 1);
  await untilHost(site, id, "AVAILABLE");
  const { known } = await identityOf(site, id);
  expect(known).toEqual({ record: expect.any(String), since: expect.any(String) });
  await enrolAnother(site);
  const before = machineOf(site, 2);
  expect(await ask(site, id, "validate")).toBe(200);
  await untilHost(site, id, "QUARANTINED");
  await site.laptop.pass(minutes(10));
  expect((await hostOf(site, id)).status.message).toContain(
    `expected the server with record ${known.record}`,
  );
  const { power, boot, images, drives, tasks } = machineOf(site, 2);
  expect({ power, boot, images, drives, tasks }).toMatchObject({
    ...{ power: before.power, boot: before.boot, images: {}, drives: before.drives, tasks: [] },
  });
  expect(await ask(site, id, "accept_identity")).toBe(200);
  expect((await identityOf(site, id)).known).toMatchObject({ accepted_by: expect.any(String) });
});
