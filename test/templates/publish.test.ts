import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { isKind } from "../../core/error.ts";
import { mustLoad } from "../../core/kernel/object/records.ts";
import { readTemplate, type Template } from "../../templates/folder.ts";
import { type Ask, publishTemplate } from "../../templates/publish.ts";
import { type Api, catalogApi, priv } from "../support/api.ts";
import { mainFile, templateFolder } from "./folder.ts";

let api: Api;
let ask: Ask;
let asked: string[];
beforeEach(async () => {
  api = await catalogApi();
  asked = [];
  ask = async (path, { method = "GET", body, headers }) => {
    asked.push(`${method} ${path}`);
    const given = typeof body === "string" ? body : undefined;
    const answer = await api.ask("admin", method, path, given, headers as Record<string, string>);
    return new Response(answer.text, { status: answer.status });
  };
});

function read(folder: string): Template {
  const { template, problems } = readTemplate(folder);
  if (!template) throw new Error(JSON.stringify(problems));
  return template;
}

it("makes a template, changes it, and leaves it when it is the same", async () => {
  const folder = templateFolder();
  expect(await publishTemplate(ask, read(folder))).toEqual({
    id: "tested",
    before: undefined,
    after: 1,
  });
  expect(await publishTemplate(ask, read(folder))).toEqual({ id: "tested", before: 1, after: 1 });
  writeFileSync(join(folder, "template.yaml"), mainFile.replace("size: 2", "size: 3"));
  expect(await publishTemplate(ask, read(folder))).toEqual({ id: "tested", before: 1, after: 2 });
  expect(asked.map((each) => each.split("?")[0])).toEqual([
    `GET ${priv}/cluster_templates/tested`,
    `POST ${priv}/cluster_templates`,
    `GET ${priv}/cluster_templates/tested`,
    `PATCH ${priv}/cluster_templates/tested`,
    `GET ${priv}/cluster_templates/tested`,
    `PATCH ${priv}/cluster_templates/tested`,
  ]);
});

it("clears what the folder no longer says", async () => {
  const full = `${mainFile}version: 4-17-0
network: {pod_cidr: 10.0.0.0/16, service_cidr: 10.1.0.0/16}
allowed_host_types: [large]
operators: [{package: nfd, channel: stable, namespace: nfd}]
on_failure: hold
validation:
  timeout_minutes: 1
  workload: [{apiVersion: batch/v1, kind: Job, metadata: {name: j}}]
`.replace("{size: 2}", "{size: 2, allowed_host_types: [large]}");
  await publishTemplate(ask, read(templateFolder({ "template.yaml": full })));
  await publishTemplate(
    ask,
    read(
      templateFolder({
        "template.yaml": "node_sets: {w: {host_type: small, size: 1}}\n",
        "manifests/sizes.yaml": undefined,
      }),
    ),
  );
  const { spec } = await mustLoad(api.deps, "cluster_template", "tested");
  expect(spec).toEqual({ node_sets: { w: { host_type: "small", size: 1 } }, revision: 2 });
});

it("is published whole: what is stored is what the folder says", async () => {
  const template = read(templateFolder());
  await publishTemplate(ask, template);
  const { spec } = await mustLoad(api.deps, "cluster_template", "tested");
  const [owner, size] = template.content.parameters ?? [];
  const { schema: _, ...plain } = owner ?? {};
  expect(spec).toEqual({ ...template.content, parameters: [plain, size], revision: 1 });
});

it("is refused with the fields that the API names", async () => {
  const folder = templateFolder({
    "template.yaml": mainFile.replace("small", "tiny"),
  });
  const template = read(folder);
  const error = await publishTemplate(ask, template).catch((each: unknown) => each);
  if (!isKind(error, "Invalid")) throw error;
  expect(error.violations).toEqual([
    { field: "node_sets.workers.host_type", message: 'HostType "tiny" not found' },
  ]);
  expect(template.problem(["node_sets", "workers", "host_type"], "x")).toMatchObject({
    line: 7,
    field: "default_host_type",
  });
});

it.each([
  [401, "Unauthenticated"],
  [403, "Forbidden"],
  [409, "Rejected"],
  [503, "Unavailable"],
] as const)("an answer %i is %s", async (status, kind) => {
  const refuse: Ask = () => new Response('{"message":"no"}', { status });
  await expect(publishTemplate(refuse, read(templateFolder()))).rejects.toMatchObject({
    kind,
    message: "no",
  });
});

it("says so when nobody answers, or somebody else", async () => {
  const template = read(templateFolder());
  const nobody: Ask = () => {
    throw new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED") });
  };
  await expect(publishTemplate(nobody, template)).rejects.toMatchObject({
    kind: "Unavailable",
    message: "Slipway cannot be reached: connect ECONNREFUSED",
  });
  const other: Ask = () => new Response("<html>", { status: 200 });
  await expect(publishTemplate(other, template)).rejects.toThrow("is not Slipway");
});
