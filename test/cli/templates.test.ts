import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { exits } from "../../cli/exit.ts";
import { type Api, catalogApi } from "../support/api.ts";
import { runBundled as run } from "../support/bundled-cli.ts";
import { temporaryFolder } from "../support/home.ts";
import { recording } from "../support/terminal.ts";
import { mainFile, templateFolder } from "../templates/folder.ts";

let api: Api;
let said: { out: string; err: string };
let requests: { url: string; authorization: string | null }[];
beforeEach(async () => {
  api = await catalogApi();
  said = { out: "", err: "" };
  requests = [];
});

async function fetchApi(url: string, init: RequestInit): Promise<Response> {
  const { href, pathname, search } = new URL(url);
  const headers = new Headers(init.headers);
  requests.push({ url: href, authorization: headers.get("Authorization") });
  const body = typeof init.body === "string" ? init.body : undefined;
  const answer = await api.ask("admin", init.method ?? "GET", pathname + search, body, {
    Accept: headers.get("Accept") ?? "",
  });
  return new Response(answer.text, { status: answer.status });
}

async function templates(args: string[], env: Record<string, string> = {}, fetch = fetchApi) {
  const { around, written } = recording(
    { fetch, now: Date.now, pause: async () => {} },
    { files: { token: "t0\n" } },
  );
  const exit = await run(["template", ...args], { ...around, env: { ...around.env, ...env } });
  said = { out: said.out + written.out, err: said.err + written.err };
  return exit;
}
const there = ["--url", "http://127.0.0.1:4400/", "--token-file", "token"];

describe("validate", () => {
  it("says that folders are fine", async () => {
    const folders = [templateFolder(), templateFolder({}, { id: "other" })];
    expect(await templates(["validate", ...folders])).toBe(exits.done);
    expect(said).toEqual({ out: "tested: fine\nother: fine\n", err: "" });
    expect(requests).toEqual([]);
  });

  it("says everything that is wrong, of every folder, by file, line, column and field", async () => {
    const one = templateFolder({ "template.yaml": mainFile.replace("size: 2", "size: 0") });
    const two = templateFolder({ "manifests/sizes.yaml": "" });
    expect(await templates(["validate", one, two])).toBe(exits.refused);
    expect(said.out).toBe("");
    const lines = said.err.trim().split("\n");
    expect(lines[0]).toBe(`${one}/template.yaml:9:13: node_sets.workers.size: must be >=1`);
    expect(lines).toContain(`${two}/manifests/sizes.yaml:1:1: is empty`);
  });
});

describe("init", () => {
  it("writes a template that validates and is published, and touches no folder that is there", async () => {
    const folder = join(temporaryFolder(), "mine");
    const init = ["init", folder, "--host-type", "small"];
    expect(await templates(init)).toBe(exits.done);
    expect(said.out).toBe("mine: fine\n");
    expect(said.err).toContain(`written  ${folder}/template.yaml\n`);
    expect(await templates(["publish", folder, ...there])).toBe(exits.done);
    expect(said.out).toContain("mine: new at revision 1\n");
    expect(await templates(init)).toBe(exits.usage);
    expect(said.err).toContain(`${folder} already exists`);
    expect(await templates(["init", `${folder}2`])).toBe(exits.usage);
  });
});

describe("publish", () => {
  it("prints the old and the new revision", async () => {
    const folder = templateFolder();
    expect(await templates(["publish", folder, ...there])).toBe(exits.done);
    expect(await templates(["publish", folder, ...there])).toBe(exits.done);
    writeFileSync(join(folder, "template.yaml"), mainFile.replace("size: 2", "size: 3"));
    expect(await templates(["publish", folder, ...there])).toBe(exits.done);
    expect(said).toEqual({
      out: "tested: new at revision 1\ntested: unchanged at revision 1\ntested: revision 1 → 2\n",
      err: "",
    });
    expect(requests[0]).toEqual({
      url: "http://127.0.0.1:4400/api/private/v1/cluster_templates/tested",
      authorization: "Bearer t0",
    });
  });

  it("publishes nothing when one folder is wrong", async () => {
    const wrong = templateFolder({ "template.yaml": "" });
    expect(await templates(["publish", templateFolder(), wrong, ...there])).toBe(exits.refused);
    expect(requests).toEqual([]);
  });

  it("says where in the file what the API refuses stands", async () => {
    const text = `${mainFile}version: 9-9-9\n`;
    const folder = templateFolder({ "template.yaml": text });
    expect(await templates(["publish", folder, ...there])).toBe(exits.refused);
    expect(said.err).toBe(
      `${folder}/template.yaml:11:1: version: ClusterVersion "9-9-9" not found\n`,
    );
  });

  it("takes its target from the environment, else from the local Slipway", async () => {
    const env = { SLIPWAY_URL: "http://127.0.0.1:1/", SLIPWAY_TOKEN: "t1" };
    expect(await templates(["publish", templateFolder()], env)).toBe(exits.done);
    const data = mkdtempSync(join(tmpdir(), "slipway-"));
    onTestFinished(() => rmSync(data, { recursive: true }));
    writeFileSync(
      join(data, "dev.json"),
      JSON.stringify({ api: "http://127.0.0.1:2", tokens: { admin: "t2" } }),
    );
    const local = { SLIPWAY_DATA: data };
    expect(await templates(["publish", templateFolder()], local)).toBe(exits.done);
    expect(requests.map(({ authorization }) => authorization)).toEqual([
      "Bearer t1",
      "Bearer t1",
      "Bearer t2",
      "Bearer t2",
    ]);
  });

  it("tells a refusal of the caller from a Slipway that is unreachable", async () => {
    const answer = (status: number) => () =>
      Promise.resolve(new Response('{"message":"permission denied"}', { status }));
    const folder = templateFolder();
    expect(await templates(["publish", folder, ...there], {}, answer(403))).toBe(exits.refused);
    expect(await templates(["publish", folder, ...there], {}, answer(503))).toBe(exits.unreachable);
    expect(said.err).toBe("tested: permission denied\n".repeat(2));
  });
});

it.each([
  ["no folder", ["validate"]],
  ["an unknown command", ["apply", "x"]],
  ["an unknown option", ["validate", "x", "--force"]],
])("%s is wrong usage", async (_, args) => {
  expect(await templates(args)).toBe(exits.usage);
  expect(said.err).toMatch(/^error: /);
});

it("publishing nowhere, or to what is no address, is wrong usage", async () => {
  const folder = templateFolder();
  expect(await templates(["publish", folder])).toBe(exits.usage);
  expect(await templates(["publish", folder, "--url", "http://x"])).toBe(exits.loggedOut);
  expect(await templates(["publish", folder, "--url", "x", "--token-file", "token"])).toBe(
    exits.usage,
  );
});
