import type { Deps } from "../../core/kernel/deps.ts";
import type { Json } from "../../core/kernel/input/shape.ts";
import type { Caller } from "../../core/kernel/request/caller.ts";
import { createObject, deleteObject, updateObject } from "../../core/kernel/request/crud.ts";
import type { Edit } from "../../core/kernel/request/definition.ts";
import { rules } from "../../core/resources/cluster/api.ts";

/** Requests for clusters without HTTP. */

export const createCluster = (deps: Deps, caller: Caller, body: Json) =>
  createObject(deps, caller, rules, body);

export const updateCluster = (deps: Deps, caller: Caller, id: string, edit: Edit<"cluster">) =>
  updateObject(deps, caller, rules, id, edit);

export const deleteCluster = (deps: Deps, caller: Caller, id: string) =>
  deleteObject(deps, caller, rules, id);
