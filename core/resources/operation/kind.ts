import type { KindDefinition } from "../../kernel/object/kind.ts";
import {
  admins,
  orderers,
  type PermissionsOf,
  read,
  staff,
} from "../../kernel/request/permissions.ts";
import { dueIndexes } from "../../kernel/saga/due.ts";
import { privateInFailures } from "../../kernel/saga/failure.ts";
import { fencesOf } from "../../kernel/saga/fence.ts";
import { isOperationProgress, isStepEnd } from "../../kernel/saga/progress.ts";
import { statusShown } from "../../kernel/saga/shown.ts";
import { operationStatus } from "../../kernel/saga/status.ts";
import { operationTurn } from "../../kernel/saga/turn.ts";
import { privateInWaits } from "../../kernel/saga/wait.ts";
import { operationDictionary } from "./dictionary.ts";

/** The change under way of another object; this kind is the kernel's own. */
export const kind: KindDefinition<"operation"> = {
  events: ["created", "updated", "started", "succeeded", "failed", "cancelled", "stuck"],
  privateMembers: [
    "status.placement.hub",
    "status.placement.rejected",
    ...privateInWaits,
    ...privateInFailures,
  ],
  shown: { spec: ({ spec: { change, target } }) => ({ change, target }), status: statusShown },
  inProjects: true,
  attached: true,
  status: operationStatus,
  turn: operationTurn,
  isProgress: isOperationProgress,
  isFollowed: isStepEnd,
  stored: {
    dictionaries: [operationDictionary],
    conditioned: fencesOf,
    indexes: dueIndexes,
  },
};

export const permissions: PermissionsOf = {
  public: { ...read, cancel: orderers, resume: orderers },
  private: { list: staff, get: staff, cancel: admins, resume: admins },
};
