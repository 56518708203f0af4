import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { vi } from "vitest";
import { type Account, mocks, type Resource } from "./pulumi-mocks.ts";

/**
 * The real `sst.config.ts` and SST's real components under Pulumi's mocks: what would be
 * registered, without an account. It needs SST's platform, which `SST_PLATFORM` names. One stage a
 * test file: the modules of a stack are loaded once a process.
 */

export const root = resolve(import.meta.dirname, "../..");
const { SST_PLATFORM = "" } = process.env;
const platform = resolve(root, SST_PLATFORM);

/** Why nothing can be synthesised; undefined when it can. */
export const missingPlatform =
  SST_PLATFORM === ""
    ? "SST_PLATFORM names no platform: npm run test:infra"
    : existsSync(join(platform, "node_modules"))
      ? undefined
      : `SST's platform is not in ${SST_PLATFORM}: npm run infra:prepare`;

export interface Synthesis {
  app: Record<string, unknown>;
  /** What is made; what is only read of others is not among them. */
  resources: Resource[];
  outputs: Record<string, unknown>;
  /** The types of resources that stay in AWS when the stack has them no more. */
  retained: string[];
  /** Folders that were handed to SST as bundles. */
  bundles: string[];
  /** Code that SST bundles and runs by itself, while it is developed on. */
  live: Live[];
}

interface Live {
  handler: string;
  /** Where it comes from, and where SST puts it beside the handler. */
  copyFiles: { from: string; to: string }[];
}

interface Options extends Account {
  /** Where resources are recorded, also of a deploy that fails. */
  resources?: Resource[];
  /** As `sst dev` does it. */
  dev?: boolean;
  /** Whether the functions are bundled as for a deploy; most of the time of a synthesis is that. */
  bundled?: boolean;
}

export async function synthesise(
  stage: string,
  stages: string,
  { resources = [], dev = false, bundled = false, ...account }: Options = {},
): Promise<Synthesis> {
  const work = mkdtempSync(join(tmpdir(), "slipway-synth-"));
  if (!bundled) {
    const builtConsole = () => siteIn(join(work, "console"));
    vi.doMock("../../infra/stack/bundles.ts", () => ({ bundles: () => {}, builtConsole }));
  }
  const cli = await fakeCli(work);
  const environment = {
    SST_SERVER: cli.url,
    SLIPWAY_STAGES: stages,
    SST_TELEMETRY_DISABLED: "1",
  };
  Object.assign(process.env, environment);
  try {
    const load = createRequire(join(platform, "package.json"));
    const pulumi = load("@pulumi/pulumi");
    await pulumi.runtime.setMocks(mocks(resources, account), "slipway", stage, false);
    await setGlobals(stage, work, load, dev);
    const { run } = await import(join(platform, "src/auto/run.ts"));
    const { default: config } = await import(join(root, "sst.config.ts"));
    const app = await config.app({ stage });
    let outputs: unknown;
    let failed: { error: unknown } | undefined;
    const retained: string[] = [];
    await pulumi.runtime.runInPulumiStack(async () => {
      pulumi.runtime.registerStackTransformation(
        ({ type, opts }: { type: string; opts: { retainOnDelete?: boolean } }) => {
          if (opts.retainOnDelete) retained.push(type);
          return undefined;
        },
      );
      try {
        outputs = await run(config.run);
      } catch (error) {
        // Pulumi would throw it again where nobody can catch it.
        failed = { error };
      }
    });
    // Waits for all that is still being registered.
    await pulumi.runtime.disconnect();
    if (failed) throw failed.error;
    const resolved = await new Promise<Record<string, unknown>>((done) =>
      pulumi.output(outputs).apply(done),
    );
    const { bundles, live } = cli;
    return { app, resources, outputs: resolved, retained, bundles, live };
  } finally {
    cli.close();
    rmSync(work, { recursive: true, force: true });
    for (const name of Object.keys(environment)) delete process.env[name];
  }
}

/** A site as a build leaves it: a page, and files with hashes in their names. */
function siteIn(folder: string): string {
  mkdirSync(join(folder, "assets"), { recursive: true });
  writeFileSync(join(folder, "index.html"), "<!doctype html>");
  writeFileSync(join(folder, "icon.svg"), "<svg/>");
  writeFileSync(join(folder, "assets/index-0a1b.js"), "");
  return folder;
}

/** What SST's program asks its command line for, over HTTP. */
async function fakeCli(work: string) {
  const bundles: string[] = [];
  const live: Live[] = [];
  const answer = (method: string, given: Live & { bundle?: string; functionID: string }) => {
    if (method === "Provider.Aws.Bootstrap") {
      return {
        asset: "sst-asset",
        assetEcrRegistryId: "1",
        assetEcrUrl: "ecr",
        state: "sst-state",
        appsyncHttp: "h",
        appsyncRealtime: "r",
      };
    }
    if (method === "Runtime.AddTarget") live.push(given);
    if (method !== "Runtime.Build") return {};
    bundles.push(given.bundle ?? "");
    // What is in it is tested where it is made; here only its zip is made.
    const out = join(work, "src", given.functionID);
    mkdirSync(out, { recursive: true });
    writeFileSync(join(out, "index.mjs"), "");
    return { handler: "index.handler", out, errors: [], sourcemaps: [] };
  };
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      const { method, params } = JSON.parse(body);
      response.end(JSON.stringify({ result: answer(method, params[0]) }));
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, bundles, live, close: () => server.close() };
}

/** The globals that SST gives to a configuration. */
async function setGlobals(
  stage: string,
  work: string,
  load: NodeJS.Require,
  dev: boolean,
): Promise<void> {
  const pulumi = load("@pulumi/pulumi");
  const paths = { home: root, root, work, platform };
  Object.assign(globalThis, {
    $app: {
      name: "slipway",
      stage,
      removal: "remove",
      providers: { aws: {} },
      home: "aws",
      protect: false,
    },
    $dev: dev,
    $cli: { command: dev ? "dev" : "deploy", dev, paths, state: { version: {} } },
    $config: (config: unknown) => config,
    $util: pulumi,
    $output: pulumi.output,
    $apply: pulumi.apply,
    $resolve: pulumi.all,
    $interpolate: pulumi.interpolate,
    $concat: pulumi.concat,
    $jsonParse: pulumi.jsonParse,
    $jsonStringify: pulumi.jsonStringify,
    aws: load("@pulumi/aws"),
  });
  const shim = await import(join(platform, "src/shim/run.js"));
  const names = Object.keys(shim).filter((name) => name.startsWith("$") && name !== "$config");
  for (const name of names) Object.assign(globalThis, { [name]: shim[name] });
  Object.assign(globalThis, { sst: await import(join(platform, "src/components/index.ts")) });
}
