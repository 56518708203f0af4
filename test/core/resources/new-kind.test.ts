import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";

/** A copy of the code in which the checklist of docs/adding-things.md for a kind is followed, with its example. */

const root = new URL("../../../", import.meta.url).pathname;
const copy = mkdtempSync(join(tmpdir(), "slipway-new-kind-"));
const run = (...args: string[]): string =>
  execFileSync(process.execPath, args, { cwd: copy, encoding: "utf8" });
const textOf = (path: string): string => readFileSync(join(copy, path), "utf8");

beforeAll(() => {
  for (const path of ["core", "functions", "statemachines", "docs", "test/support", "package.json"])
    cpSync(join(root, path), join(copy, path), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));

  // 1. A folder.
  const [, listing = ""] = /```ts\n(.*?)```/s.exec(textOf("docs/new-kind.md")) ?? [];
  mkdirSync(join(copy, "core/resources/network-plan"));
  writeFileSync(join(copy, "core/resources/network-plan/kind.ts"), listing);
  // 2. A line.
  const index = textOf("core/resources/index.ts");
  const [before = "", after = ""] = index.split("] as const;");
  const changed = `${before}  "network-plan",\n] as const;${after}`;
  writeFileSync(join(copy, "core/resources/index.ts"), changed);
  // 4. What follows.
  run("core/resources/generate.ts");
  run("functions/api/generate.ts");
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

it("compiles", () => {
  const config = { extends: join(root, "tsconfig.json"), include: ["core", "functions"] };
  writeFileSync(join(copy, "tsconfig.json"), JSON.stringify(config));
  expect(run("node_modules/typescript/bin/tsc", "--noEmit")).toBe("");
});

it("is described: its paths, its events and who may do what", { tags: "smoke" }, () => {
  const { paths } = JSON.parse(textOf("functions/api/generated/openapi.json"));
  for (const base of ["/api/fulfillment/v1", "/api/private/v1"]) {
    expect(Object.keys(paths[`${base}/network_plans`])).toEqual(["get", "post"]);
    expect(Object.keys(paths[`${base}/network_plans/{id}`])).toEqual(["get", "patch", "delete"]);
  }
  expect(textOf("docs/events/asyncapi.json")).toContain("slipway.network_plan.created");
});

it("can be made, listed, found by a filter, changed and deleted, and is told of", {
  tags: "smoke",
}, () => {
  const script = `
    import { publish } from "./core/kernel/events/publish.ts";
    import { mustLoad } from "./core/kernel/object/records.ts";
    import { documentations } from "./core/resources/generated/documentations.ts";
    import { catalogApi, v1 } from "./test/support/api.ts";
    const api = await catalogApi();
    const path = v1 + "/network_plans";
    const said = [];
    const ask = async (person, method, path, body) => {
      const answer = await api.ask(person, method, path, body);
      said.push(answer.status);
      return answer.body;
    };
    const { id } = await ask("ann", "POST", path, documentations.network_plan.example);
    await publish(api.deps, await mustLoad(api.deps, "network_plan", id));
    const filter = encodeURIComponent('this.spec.region == "eu-west"');
    const { items } = await ask("ann", "GET", path + "?filter=" + filter);
    const theirs = await ask("bob", "GET", path);
    await ask("bob", "GET", path + "/" + id);
    const changed = await ask("ann", "PATCH", path + "/" + id, { spec: { cidr: "10.2.0.0/16" } });
    const refused = await ask("ann", "PATCH", path + "/" + id, { spec: { region: "eu-north" } });
    await ask("ann", "DELETE", path + "/" + id);
    await ask("ann", "GET", path + "/" + id);
    const { text } = await api.ask("amy", "GET", "/api/events/v1/events?last_event_id=0");
    console.log(JSON.stringify({
      said,
      found: items.map(({ metadata }) => metadata.name),
      theirs: theirs.total,
      cidr: changed.spec.cidr,
      violations: refused.errors,
      told: text.split("\\n").filter(Boolean).map((line) => JSON.parse(line).result.event),
    }));`;
  writeFileSync(join(copy, "ask.ts"), script);
  expect(JSON.parse(run("ask.ts"))).toEqual({
    said: [200, 200, 200, 404, 200, 400, 200, 404],
    found: ["backend"],
    theirs: 0,
    cidr: "10.2.0.0/16",
    violations: [{ field: "spec.region", message: "field 'spec.region' is immutable" }],
    told: [
      {
        id: expect.any(String),
        type: "EVENT_TYPE_OBJECT_CREATED",
        network_plan: expect.objectContaining({
          spec: { cidr: "10.1.0.0/16", region: "eu-west" },
        }),
      },
    ],
  });
});
