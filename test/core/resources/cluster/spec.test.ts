import { beforeEach, describe, expect, it } from "vitest";
import { AppError } from "../../../../core/error.ts";
import type { Json } from "../../../../core/kernel/input/shape.ts";
import type { Caller } from "../../../../core/kernel/request/caller.ts";
import { createObject } from "../../../../core/kernel/request/crud.ts";
import { rehearsal } from "../../../../core/kernel/request/rehearsal.ts";
import { clusterTemplates } from "../../../../core/resources/cluster-template/api.ts";
import { hostTypes } from "../../../../core/resources/host-type/api.ts";
import { createCluster } from "../../../support/clusters.ts";
import type { TestDeps } from "../../../support/deps.ts";
import { ann, depsWithCatalog } from "../../../support/orders.ts";

const root: Caller = { user: "root", tenant: "shared", everywhere: true };

let deps: TestDeps;
beforeEach(async () => {
  deps = await depsWithCatalog(undefined, { small: 1000, large: 1000, huge: 1000 });
  for (const name of ["large", "huge"])
    await createObject(deps, root, hostTypes, { metadata: { name } });
  await createObject(deps, root, clusterTemplates, {
    id: "choosy",
    metadata: { name: "choosy" },
    parameters: [
      { name: "mtu", type: "integer", default: 1400, schema: { minimum: 1280, multipleOf: 4 } },
      { name: "tier", type: "string", required: true, schema: { enum: ["gold", "silver"] } },
      { name: "domain", type: "string", schema: { format: "hostname", maxLength: 10 } },
    ],
    node_sets: {
      workers: { host_type: "small", size: 1 },
      more: { host_type: "small", size: 2 },
      gpu: { host_type: "huge", size: 1, allowed_host_types: ["huge"] },
    },
    allowed_host_types: ["small", "large"],
    spec_defaults: { network: { pod_cidr: "10.0.0.0/16", service_cidr: "10.1.0.0/16" } },
  });
});

async function specOf(spec: { [member: string]: Json }) {
  const body = { metadata: { name: "one" }, spec: { template: "choosy", ...spec } };
  return (await createCluster(rehearsal(deps).deps, ann, body)).object.spec;
}

async function refused(spec: { [member: string]: Json }): Promise<string[]> {
  const error = await specOf(spec).catch((each: unknown) => each);
  if (!(error instanceof AppError)) throw new Error("it was not refused");
  return error.violations.map(({ field, message }) => `${field}: ${message}`);
}
const gold = { template_parameters: { tier: "gold" } };

describe("template parameters", () => {
  it("get their defaults, and stay out when they have none", async () => {
    expect((await specOf(gold)).template_parameters).toEqual({ tier: "gold", mtu: 1400 });
  });

  it("are refused with everything that breaks their schemas", async () => {
    const parameters = { mtu: 1278, tier: "tin", domain: "not a domain" };
    const found = await refused({ template_parameters: parameters });
    expect(found).toEqual([
      "spec.template_parameters.domain: must have <=10 characters",
      "spec.template_parameters.domain: must be a valid hostname",
      "spec.template_parameters.mtu: must be >=1280",
      "spec.template_parameters.mtu: must be a multiple of 4",
      'spec.template_parameters.tier: must be one of "gold", "silver"',
    ]);
  });

  it("are judged by what an Any holds", async () => {
    const any = (type: string, value: Json) => ({
      "@type": `type.googleapis.com/google.protobuf.${type}`,
      value,
    });
    const tier = any("StringValue", "silver");
    const fine = await specOf({ template_parameters: { tier, mtu: any("Int64Value", "1500") } });
    expect(fine.template_parameters).toEqual({ tier: "silver", mtu: 1500 });
    expect(await refused({ template_parameters: { tier, mtu: any("Int64Value", "4") } })).toEqual([
      "spec.template_parameters.mtu: must be >=1280",
    ]);
  });
});

describe("host types", () => {
  it("may be chosen among those that the template allows", async () => {
    const { node_sets } = await specOf({ ...gold, node_sets: { workers: { host_type: "large" } } });
    expect(node_sets).toEqual({
      workers: { host_type: { id: "large", name: "large" }, size: 1 },
      more: { host_type: { id: "small", name: "small" }, size: 2 },
      gpu: { host_type: { id: "huge", name: "huge" }, size: 1 },
    });
  });

  it("are refused otherwise, a node set's own list before the template's", async () => {
    const node_sets = { workers: { host_type: "huge" }, gpu: { host_type: "large" } };
    expect(await refused({ ...gold, node_sets })).toEqual([
      "spec.node_sets.gpu.host_type: should be one of huge, but it is large",
      "spec.node_sets.workers.host_type: should be one of small, large, but it is huge",
    ]);
  });
});

describe("the network", () => {
  it("is the template's where the order says nothing", async () => {
    expect((await specOf(gold)).network).toEqual({
      pod_cidr: "10.0.0.0/16",
      service_cidr: "10.1.0.0/16",
    });
    const { network } = await specOf({ ...gold, network: { pod_cidr: "10.4.0.0/16" } });
    expect(network).toEqual({ pod_cidr: "10.4.0.0/16", service_cidr: "10.1.0.0/16" });
  });

  it("is refused where the order's part overlaps the template's", async () => {
    expect(await refused({ ...gold, network: { pod_cidr: "10.0.0.0/8" } })).toEqual([
      "spec.network.service_cidr: overlaps pod_cidr",
    ]);
  });
});
