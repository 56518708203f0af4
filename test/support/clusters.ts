import type { Json } from "../../core/kernel/input/shape.ts";
import type { Caller } from "../../core/kernel/request/caller.ts";
import { createObject, deleteObject, updateObject } from "../../core/kernel/request/crud.ts";
import type { Edit } from "../../core/kernel/request/definition.ts";
import type { RequestDeps } from "../../core/kernel/request/request-deps.ts";
import { rules } from "../../core/resources/cluster/api.ts";

/** Requests for clusters without HTTP. */

export const createCluster = (deps: RequestDeps, caller: Caller, body: Json) =>
  createObject(deps, caller, rules, body);

export const updateCluster = (
  deps: RequestDeps,
  caller: Caller,
  id: string,
  edit: Edit<"cluster">,
) => updateObject(deps, caller, rules, id, edit);

export const deleteCluster = (deps: RequestDeps, caller: Caller, id: string) =>
  deleteObject(deps, caller, rules, id);
