import { AppError } from "../../error.ts";
import { refusedUse } from "../../kernel/object/uses.ts";
import type { ApiOf } from "../../kernel/request/api-of.ts";
import type { Definition } from "../../kernel/request/definition.ts";
import { manyAtOnce } from "../../ports/ipam/own/numbers.ts";
import type { SecretDeps } from "../../ports/secrets/secrets.ts";
import { type ClusterInput, clusterInputSchema } from "../cluster-template/order-input.ts";
import { actions } from "./actions.ts";
import { refuseAttachedCluster } from "./attached.ts";
import { asFarAsValid, builtCluster } from "./create.ts";
import { clusterFaults } from "./faults.ts";
import { orders } from "./orders.ts";
import { changed } from "./update.ts";
import { clusterSchema } from "./wire.ts";

export const rules: Definition<"cluster", ClusterInput, SecretDeps> = {
  kind: "cluster",
  schema: clusterInputSchema,
  tenant: "own",
  orders,
  patience: manyAtOnce,
  asFarAsValid,
  build: (request) => (request.before ? changed(request, request.before) : builtCluster(request)),
  /**
   * The message only says that an object was deleted meanwhile; a repeated request gets a refusal that names
   * it.
   */
  refused(refusal, writes) {
    if (refusedUse(refusal, writes))
      throw new AppError("Conflict", "something the order refers to was just deleted; try again");
  },
  remove: refuseAttachedCluster,
  secrets: ({ spec: { pull_secret } }) => (pull_secret === undefined ? [] : [pull_secret]),
};

export const api = {
  schema: clusterSchema,
  rules,
  actions,
  faults: clusterFaults,
} satisfies ApiOf<"cluster">;
