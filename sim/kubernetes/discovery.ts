import { apiVersionOf, type ResourceKind } from "./object.ts";
import type { KindRegistry } from "./registry.ts";

/** The discovery documents, which list the served kinds; undefined for any other `pathname`. */
export function discovery(pathname: string, kinds: KindRegistry): object | undefined {
  const segments = pathname.split("/").filter(Boolean);
  const [root, first, second, ...rest] = segments;
  if (rest.length > 0) return undefined;
  if (root === "version" && first === undefined) return version;
  if (root === "api" && second === undefined) {
    if (first === undefined) return { kind: "APIVersions", versions: ["v1"], ...addresses };
    return resourceList("", first, kinds);
  }
  if (root !== "apis") return undefined;
  if (first === undefined) return groupList(kinds);
  return second === undefined ? groupOf(first, kinds) : resourceList(first, second, kinds);
}

const addresses = { serverAddressByClientCIDRs: [] };

const version = {
  major: "1",
  minor: "32",
  gitVersion: "v1.32.0",
  gitCommit: "",
  gitTreeState: "clean",
  buildDate: "",
  goVersion: "",
  compiler: "",
  platform: "linux/amd64",
};

function groupList(kinds: KindRegistry): object {
  const groups = new Set(kinds.groups.flatMap(({ group }) => (group === "" ? [] : [group])));
  return {
    kind: "APIGroupList",
    apiVersion: "v1",
    groups: Array.from(groups, (group) => apiGroup(group, kinds)),
  };
}

function groupOf(group: string, kinds: KindRegistry): object | undefined {
  const served = kinds.groups.some((each) => each.group === group);
  if (!served || group === "") return undefined;
  return { kind: "APIGroup", apiVersion: "v1", ...apiGroup(group, kinds) };
}

function apiGroup(name: string, kinds: KindRegistry) {
  const versions = kinds.groups
    .filter(({ group }) => group === name)
    .map((each) => ({ groupVersion: apiVersionOf(each), version: each.version }));
  return { name, versions, preferredVersion: versions[0] };
}

function resourceList(group: string, version: string, kinds: KindRegistry): object | undefined {
  const served = kinds.all.filter((kind) => kind.group === group && kind.version === version);
  if (served.length === 0) return undefined;
  return {
    kind: "APIResourceList",
    apiVersion: "v1",
    groupVersion: apiVersionOf({ group, version }),
    resources: served.flatMap(resources),
  };
}

function resources(kind: ResourceKind): object[] {
  const { plural, singular, namespaced, shortNames, categories } = kind;
  const subresources = (kind.subresources ?? []).map((subresource) => ({
    name: `${plural}/${subresource}`,
    singularName: "",
    namespaced,
    ...(subresource === "scale"
      ? { group: "autoscaling", version: "v1", kind: "Scale" }
      : { kind: kind.kind }),
    verbs: ["get", "patch", "update"],
  }));
  const main = {
    name: plural,
    singularName: singular,
    namespaced,
    kind: kind.kind,
    verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
    ...(shortNames && { shortNames }),
    ...(categories && { categories }),
  };
  return [main, ...subresources];
}
