import { isObject, type JsonObject, sameJson } from "./paths.ts";

/** The lists of built-in kinds that are merged by a key of their items. */
const mergeKeys: Record<string, string> = {
  conditions: "type",
  containers: "name",
  imagePullSecrets: "name",
  ownerReferences: "uid",
  ports: "port",
  secrets: "name",
  taints: "key",
};

const deletion = "$deleteFromPrimitiveList/";

/**
 * A strategic merge patch of a built-in kind: like a merge patch, but the lists above are merged by item, finalizers as
 * a set, and `$patch` replaces or deletes. The order in `$setElementOrder` is ignored.
 */
export function strategicPatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  if (patch.$patch === "replace") return withoutDirectives(patch);
  const merged: JsonObject = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (name.startsWith(deletion)) {
      const list = name.slice(deletion.length);
      merged[list] = without(merged[list], value);
    } else if (value === null || (isObject(value) && value.$patch === "delete")) {
      delete merged[name];
    } else if (!name.startsWith("$")) {
      merged[name] = mergeMember(name, merged[name], value);
    }
  }
  return merged;
}

function mergeMember(name: string, target: unknown, patch: unknown): unknown {
  if (!Array.isArray(patch)) return strategicPatch(target, patch);
  const before: unknown[] = Array.isArray(target) ? target : [];
  if (name === "finalizers") return [...before, ...without(patch, before)];
  const key = mergeKeys[name];
  return key === undefined ? patch : mergeItems(before, patch, key);
}

function mergeItems(before: unknown[], patch: unknown[], key: string): unknown[] {
  const isReplaced = patch.some((item) => isObject(item) && item.$patch === "replace");
  const items = isReplaced ? [] : [...before];
  for (const item of patch) {
    if (!isObject(item) || item[key] === undefined) continue;
    const found = items.findIndex((other) => isObject(other) && other[key] === item[key]);
    if (item.$patch === "delete") {
      if (found >= 0) items.splice(found, 1);
    } else if (found >= 0) {
      items[found] = strategicPatch(items[found], item);
    } else {
      items.push(strategicPatch({}, item));
    }
  }
  return items;
}

function without(list: unknown, gone: unknown): unknown[] {
  if (!Array.isArray(list)) return [];
  if (!Array.isArray(gone)) return list;
  return list.filter((member) => !gone.some((other) => sameJson(member, other)));
}

function withoutDirectives(patch: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(patch).filter(([name]) => !name.startsWith("$")));
}
