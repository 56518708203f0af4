import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { compile } from "json-schema-to-typescript";
import {
  type ActionShape,
  isPhase,
  type Shape,
  stepsOf,
  undoName,
} from "../core/kernel/saga/saga.ts";
import document from "../functions/api/generated/openapi.json" with { type: "json" };
import { sagas } from "../statemachines/index.ts";

/**
 * Generates the console's copies of Slipway's parts, so that the console imports no other folder:
 * the types of answers, from the API's document, and the shapes of the sagas. Neither file is
 * committed. With `--check`, only compares.
 */

/** The answers that the console reads, as the document names them. */
const answers = [
  ...["Status", "Problem", "Event", "Capabilities", "HistoryEntry", "AuditEntry", "Holding"],
  ...["PrivateCluster", "PrivateOperation", "Hub", "Host", "HostType", "Site", "Tenant", "Quota"],
  ...[
    "ClusterCatalogItem",
    "ClusterTemplate",
    "ClusterVersion",
    "Credential",
    "Webhook",
    "Delivery",
  ],
  ...["PrivateBaremetalInstance", "BaremetalInstanceTemplate", "BaremetalInstanceCatalogItem"],
  ...["BareMetalInstanceType", "Dpu", "IssuedCredential", "Revocation"],
  ...["PrivateVirtualNetwork", "PrivateSubnet", "PrivateSecurityGroup", "ExternalIp", "Capacity"],
  ...["NetworkClass"],
  ...["PrivateNatGateway", "PrivateExternalIpAttachment"],
  ...["DrainPlan", "SiteNumbers", "User", "RoleBinding", "Project", "IdentityProvider"],
];

type Node = { [member: string]: unknown };
const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null;

/**
 * A schema with references to definitions beside it. Other members beside a reference are removed,
 * because they would make another type.
 */
function local(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(local);
  if (!isNode(value)) return value;
  if (typeof value.$ref === "string")
    return { $ref: value.$ref.replace("#/components/schemas/", "#/definitions/") };
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, local(member)]));
}

/** The schemas that these answers refer to, directly or through other schemas. */
function needed(names: readonly string[], schemas: Node): Node {
  const found: Node = {};
  const take = (name: string) => {
    if (found[name] !== undefined) return;
    found[name] = local(schemas[name]);
    for (const [, other = ""] of JSON.stringify(schemas[name]).matchAll(
      /"#\/components\/schemas\/(\w+)"/g,
    ))
      take(other);
  };
  for (const name of names) take(name);
  return found;
}

const definitions = needed(answers, document.components.schemas);
const types = await compile(
  {
    type: "object",
    title: "Answers",
    additionalProperties: false,
    properties: Object.fromEntries(
      Object.keys(definitions).map((name) => [name, { $ref: `#/definitions/${name}` }]),
    ),
    definitions,
  } as Parameters<typeof compile>[0],
  "Answers",
  {
    additionalProperties: false,
    bannerComment: "/** What the API answers, by its document. Made by `npm run generate`. */",
    ignoreMinAndMaxItems: true,
    style: { printWidth: 100 },
  },
);

interface ShapeOut {
  name: string;
  /** The usual seconds of its steps; steps that take about none are absent. */
  usual: Record<string, number>;
  /** The steps that are undone when the saga turns back. */
  undone: string[];
  nodes: (string | { name: string; branches: { name: string; steps: string[] }[] })[];
}

const usualOf = (
  name: string,
  { usually = 0 }: ActionShape = { deadline: 0 },
): [string, number][] => (usually > 0 ? [[name, usually / 1000]] : []);

/** The steps of a saga in their order, with parallel branches. */
const shapeOf = ({ name, nodes }: Shape): ShapeOut => ({
  name,
  usual: Object.fromEntries(
    stepsOf(nodes).flatMap((step): [string, number][] => [
      ...usualOf(step.name, step.do),
      ...usualOf(undoName(step.name), step.undo),
    ]),
  ),
  undone: stepsOf(nodes).flatMap((step) => (step.undo ? [step.name] : [])),
  nodes: nodes.flatMap((node): ShapeOut["nodes"] => {
    if (isPhase(node)) return node.steps.map((step) => step.name);
    if (!("branches" in node)) return [node.name];
    const branches = node.branches.map((branch) => ({
      name: branch.name,
      steps: branch.steps.map((step) => step.name),
    }));
    return [{ name: node.name, branches }];
  }),
});

const files = {
  "answers.ts": types,
  "sagas.json": `${JSON.stringify(Object.values(sagas).map(shapeOf), null, 2)}\n`,
};

const folder = new URL("src/generated/", import.meta.url);
mkdirSync(folder, { recursive: true });
const isCheck = process.argv.includes("--check");
for (const [name, text] of Object.entries(files)) {
  const file = new URL(name, folder);
  if (!isCheck) {
    writeFileSync(file, text);
    continue;
  }
  if (existsSync(file) && readFileSync(file, "utf8") === text) continue;
  console.error(`console/src/generated/${name} is not current: npm run generate`);
  process.exitCode = 1;
}
