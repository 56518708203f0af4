import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/**
 * The real `sst.config.ts` and SST's real components under Pulumi's mocks: what would be
 * registered, without an account. It needs SST's platform (`npm run infra:prepare`). One stage a
 * test file: the modules of a stack are loaded once a process.
 */

export const root = resolve(import.meta.dirname, "../..");
const platform = join(root, ".sst/platform");

/** Why nothing can be synthesised; undefined when it can. */
export const missingPlatform = existsSync(join(platform, "node_modules"))
  ? undefined
  : "SST's platform is not there: npm run infra:prepare";

export interface Resource {
  type: string;
  name: string;
  // What a resource is made of is as various as AWS.
  inputs: Inputs;
}
export type Inputs = Record<string, unknown>;

export interface Synthesis {
  app: Record<string, unknown>;
  /** What is made; what is only read of others is not among them. */
  resources: Resource[];
  outputs: Record<string, unknown>;
  /** Folders that were handed to SST as bundles. */
  bundles: string[];
}

const accountId = "123456789012";
const region = "us-east-1";

/** What the account is like. */
interface Account {
  /** Concurrent runs of Lambda functions. */
  runs?: number;
  /** The zone that all of its subnets are in. */
  zone?: string;
}

interface Options extends Account {
  /** Where resources are recorded, also of a deploy that fails. */
  resources?: Resource[];
  /** As `sst dev` does it. */
  dev?: boolean;
}

export async function synthesise(
  stage: string,
  stages: string,
  { resources = [], dev = false, ...account }: Options = {},
): Promise<Synthesis> {
  const work = mkdtempSync(join(tmpdir(), "slipway-synth-"));
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
    await pulumi.runtime.runInPulumiStack(async () => {
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
    return { app, resources, outputs: resolved, bundles: cli.bundles };
  } finally {
    cli.close();
    rmSync(work, { recursive: true, force: true });
    for (const name of Object.keys(environment)) delete process.env[name];
  }
}

/** What SST's program asks its command line for, over HTTP. */
async function fakeCli(work: string) {
  const bundles: string[] = [];
  const answer = (method: string, given: { bundle?: string; functionID: string }): unknown => {
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
  return { url: `http://127.0.0.1:${port}`, bundles, close: () => server.close() };
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

/** Pulumi's engine and AWS's provider: they record, and answer what AWS would make of it. */
function mocks(resources: Resource[], { runs = 1000, zone }: Account) {
  return {
    newResource({ type, name, inputs: sealed, id: read }: Resource & { id?: string }) {
      const inputs = unsealed(sealed) as Inputs;
      if (!read) resources.push({ type, name, inputs });
      return { id: `${madeLater}${name}`, state: { ...inputs, ...made(type, name, inputs) } };
    },
    call({ token, inputs }: { token: string; inputs: Inputs }) {
      switch (token) {
        case "aws:index/getRegion:getRegion":
          return { name: region, region };
        case "aws:index/getPartition:getPartition":
          return { partition: "aws" };
        case "aws:index/getCallerIdentity:getCallerIdentity":
          return { accountId };
        case "aws:index/getAvailabilityZones:getAvailabilityZones":
          return { names: ["us-east-1a", "us-east-1b", "us-east-1c"] };
        case "aws:servicequotas/getServiceQuota:getServiceQuota":
          return { ...inputs, value: runs };
        case "aws:ec2/getSubnet:getSubnet": {
          // One in each zone, called after it.
          const own = `${region}${String(inputs.id).at(-1)}`;
          return { ...inputs, vpcId: "vpc-0123456789abcdef0", availabilityZone: zone ?? own };
        }
        case "aws:dynamodb/getTable:getTable": {
          const arn = `arn:aws:dynamodb:${region}:${accountId}:table/${inputs.name}`;
          return { ...inputs, arn, streamArn: `${arn}/stream/2026-02-02T00:00:00.000` };
        }
        case "aws:secretsmanager/getSecretVersion:getSecretVersion":
          return { ...inputs, secretString: "key-of-an-endpoint" };
        case "aws:iam/getPolicyDocument:getPolicyDocument":
          return { ...inputs, json: policyDocument(inputs.statements as PolicyStatement[]) };
        default:
          return inputs;
      }
    },
  };
}

interface PolicyStatement {
  effect?: string;
  actions: string[];
  resources?: string[];
  principals?: { type: string; identifiers: string[] }[];
}

/** As AWS's provider writes it. */
const policyDocument = (statements: PolicyStatement[]): string =>
  JSON.stringify({
    Version: "2012-10-17",
    Statement: statements.map(({ effect = "Allow", actions, resources, principals }) => ({
      Effect: effect,
      Action: actions,
      ...(resources && { Resource: resources }),
      ...(principals && {
        Principal: Object.fromEntries(principals.map((each) => [each.type, each.identifiers])),
      }),
    })),
  });

/** Ids that AWS makes begin with it here: nothing is known of them before. */
const madeLater = "id-of-";

export const isMadeLater = (value: unknown): boolean =>
  typeof value === "string" && value.includes(madeLater);

/** What AWS adds to a resource. */
function made(type: string, logical: string, inputs: Inputs): Inputs {
  const name = typeof inputs.name === "string" ? inputs.name : logical;
  const arn = (service: string, rest: string) =>
    `arn:aws:${service}:${region}:${accountId}:${rest}`;
  switch (type) {
    case "aws:dynamodb/table:Table":
      return {
        arn: arn("dynamodb", `table/${name}`),
        streamArn: arn("dynamodb", `table/${name}/stream/2026-01-01T00:00:00.000`),
      };
    case "aws:lambda/function:Function": {
      const own = arn("lambda", `function:${name}`);
      return { name, arn: own, qualifiedArn: `${own}:1`, invokeArn: `invoke:${own}` };
    }
    case "aws:sfn/stateMachine:StateMachine": {
      const own = arn("states", `stateMachine:${name}`);
      return { arn: own, stateMachineVersionArn: `${own}:1` };
    }
    case "aws:cloudwatch/logGroup:LogGroup":
      return { name, arn: arn("logs", `log-group:${name}`) };
    case "aws:sqs/queue:Queue":
      return { name, arn: arn("sqs", name), url: `https://sqs.${region}.amazonaws.com/${name}` };
    case "aws:cloudwatch/eventBus:EventBus":
      return { name, arn: arn("events", `event-bus/${name}`) };
    case "aws:cloudwatch/eventRule:EventRule":
      return { name, arn: arn("events", `rule/${name}`) };
    case "aws:cloudwatch/eventConnection:EventConnection":
      return { name, arn: arn("events", `connection/${name}/0123-4567`) };
    case "aws:cloudwatch/eventApiDestination:EventApiDestination":
      return { name, arn: arn("events", `api-destination/${name}/0123-4567`) };
    case "aws:iam/role:Role":
      return { name, arn: `arn:aws:iam::${accountId}:role/${name}` };
    case "aws:kms/key:Key":
      return { keyId: "key-1", arn: arn("kms", "key/key-1") };
    case "aws:ec2/vpcEndpoint:VpcEndpoint":
      return { dnsEntries: [{ dnsName: `${logical}.vpce.example.com`, hostedZoneId: "Z" }] };
    case "aws:apigatewayv2/api:Api":
      return { apiEndpoint: "https://api.example.com", executionArn: arn("execute-api", "api") };
    case "random:index/randomBytes:RandomBytes":
      return { base64: Buffer.alloc(32).toString("base64"), hex: "00".repeat(32) };
    default:
      return { name, arn: arn(type.split(":")[1]?.split("/")[0] ?? "mock", logical) };
  }
}

/** Pulumi wraps secrets and assets in objects that carry this signature. */
const signature = "4dabf18193072939515e22adb298388d";

function unsealed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unsealed);
  if (typeof value !== "object" || value === null) return value;
  if (signature in value && "value" in value) return unsealed(value.value);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, unsealed(each)]));
}
