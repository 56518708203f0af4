import type { KindDefinition } from "../../kernel/object/kind.ts";
import { type Documentation, exampleId, ofTenant } from "../../kernel/request/documentation.ts";
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

/** A running change of another object. This kind belongs to the kernel. */
export const kind: KindDefinition<"operation"> = {
  events: ["created", "updated", "started", "succeeded", "failed", "cancelled", "stuck"],
  privateMembers: [
    "status.placement.hub",
    "status.placement.rejected",
    "status.steps.*.failed_attempts.*.call",
    "status.steps.*.failed_attempts.*.status",
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

export const documentation: Documentation = {
  meaning: "The work on an order, step by step.",
  groups: { public: "Order", private: "Provider" },
  answer: ofTenant("01a203c7-ef52-7500-ac83-8de3a9f078d9", {
    id: "01a203c7-ef52-7500-ac83-8de3a9f078d9",
    spec: { change: "CREATE", target: { kind: "cluster", id: exampleId, name: "demo" } },
    status: {
      state: "OPERATION_STATE_RUNNING",
      start_time: "2026-11-22T15:02:59.131Z",
      queued: false,
      steps: [
        {
          ...{ name: "ReserveCapacity", state: "SUCCEEDED", attempts: 1, system: "placement" },
          start_time: "2026-11-22T15:02:59.148Z",
          end_time: "2026-11-22T15:03:03.730Z",
        },
        {
          ...{ name: "CreateLayer2Network", state: "RUNNING", attempts: 1, system: "fabric" },
          start_time: "2026-11-22T15:03:03.730Z",
        },
      ],
      percent: 50,
      cancel_requested: false,
      resume_requested: false,
      waiting: [],
    },
  }),
  osacLacksIt: true,
};
