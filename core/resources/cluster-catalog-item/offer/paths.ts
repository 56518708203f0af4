import { isObject, type Json, type JsonObject } from "../../../kernel/input/shape.ts";

/** The paths below a cluster's spec that an offer may name, and the values of an order at them. */

const name = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?";
const known = new RegExp(
  `^(ssh_public_key|pull_secret|pull_secret_secret|version|network(\\.(pod_cidr|service_cidr))?|network_attachment(\\.(subnet|security_groups))?|auto_external_ip_attachment|placement(\\.(region|labels))?|node_sets(\\.${name}(\\.(size|host_type))?)?|template_parameters(\\.[A-Za-z_][A-Za-z0-9_-]{0,62})?)$`,
);

export const isKnownPath = (path: string): boolean => known.test(path);

/** Paths of values; the members above them only hold them. */
const leaf =
  /^(ssh_public_key|pull_secret|pull_secret_secret|version|network\.[^.]+|network_attachment\.[^.]+|auto_external_ip_attachment|placement\.(region|labels)|node_sets\.[^.]+\.(size|host_type)|template_parameters\.[^.]+)$/;

export const isLeafPath = (path: string): boolean => leaf.test(path);

/** All values of a spec, by path. Empty values are left out. */
export function leavesOf(spec: JsonObject): Map<string, Json> {
  const leaves = new Map<string, Json>();
  const walk = (value: Json | undefined, path: string): void => {
    if (value === undefined || value === null || value === "") return;
    if (Array.isArray(value) && value.length === 0) return;
    if (isObject(value) && !isLeafPath(path)) {
      for (const [member, child] of Object.entries(value))
        walk(child, path === "" ? member : `${path}.${member}`);
    } else leaves.set(path, value);
  };
  walk(spec, "");
  return leaves;
}

/** The spec with a value at a path. */
export function withLeaf(spec: JsonObject, path: string, value: Json): JsonObject {
  const [member = "", ...rest] = path.split(".");
  const child = Object.hasOwn(spec, member) ? spec[member] : undefined;
  const inner =
    rest.length === 0 ? value : withLeaf(isObject(child) ? child : {}, rest.join("."), value);
  return Object.fromEntries([
    ...Object.entries(spec).filter(([key]) => key !== member),
    [member, inner],
  ]);
}

export const isAtOrUnder = (path: string, above: string): boolean =>
  path === above || path.startsWith(`${above}.`);
