import { expect, it } from "vitest";
import { wrongInBooks } from "../support/books.ts";
import { openSite } from "../support/site.ts";

it("clusters of one name in two projects, at one site, have names of their own in DNS", {
  tags: "smoke",
}, async () => {
  const site = await openSite();
  for (const name of ["shop", "lab"]) await site.api("POST", "projects", { metadata: { name } });
  const ids: string[] = [];
  for (const project of [undefined, "shop", "lab"]) {
    const { status, body } = await site.api("POST", "clusters", {
      metadata: { name: "web", ...(project && { project }) },
      spec: { template: { id: "ocp_4_17_small" }, placement: { region: "eu-west" } },
    });
    expect(status, JSON.stringify(body)).toBe(200);
    ids.push(body.id);
  }
  const names: string[] = [];
  for (const id of ids) {
    expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
    const { status } = await site.cluster(id);
    names.push(status.dns_names[0]);
    expect(status.console_url).toContain(status.dns_names[0].replace(/^api\./, "apps."));
  }
  expect(names).toEqual([
    "api.web.tenant-a.eu-west.example.com",
    "api.web.shop.tenant-a.eu-west.example.com",
    "api.web.lab.tenant-a.eu-west.example.com",
  ]);
  expect(await wrongInBooks(site)).toEqual([]);
});
