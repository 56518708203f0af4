import { expect, it } from "vitest";
import { minutes } from "../../core/clock.ts";
import { hostId } from "../../sim/host.ts";
import { wrongInBooks } from "../support/books.ts";
import { controllerOf, newServer } from "../support/servers.ts";
import { openSite } from "../support/site.ts";

it("the books show what a server holds for nobody, and a tenant's data on one that is free", async () => {
  const site = await openSite();
  const { world, laptop } = site;
  const host = newServer("server-1", 1, "hpe");
  const { name, hub, host_type, bmc, nics } = host;
  const id = hostId(name);
  world.addHost(host);
  await site.admin("POST", "hosts", { metadata: { name }, spec: { hub, host_type, bmc, nics } });
  const controller = controllerOf(world, laptop.clock, host);
  const wrong = () => wrongInBooks(site);
  expect(await wrong()).toEqual([]);

  await controller.insertMedia(world.hub(hub).image ?? "");
  expect(await wrong()).toEqual([`an image is left in the virtual drive ${id}/2`]);
  await controller.bootOnce({ from: "media" });
  await controller.powerOn();
  await laptop.pass(minutes(3));
  await controller.ejectMedia();
  expect(await wrong()).toEqual([`server ${id} is on for nobody`]);
  await laptop.pass(minutes(6));
  expect(await wrong()).toEqual([]);

  world.bmcs.machines.write(id, "a-tenant");
  expect(await wrong()).toEqual([
    `a server is free that was not erased: ${id}/Disk.Bay.0/a-tenant`,
    `a server is free that was not erased: ${id}/Disk.Bay.1/a-tenant`,
  ]);

  const { username, password } = world.bmcs.credential;
  await world.fetch("https://192.168.200.1/redfish/v1/SessionService/Sessions", {
    method: "POST",
    body: JSON.stringify({ UserName: username, Password: password }),
  });
  expect(await wrong()).toContain(`a session is left open at a controller: ${id}/1`);
});
