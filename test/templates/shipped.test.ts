import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import {
  onFailure,
  operatorsOf,
  renderedManifests,
  validationOf,
} from "../../core/resources/cluster-template/content/render.ts";
import type { TemplateContent } from "../../core/resources/cluster-template/model.ts";
import { readTemplate, templateFolders } from "../../templates/folder.ts";
import { openSite } from "../support/site.ts";

const folders = templateFolders(fileURLToPath(new URL("../../templates/", import.meta.url)));

function shipped(id: string): TemplateContent {
  const folder = folders.find((each) => each.endsWith(`/${id}`)) ?? "";
  const { template, problems } = readTemplate(folder);
  expect(problems).toEqual([]);
  return template?.content ?? { node_sets: {} };
}

const defaultsOf = ({ parameters = [] }: TemplateContent) =>
  Object.fromEntries(parameters.map(({ name, default: value = "" }) => [name, value]));
const textOf = (content: TemplateContent, name: string, member: string, values: object = {}) => {
  const all = { ...defaultsOf(content), ...values };
  const found = renderedManifests(content, all).find(({ metadata }) => metadata.name === name);
  return JSON.parse(Object(found?.data)[member]);
};

it("every folder is a template that is fine", () => {
  expect(folders.map((folder) => readTemplate(folder).problems)).toEqual(folders.map(() => []));
  expect(folders.map((folder) => readTemplate(folder).template?.id)).toEqual([
    "ocp_4_17_ai",
    "ocp_4_17_single_node",
    "ocp_4_17_small",
  ]);
});

describe("ocp_4_17_small", () => {
  it("can be ordered without saying anything", () => {
    const { parameters = [], node_sets } = shipped("ocp_4_17_small");
    expect(node_sets).toEqual({ workers: { host_type: "fc430", size: 2 } });
    expect(parameters.length).toBeGreaterThan(0);
    for (const parameter of parameters) expect(parameter.default).toBeDefined();
  });

  it("sets monitoring up as ordered", () => {
    const content = shipped("ocp_4_17_small");
    const values = { monitoring: true, metrics_retention: "7d" };
    expect(textOf(content, "cluster-monitoring-config", "config.yaml", values)).toEqual({
      enableUserWorkload: true,
      prometheusK8s: { retention: "7d" },
    });
  });
});

it("ocp_4_17_ai brings GPU servers, their operators, and proves that a GPU computes", () => {
  const content = shipped("ocp_4_17_ai");
  expect(content.node_sets).toEqual({
    workers: { host_type: "fc430", size: 2 },
    gpu: { host_type: "h100", size: 1 },
  });
  expect(
    operatorsOf(content, defaultsOf(content)).map(({ package: name, channel }) => [name, channel]),
  ).toEqual([
    ["nfd", "stable"],
    ["gpu-operator-certified", "v24.9"],
  ]);
  const slices = textOf(content, "time-slicing", "any", { gpu_time_slices: 4 });
  expect(slices.sharing.timeSlicing.resources).toEqual([{ name: "nvidia.com/gpu", replicas: 4 }]);
  const [job] = validationOf(content, {})?.workload ?? [];
  expect(job).toMatchObject({ kind: "Job", metadata: { name: "vector-add" } });
  expect(JSON.stringify(job)).toContain('"nvidia.com/gpu":1');
});

it("ocp_4_17_single_node is one node that is kept for a look when it fails", () => {
  const content = shipped("ocp_4_17_single_node");
  expect(content.node_sets).toEqual({ workers: { host_type: "fc430", size: 1 } });
  expect(content.storage).toBeUndefined();
  expect(onFailure(content)).toBe("hold");
});

it("all are in the catalog of a new Slipway, and can be ordered there", async () => {
  const site = await openSite();
  const { body } = await site.api("GET", "cluster_templates");
  expect(
    body.items.map(({ id, metadata, revision }: never) => [id, Object(metadata).name, revision]),
  ).toEqual([
    ["ocp_4_17_ai", "ocp-4-17-ai", 1],
    ["ocp_4_17_single_node", "ocp-4-17-single-node", 1],
    ["ocp_4_17_small", "ocp-4-17-small", 1],
  ]);
  for (const [n, template] of ["ocp_4_17_ai", "ocp_4_17_single_node"].entries()) {
    const site1 = template === "ocp_4_17_single_node" ? { site: "pier-1" } : {};
    const order = { metadata: { name: `c${n}` }, spec: { template, template_parameters: site1 } };
    const answer = await site.api("POST", "clusters?dry_run=true", order);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  }
});
