import { readFileSync, writeFileSync } from "node:fs";
import * as client from "@kubernetes/client-node";
import stringify from "json-stringify-pretty-compact";
import * as z from "zod";
import { wellKnownKinds } from "../core/resources/cluster-template/content/policy.ts";

/**
 * Writes core/resources/cluster-template/content/generated/kinds.json: the members of the well-known kinds,
 * from the classes of the Kubernetes client. With --check, tells whether the file is current and exits 1 if
 * it is not.
 */
const file = new URL(
  "../core/resources/cluster-template/content/generated/kinds.json",
  import.meta.url,
);

/** Quantities: text for the client, but servers accept numbers too. */
const quantities = new Set([
  "EmptyDirVolumeSource.sizeLimit",
  "LimitRangeItem.default",
  "LimitRangeItem.defaultRequest",
  "LimitRangeItem.max",
  "LimitRangeItem.maxLimitRequestRatio",
  "LimitRangeItem.min",
  "PersistentVolumeSpec.capacity",
  "PodSpec.overhead",
  "ResourceFieldSelector.divisor",
  "ResourceQuotaSpec.hard",
  "ResourceRequirements.limits",
  "ResourceRequirements.requests",
  "VolumeResourceRequirements.limits",
  "VolumeResourceRequirements.requests",
]);

const scalars: Record<string, string> = {
  string: "text",
  Date: "text",
  number: "number",
  boolean: "boolean",
  IntOrString: "quantity",
  any: "any",
  object: "any",
};

/** A client class that lists its members. */
const classSchema = z.object({
  attributeTypeMap: z.array(z.object({ baseName: z.string(), type: z.string() })),
});
const classes = new Map(
  Object.entries(client).flatMap(([name, each]) => {
    const { data } = classSchema.safeParse(typeof each === "function" ? { ...each } : each);
    return data ? [[name, data.attributeTypeMap] as const] : [];
  }),
);

const types: Record<string, Record<string, string>> = {};

/** A type in the file's notation; its members are added to `types`. */
function typed(type: string): string {
  const [, item] = /^Array<(.*)>$/.exec(type) ?? [];
  if (item !== undefined) return `${typed(item)}[]`;
  const [, value] = /^\{ \[key: string\]: (.*); \}$/.exec(type) ?? [];
  if (value !== undefined) return `${typed(value)}{}`;
  return scalars[type] ?? described(type);
}

function described(type: string): string {
  const name = type.replace(/^V\d(?=[A-Z])/, "");
  if (types[name]) return name;
  const members = classes.get(type);
  if (!members) throw new Error(`the Kubernetes client has no class ${type}`);
  const made: Record<string, string> = {};
  types[name] = made;
  const isObject = members.some(({ baseName }) => baseName === "metadata");
  for (const { baseName, type: inner } of members) {
    // Members that servers write need no description.
    const isServers = (isObject && baseName === "status") || baseName === "managedFields";
    const written = isServers ? "any" : typed(inner);
    const isQuantity = quantities.has(`${name}.${baseName}`);
    made[baseName] = isQuantity ? written.replace("text", "quantity") : written;
  }
  return name;
}

const kinds = Object.fromEntries(
  wellKnownKinds.map(({ group, kind }) => [
    `${group === "" ? "" : `${group}/`}v1 ${kind}`,
    described(`V1${kind}`),
  ]),
);
const text = `${stringify({ kinds, types }, { maxLength: 140 })}\n`;
if (!process.argv.includes("--check")) {
  writeFileSync(file, text);
} else if (readFileSync(file, "utf8") !== text) {
  console.error(
    "core/resources/cluster-template/content/generated/kinds.json is not current: npm run generate",
  );
  process.exitCode = 1;
}
