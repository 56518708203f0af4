import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse as parseScript } from "acorn";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { refuseNamelessImports } from "../../infra/bundle/named-imports.ts";
import { root } from "../../infra/bundle.ts";
import { bundleCli, bundledCli } from "../../infra/bundle-cli.ts";
import { serve } from "../../local/serve.ts";
import manifest from "../../package.json" with { type: "json" };
import { bundledFile, bundledParts } from "../support/bundled-cli.ts";

it("each part that is imported when needed exports what its source does", async () => {
  const parts = await bundledParts();
  expect(parts.length).toBeGreaterThan(30);
  for (const { source, exports } of parts) {
    const module = await import(/* @vite-ignore */ join(root, source));
    const names = (each: object) => Object.keys(each).toSorted();
    // Node adds this one to what is required.
    const bundled = names(exports).filter((name) => name !== "__esModule");
    // The members of a document are exports of its own.
    if (source.endsWith(".json")) expect(bundled, source).toContain("default");
    else expect(bundled, source).toEqual(names(module));
  }
});

it("refuses to bundle a module in CommonJS that is imported when needed: its names would be lost", () => {
  const inputs = (format: "cjs" | "esm") => ({
    "a.ts": {
      bytes: 1,
      imports: [{ path: "node_modules/b/index.js", kind: "dynamic-import" as const }],
    },
    "node_modules/b/index.js": { bytes: 1, imports: [], format },
  });
  expect(() => refuseNamelessImports({ inputs: inputs("esm") })).not.toThrow();
  expect(() => refuseNamelessImports({ inputs: inputs("cjs") })).toThrow("node_modules/b/index.js");
});

/** Nodes of this machine that are too old. */
const oldNodes = (process.env.PATH ?? "").split(":").flatMap((folder) => {
  const file = join(folder, "node");
  const { stdout, status } = spawnSync(file, ["--version"], { encoding: "utf8" });
  const version = stdout?.trim().slice(1) ?? "";
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return status === 0 && (major < 22 || (major === 22 && minor < 19)) ? [{ file, version }] : [];
});
if (oldNodes.length === 0) console.log("no Node that is too old is on the path");

it.runIf(oldNodes.length > 0)("a Node that is too old is told so in one sentence", async () => {
  for (const { file, version } of oldNodes)
    for (const args of [["--help"], ["cluster", "list"]]) {
      const { status, stdout, stderr } = spawnSync(file, [await bundledFile(), ...args], {
        encoding: "utf8",
      });
      expect({ status, stdout, stderr }).toEqual({
        status: 2,
        stdout: "",
        stderr: `slipway needs Node ${oldest} or later; this is ${version}\n`,
      });
    }
});

const oldest = manifest.engines.node.replace(">=", "");

it.each([
  ["18.20.8", false],
  ["20.20.2", false],
  ["22.18.0", false],
  ["22.19.0", true],
  ["24.0.0", true],
  ["100.1.0", true],
])("Node %s is new enough: %s", async (version, isEnough) => {
  const claim = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } });`;
  const preload = `data:text/javascript,${encodeURIComponent(claim)}`;
  const { status, stderr } = spawnSync(
    process.execPath,
    ["--import", preload, await bundledFile(), "--version"],
    { encoding: "utf8" },
  );
  expect({ status, stderr }).toEqual(
    isEnough
      ? { status: 0, stderr: "" }
      : { status: 2, stderr: `slipway needs Node ${oldest} or later; this is ${version}\n` },
  );
});

it("its file is read by an old Node, too, and imports no name that this one lacks", async () => {
  const { body } = parseScript(readFileSync(await bundledFile(), "utf8"), {
    ecmaVersion: 2020,
    sourceType: "module",
    allowHashBang: true,
  });
  const names = body.flatMap((each) =>
    each.type === "ImportDeclaration"
      ? each.specifiers.map(({ type, local }) => `${type} ${local.name}`)
      : [],
  );
  // Node has brotli since 11.7.
  expect(names).toEqual([
    "ImportNamespaceSpecifier nodeModule",
    "ImportSpecifier brotliDecompressSync",
  ]);
});

it("is what the package installs as its command", () => {
  expect(join(root, manifest.bin.slipway)).toBe(bundledCli);
});

/** What a command says of a Slipway that has one project, and what it asks. */
async function told(file: string, ...args: string[]) {
  const asked: string[] = [];
  const server = await serve(async (request) => {
    const { headers, method } = request;
    const url = new URL(request.url);
    const body = await request.text();
    const path = `${url.pathname}${url.search}`;
    asked.push([headers.get("authorization"), method, path, body].filter(Boolean).join(" "));
    const project = {
      id: "p",
      metadata: { name: "one" },
      status: { state: "PROJECT_STATE_ACTIVE" },
    };
    const isList = url.searchParams.has("limit");
    return Response.json(isList ? { size: 1, total: 1, items: [project] } : project);
  }, 0);
  const asking = ["--url", server.url, "--token-file", "-"];
  const child = spawn(process.execPath, [file, ...args, ...asking], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end("a-token\n");
  let out = "";
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  const [code] = await once(child, "close");
  await server.close();
  return { asked, code, out };
}

it("the command line is one file that runs anywhere", async () => {
  const folder = mkdtempSync(join(tmpdir(), "slipway-cli-"));
  try {
    const file = join(folder, "slipway.mjs");
    const start = await bundleCli(file);
    expect(statSync(file).size).toBeLessThan(1_200_000);
    // The rest is unpacked by the commands that need it.
    expect(start.parts).toBeGreaterThan(1);
    expect(start.bytes).toBeLessThan(190_000);
    const run = (...args: string[]) => {
      const env = { PATH: process.env.PATH, HOME: folder };
      const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], {
        cwd: folder,
        encoding: "utf8",
        env,
      });
      return { status, stdout, stderr };
    };
    expect(run("--help")).toMatchObject({ status: 0, stdout: expect.stringContaining("cluster") });
    expect(run("explain", "cluster.spec.node_sets")).toMatchObject({ status: 0 });
    expect(run("hub", "rights")).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("ClusterRole"),
    });
    expect(run("cluster", "list")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("no Slipway server is configured"),
    });
    expect(await told(file, "project", "list")).toEqual({
      asked: ["Bearer a-token GET /api/fulfillment/v1/projects?limit=500"],
      code: 0,
      out: "NAME  STATE\none   ACTIVE\n",
    });
    // Both ways of YAML: what is read, and what is printed.
    expect(parse((await told(file, "project", "list", "-o", "yaml")).out)).toMatchObject({
      items: [{ metadata: { name: "one" } }],
    });
    const order = join(folder, "order.yaml");
    writeFileSync(order, "spec: {a: [1, {b: c}]}\n");
    const path = "/api/fulfillment/v1/clusters";
    for (const [args, body] of [
      [["cluster", "create", "--from", order], { spec: { a: [1, { b: "c" }] } }],
      [["cluster", "create", "--set", "spec.a={b: c}"], { spec: { a: { b: "c" } } }],
      [
        ["cluster", "create", "--nodes", "workers=3"],
        { spec: { node_sets: { workers: { size: 3 } } } },
      ],
      [["api", "POST", path, "--from", order], { spec: { a: [1, { b: "c" }] } }],
    ] as const)
      expect(await told(file, ...args)).toMatchObject({
        asked: [`Bearer a-token POST ${path} ${JSON.stringify(body)}`],
        code: 0,
      });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
