import { describe, expect, it } from "vitest";
import { domainFault, domainOf } from "../../../../core/resources/cluster/domain.ts";
import { clusterRecord } from "../../../support/cluster-record.ts";

const metadataOf = (name: string, project?: string) => ({
  ...clusterRecord(0).metadata,
  name,
  ...(project === undefined ? {} : { project }),
});

it.each([
  ["web", undefined, "web.tenant-a.example.com"],
  ["web", "shop", "web.shop.tenant-a.example.com"],
  ["web", "shop.eu", "web.eu.shop.tenant-a.example.com"],
])("the DNS name of %s in project %s is %s", (name, project, domain) => {
  expect(domainOf({ metadata: metadataOf(name, project) }, "example.com")).toBe(domain);
});

it("a name that was claimed stays, whatever its hub is told later", () => {
  const site = { id: "site", parts: {}, domain: "web.tenant-a.before.example.com" };
  expect(domainOf({ metadata: metadataOf("web"), site }, "after.example.com")).toBe(site.domain);
});

describe("a cluster whose DNS name would not do", () => {
  const long = "x".repeat(63);

  it.each([
    ["apps", undefined, undefined],
    ["apps", "shop", "metadata.name"],
    ["web", "apps", "metadata.project"],
    ["web", "shop.apps", "metadata.project"],
    ["web", "shop.eu", undefined],
    [long, undefined, undefined],
    [long, `${long}.${long}`, "metadata.project"],
  ])("%s in project %s: %s", (name, project, field) => {
    expect(domainFault(metadataOf(name, project))?.field).toBe(field);
  });
});
