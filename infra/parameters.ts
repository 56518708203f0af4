import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { issuersSchema } from "../functions/identity/issuers.ts";
import { longNames } from "./names.ts";

/** The parameters of a stage: `stages/<stage>.json`. */

/** The environment of a function is limited to 4 KB. */
const issuersLimit = 3000;

const arn = z.string().regex(/^arn:[\w-]+:[\w-]+:/, { error: "must be an ARN" });
const id = z.string().regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, {
  error: "must be lower case letters, digits and dashes",
});

/**
 * The stage's own rules on the bus with the destinations' rules; a destination of the same name would replace one.
 */
export const ownRules: ReadonlySet<string> = new Set(["stuck"]);

const rate = z.int().min(0).max(100_000);

/** The network of the workers of hubs and sites. */
const networkSchema = z.discriminatedUnion(
  "vpc",
  [
    /**
     * A VPC of Slipway's own without routes to other networks. It reaches no site, so orders of clusters and
     * servers fail. For trials only.
     */
    z.strictObject({ vpc: z.literal("own"), zones: z.int().min(1).max(3).default(2) }),
    /** The provider's VPC, with routes to hubs and sites (transit gateway, VPN, Direct Connect, peering). */
    z.strictObject({
      vpc: z.literal("given"),
      id: z.string().regex(/^vpc-/),
      subnets: z.array(z.string().regex(/^subnet-/)).min(1),
      routeTables: z.array(z.string().regex(/^rtb-/)).min(1),
      /** Whether the VPC already has VPC endpoints for the AWS services. */
      endpoints: z.enum(["own", "given"]).default("own"),
    }),
  ],
  {
    error:
      "must be { vpc: 'given', … }, your VPC with routes to sites, hubs and the clusters on them, or { vpc: 'own' } for a trial that reaches none of them",
  },
);

/** How the workers reach a hub. The server in the hub's kubeconfig must have the resulting name. */
const reachSchema = z.discriminatedUnion("by", [
  /** By the network's own routes. */
  z.strictObject({ by: z.literal("routes") }),
  /** By a VPC endpoint service (PrivateLink) in front of its API server. */
  z.strictObject({ by: z.literal("privatelink"), service: z.string().min(1) }),
  /** By a VPC Lattice resource configuration that is shared with this account. */
  z.strictObject({ by: z.literal("lattice"), resourceConfiguration: arn }),
]);

export const parametersSchema = z
  .strictObject({
    /** Whether AWS refuses to remove the stage, its table and its keys. */
    protected: z.boolean().default(false),
    /** A table that was restored from a backup, used instead of the stage's own. */
    table: z
      .string()
      .regex(/^[\w.-]{3,255}$/, { error: "must be the name of a table" })
      .optional(),
    /**
     * The load that the table can serve from its first minute, in units per second; AWS's default for a new table
     * if absent. A smaller value than before would replace the table.
     */
    warmThroughput: z
      .strictObject({
        reads: z.int().min(12_000).max(1_000_000),
        writes: z.int().min(4000).max(1_000_000),
      })
      .optional(),
    /** `own`: the stage's own key encrypts table, queues, secrets and executions. */
    encryption: z.enum(["aws", "own"]).default("aws"),
    api: z.strictObject({
      /** The accepted issuers of tokens, their audiences, and the meaning of their claims. */
      issuers: issuersSchema.refine((issuers) => JSON.stringify(issuers).length <= issuersLimit, {
        error: `must be at most ${issuersLimit} characters of JSON together`,
      }),
      /**
       * What verifies tokens before the API: API Gateway, for one issuer that AWS can reach (with several, the API
       * verifies tokens itself), or a function in the network.
       */
      authorizer: z.enum(["jwt", "lambda"]).default("jwt"),
      profile: z.enum(["slipway", "osac"]).default("slipway"),
      /** The limit where a tenant's quota sets none. */
      defaultQuota: z.enum(["unlimited", "zero"]).default("unlimited"),
      /** Whether everybody from an issuer can be a tenant, or only tenants with a record. */
      tenants: z.enum(["first-use", "registered"]).default("first-use"),
      /** The API's domain, in a Route 53 zone of this account. */
      domain: z.string().min(1).optional(),
      /** Origins that browsers may call from; none by default. */
      cors: z
        .array(z.string().regex(/^(\*|https?:\/\/[^/,]+)$/, { error: "must be an origin, or *" }))
        .min(1)
        .optional(),
      /**
       * Requests per second that one instance of the function accepts from a tenant and from a user, and a user's
       * watches per second; 0 for no limit.
       */
      limits: z
        .strictObject({ tenant: rate.default(40), user: rate.default(20), watch: rate.default(2) })
        .default({ tenant: 40, user: 20, watch: 2 }),
      /** The most concurrent requests, except watches, which have their own limit. */
      concurrency: z.int().min(1).max(900).default(100),
      /**
       * The most concurrent watches, of which four fifths may wait, and the most waiting watches of a tenant and of
       * a user.
       */
      watches: z
        .strictObject({
          concurrency: z.int().min(5).max(500).default(20),
          tenant: z.int().min(1).max(500).default(8),
          user: z.int().min(1).max(500).default(4),
        })
        .default({ concurrency: 20, tenant: 8, user: 4 }),
      throttle: z
        .strictObject({ rate: z.int().min(1), burst: z.int().min(1) })
        .default({ rate: 200, burst: 400 }),
    }),
    network: networkSchema,
    hubs: z.array(z.strictObject({ id, reach: reachSchema })).default([]),
    /** The accounts whose roles may report as the hub in their tag; agents without a role report by HTTPS. */
    agentAccounts: z
      .array(z.string().regex(/^\d{12}$/, { error: "must be the id of an account" }))
      // Limited, because a bus's policy has at most 10,240 characters.
      .max(100)
      .default([]),
    /**
     * Where machines call the site controller from, and its certificate; without one they use plain HTTP. It is
     * then deployed behind a load balancer in the network.
     */
    machines: z
      .strictObject({
        from: z
          .array(z.cidrv4({ error: "must be an IPv4 prefix, such as 10.8.0.0/16" }))
          .min(1)
          .max(50),
        certificate: arn.optional(),
        /**
         * The most concurrent requests of machines. Requests beyond are answered 502, and the machines repeat them.
         */
        concurrency: z.int().min(1).max(500).default(20),
      })
      .optional(),
    /**
     * The web console, behind CloudFront, with the API at the same origin; none by default. `connect`: where people
     * sign in, other than at the issuers' own origins.
     */
    console: z
      .strictObject({
        /** A name in a Route 53 zone of this account. */
        domain: z.string().min(1).optional(),
        connect: z
          .array(z.string().regex(/^https:\/\/[^/,;' ]+$/, { error: "must be an https origin" }))
          .default([]),
      })
      .optional(),
    /** The Route 53 zones for the names of clusters. */
    hostedZones: z.array(z.string().regex(/^Z[A-Z0-9]+$/)).default([]),
    /** The most concurrent runs of workers: the load that hubs and sites can bear. */
    concurrency: z
      .strictObject({ hub: z.int().min(1).max(900), site: z.int().min(1).max(900) })
      .default({ hub: 50, site: 20 }),
    events: z
      .strictObject({
        archiveDays: z.int().min(1).max(3650).default(90),
        /** HTTPS endpoints that get every event, with an API key from Secrets Manager. */
        destinations: z
          .array(
            z.strictObject({
              name: id,
              url: z.url({ protocol: /^https$/, error: "must be an https URL" }),
              header: z.string().min(1).default("X-Api-Key"),
              secret: arn,
              /** The detail types that are sent; all by default. */
              types: z.array(z.string().min(1)).min(1).optional(),
            }),
          )
          .default([]),
      })
      .default({ archiveDays: 90, destinations: [] }),
    alarms: z.strictObject({ email: z.email().optional(), topic: arn.optional() }).default({}),
  })
  .check(({ value, issues }) => {
    if (value.api.authorizer === "lambda" && value.network.vpc === "own") {
      const message = "needs a network with a way to the issuers: network.vpc must be 'given'";
      const path = ["api", "authorizer"];
      issues.push({ code: "custom", path, message, input: value.api.authorizer });
    }
    if (value.hostedZones.length > 0 && value.network.vpc === "own") {
      const message = "need a network with a way to Route 53: network.vpc must be 'given'";
      issues.push({ code: "custom", path: ["hostedZones"], message, input: value.hostedZones });
    }
    const noRoutes = "a network of Slipway's own has no routes: network.vpc must be 'given'";
    if (value.network.vpc === "own") {
      if (value.machines) {
        const message = `cannot ask, ${noRoutes}`;
        issues.push({ code: "custom", path: ["machines"], message, input: value.machines });
      }
      for (const [n, { reach }] of value.hubs.entries()) {
        if (reach.by !== "routes") continue;
        const message = `${noRoutes}, or the hub has to be reached by privatelink or lattice`;
        issues.push({ code: "custom", path: ["hubs", n, "reach", "by"], message, input: reach.by });
      }
    }
    for (const [n, { name }] of value.events.destinations.entries()) {
      const isDoubled = value.events.destinations.findIndex((each) => each.name === name) < n;
      const message = isDoubled
        ? `'${name}' appears more than once`
        : ownRules.has(name)
          ? `'${name}' is the name of a rule of the stage's own`
          : undefined;
      if (message === undefined) continue;
      const path = ["events", "destinations", n, "name"];
      issues.push({ code: "custom", path, message, input: name });
    }
    const names = value.hubs.map((hub) => hub.id);
    const doubled = names.find((name, n) => names.indexOf(name) !== n);
    if (doubled !== undefined) {
      const message = `hub '${doubled}' appears more than once`;
      issues.push({ code: "custom", path: ["hubs"], message, input: value.hubs });
    }
  });

export type Parameters = z.output<typeof parametersSchema>;
export type HubParameters = Parameters["hubs"][number];

/** Reads a stage's parameters. Throws one error that names every wrong parameter. */
export function readParameters(stage: string, folder = stagesFolder()): Parameters {
  const file = join(folder, `${stage}.json`);
  if (!existsSync(file)) throw new Error(`stage '${stage}' has no parameters: write ${file}`);
  const { data, error } = parametersSchema.safeParse(JSON.parse(readFileSync(file, "utf8")));
  const wrong = data
    ? longNames(stage, data).map((message) => `  ${message}`)
    : error.issues.map(({ path, message }) => `  ${path.join(".")}: ${message}`);
  if (data && wrong.length === 0) return data;
  throw new Error(`${file} is not right:\n${wrong.join("\n")}`);
}

const stagesFolder = (): string => process.env.SLIPWAY_STAGES ?? "stages";
