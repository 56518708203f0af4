import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleAll, bundleEntry, root } from "../infra/bundle.ts";
import { gatewayEvent } from "../test/support/aws-events/api-gateway.ts";
import { bundleEnvironment, issuer } from "../test/support/bundle-environment.ts";
import { fakeAws } from "../test/support/fake-aws.ts";
import { importCost } from "./cold/import-cost.ts";
import { partsOf } from "./cold/parts.ts";
import { median } from "./median.ts";

const person = { iss: issuer, sub: "ann", tenant: "tenant-a", roles: ["tenant-admin"] };
/** Unsigned: the gateway has verified the token, and passes lists on as text. */
const token = ["", JSON.stringify(person), ""].map((part) =>
  Buffer.from(part).toString("base64url"),
);
const request = gatewayEvent({
  path: "/api/fulfillment/v1/clusters",
  headers: { Authorization: `Bearer ${token.join(".")}` },
  authorizer: { jwt: { claims: { ...person, roles: "[tenant-admin]" }, scopes: null } },
});

/** The number of fresh processes for each bundle. */
const rounds = 15;

/**
 * `npm run bench -- cold`: the cost of a function's cold start: the bytes that it reads, and the CPU of importing its
 * bundle in a fresh process. Hono and the DynamoDB client alone, measured the same way, are the lower bound of an API
 * on both.
 */
export async function bench(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "slipway-cold-"));
  try {
    const bundles = [
      ...(await bundleAll(folder)),
      await bundleEntry("hono alone", "bench/cold/hono-alone.ts", folder),
      await bundleEntry("dynamodb alone", "bench/cold/dynamodb-alone.ts", folder),
    ];
    const costs = new Map(bundles.map(({ name }) => [name, [] as number[]]));
    const environment = bundleEnvironment("http://127.0.0.1:9");
    // Alternating, so that other load on the machine affects all of them.
    for (let round = 0; round < rounds; round++)
      for (const { name, file } of bundles)
        costs.get(name)?.push(await importCost(file, environment));

    const aws = await fakeAws();
    const answers: number[] = [];
    const api = bundles.find(({ name }) => name === "api")?.file ?? "";
    for (let round = 0; round < rounds; round++)
      answers.push(await importCost(api, bundleEnvironment(aws.url), request));
    aws.close();

    const costOf = (name: (typeof bundles)[number]["name"]) =>
      rounded(median(costs.get(name) ?? []), 1);
    const client = costOf("dynamodb alone");
    const measured = Object.fromEntries(
      bundles.map(({ name, bytes }) => [
        name,
        { bytes, import_cpu_ms: costOf(name), times_client: rounded(costOf(name) / client, 2) },
      ]),
    );
    console.log(`median of ${rounds} processes`);
    console.table(measured);
    console.log(`api with its first request, a page of clusters: ${median(answers).toFixed(1)} ms`);
    console.log("what is loaded at the start, in KB");
    for (const { name, file, meta } of bundles)
      console.log(`${name}: ${partsOf(file, root, meta)}`);
    console.log(JSON.stringify({ rounds, node: process.version, bundles: measured }));
  } finally {
    await rm(folder, { recursive: true });
  }
}

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));
