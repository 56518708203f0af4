import { join } from "node:path";
import vm from "node:vm";
import { beforeAll, describe, expect, it } from "vitest";
import { policyFor } from "../../console/headers.ts";
import type { Inputs } from "../support/pulumi-mocks.ts";
import { Stack } from "../support/stack.ts";
import { missingPlatform, root, synthesise } from "../support/synth.ts";
import { expectTaken } from "./models/verdict.ts";

interface Behavior {
  pathPattern?: string;
  targetOriginId: string;
  cachePolicyId: string;
  originRequestPolicyId: string;
  responseHeadersPolicyId: string;
  functionAssociations?: { eventType: string; functionArn: string }[];
}

/** Whether a function of CloudFront's is ours, and not SST's. */
const isOfViewers = ({ name }: Inputs): boolean => String(name).endsWith("-viewers");

interface Asked {
  uri: string;
  headers: Record<string, { value: string }>;
}

if (missingPlatform) console.warn(`skipped: ${missingPlatform}`);

describe.skipIf(missingPlatform)("a stage with a console", () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = new Stack(await synthesise("console", join(root, "test/infra/stages")));
  }, 240_000);

  const distribution = () => stack.only("cloudfront/distribution:Distribution");
  const behaviors = () => [
    distribution().defaultCacheBehavior as Behavior,
    ...(distribution().orderedCacheBehaviors as Behavior[]),
  ];
  /** What SST has made of a name, which only its own provider reads. */
  const bySst = (name: string): Inputs =>
    stack.resources.find((each) => each.name.startsWith(`${name}.sst.aws.`))?.inputs ?? {};

  it("is made of what AWS takes", () => expectTaken("slipway-console", stack.resources));

  it("has its name, and a certificate for the name", () => {
    const name = "console.example.com";
    const certificates = stack.of("acm/certificate:Certificate").map((each) => each.domainName);
    expect(certificates.sort()).toEqual(["api.example.com", name]);
    expect(distribution()).toMatchObject({ aliases: [name], enabled: true });
    const records = stack.of("route53/record:Record").filter((record) => record.name === name);
    expect(records.map(({ type }) => type).sort()).toEqual(["A", "AAAA"]);
    expect(stack.outputs.console).toBe(`https://${name}`);
  });

  it("has the API at its own origin, with tokens, and keeps nothing that it answers", () => {
    const asked = behaviors().filter(({ targetOriginId }) => targetOriginId === "api");
    expect(asked.map(({ pathPattern }) => pathPattern)).toEqual([
      ...["/api/*", "/docs", "/docs/*", "/healthz"],
    ]);
    // CloudFront's CachingDisabled and AllViewerExceptHostHeader.
    for (const behavior of asked)
      expect(behavior).toMatchObject({
        cachePolicyId: "4135ea2d-6df8-44a3-9df3-4b5a84be39ad",
        originRequestPolicyId: "b689b0a8-53d0-40ab-baf2-68738e2966ac",
        viewerProtocolPolicy: "https-only",
        allowedMethods: expect.arrayContaining(["DELETE", "PATCH", "POST", "PUT"]),
      });
    const origins = distribution().origins as { originId: string }[];
    const [viewers] = stack.of("cloudfront/function:Function").filter(isOfViewers);
    expect(asked.map(({ functionAssociations }) => functionAssociations)).toEqual(
      asked.map(() => [{ eventType: "viewer-request", functionArn: expect.any(String) }]),
    );
    // Whatever the browser says of its address, the API is told the one that CloudFront saw.
    const tell = vm.runInNewContext(`${String(viewers?.code)}\nhandler`);
    const said = { "x-slipway-viewer": { value: "203.0.113.1" }, host: { value: "a" } };
    expect(tell({ request: { headers: said }, viewer: { ip: "198.51.100.7" } })).toEqual({
      headers: { ...said, "x-slipway-viewer": { value: "198.51.100.7" } },
    });
    const proof = stack.only("ssm/parameter:Parameter").value;
    expect(proof).toMatch(/^[0-9a-f]{64}$/);
    const [api] = stack
      .of("lambda/function:Function")
      .filter(({ name }) => /-api$/.test(`${name}`));
    expect(JSON.stringify(api?.environment)).toContain(String(proof));
    expect(origins.find(({ originId }) => originId === "api")).toMatchObject({
      domainName: "api.example.com",
      customHeaders: [{ name: "x-slipway-console", value: proof }],
      customOriginConfig: { originProtocolPolicy: "https-only", originReadTimeout: 60 },
    });
  });

  it("tells browsers what they may load and whom they may ask, with every answer", () => {
    const sent = stack.only("cloudfront/responseHeadersPolicy:ResponseHeadersPolicy");
    expect(sent.securityHeadersConfig).toMatchObject({
      contentSecurityPolicy: {
        contentSecurityPolicy: policyFor([
          "https://login.example.com",
          "https://id.customer.example",
          "https://tokens.customer.example",
        ]),
        // The reference has a policy of its own.
        override: false,
      },
    });
    const ids = behaviors().map(({ responseHeadersPolicyId }) => responseHeadersPolicyId);
    expect(new Set(ids)).toEqual(new Set(["id-of-ConsoleHeaders"]));
  });

  it("keeps its files from everybody but CloudFront", () => {
    const [policy] = stack.of("s3/bucketPolicy:BucketPolicy");
    expect(String(policy?.policy)).toContain('"Service":["cloudfront.amazonaws.com"]');
    const blocked = stack.of("s3/bucketPublicAccessBlock:BucketPublicAccessBlock");
    expect(blocked).toMatchObject([{ blockPublicPolicy: true, restrictPublicBuckets: true }]);
  });

  it("asks for pages anew, and keeps files with hashes for good, those of earlier releases too", () => {
    const files = bySst("ConsoleSiteAssetFiles");
    const kept = (files.files as { key: string; cacheControl: string }[]).map(
      ({ key, cacheControl }) => [key, cacheControl],
    );
    expect(Object.fromEntries(kept)).toEqual({
      "index.html": "no-cache",
      "icon.svg": "no-cache",
      "assets/index-0a1b.js": "public, max-age=31536000, immutable",
    });
    expect([files.purge, bySst("ConsoleSiteKvKeys").purge]).toEqual([false, false]);
  });

  // SST's own function, with the entries that a deploy writes for it.
  it.each([
    ["/", "/index.html"],
    ["/index.html", "/index.html"],
    ["/orders/clusters/0199", "/index.html"],
    ["/hosts", "/index.html"],
    ["/icon.svg", "/icon.svg"],
    ["/assets/index-0a1b.js", "/assets/index-0a1b.js"],
    ["/assets/of-no-release.js", "/assets/of-no-release.js"],
  ])("answers %s with %s", async (uri, file) => {
    const found = await routed(uri, "console.example.com");
    expect(found).toMatchObject({ uri: file });
  });

  async function routed(uri: string, host: string): Promise<Asked> {
    const [{ code } = {}] = stack
      .of("cloudfront/function:Function")
      .filter((each) => !isOfViewers(each));
    const { entries, namespace } = bySst("ConsoleSiteKvKeys") as {
      entries: Record<string, string>;
      namespace: string;
    };
    const routes = bySst("ConsoleSiteRoutesUpdate");
    const stored = new Map(
      Object.entries(entries).map(([name, value]) => [`${namespace}:${name}`, value]),
    );
    stored.set(`${routes.namespace}:${routes.key}`, JSON.stringify([routes.entry]));
    const get = async (name: string): Promise<string> => {
      const value = stored.get(name);
      if (value === undefined) throw new Error("no such key");
      return value;
    };
    const cf = { kvs: () => ({ get }), updateRequestOrigin: () => {} };
    const handler = vm.runInNewContext(
      `${String(code).replace(/import cf from .*/, "")}\nhandler`,
      { cf },
    ) as (event: { request: Asked }) => Promise<Asked>;
    const request = { uri, headers: { host: { value: host } }, cookies: {}, querystring: {} };
    return (await handler({ request })) ?? request;
  }
});
