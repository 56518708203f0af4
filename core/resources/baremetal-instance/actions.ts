import type { Action, Actions } from "../../kernel/request/action.ts";
import { type ConsentInput, consentSchema } from "./consent.ts";
import { type ForceInput, forceSchema, forceWrites } from "./force.ts";
import { issueReleaseWrites, type ReleaseInput, releaseSchema } from "./issue.ts";
import { reinstallWrites } from "./reinstall.ts";
import { consentWrites } from "./repair.ts";

/** The actions of tenants and administrators on servers. */

const consent: Action<"baremetal_instance", ConsentInput> = {
  summary: "Allow the maintenance of a server",
  description:
    "Sets when a server may be off for the work that its condition MAINTENANCE names, or withdraws that consent.",
  path: "maintenance",
  schema: consentSchema,
  example: { consent: "on_restart" },
  command: "maintenance",
  destroys: false,
  accept: (server, { deps, caller, input }) => consentWrites(deps, caller, server, input),
};

const release: Action<"baremetal_instance", ReleaseInput> = {
  summary: "Release a server with an issue",
  description:
    "Deletes a server and reports its fault to the provider. Its host takes no orders until it is repaired.",
  schema: releaseSchema,
  example: {
    issue: { category: "hardware", summary: "GPU 3 is lost", details: "Xid 79 since Monday" },
  },
  destroys: true,
  accept: (server, { deps, caller, input }) =>
    issueReleaseWrites(deps, caller, server, input.issue),
};

const force: Action<"baremetal_instance", ForceInput> = {
  summary: "Remove a server by force",
  description:
    "Deletes a server, or continues its deletion, with short timeouts for its controller and DPUs. It is isolated in any case; if its DPUs do not confirm that, its host is quarantined.",
  schema: forceSchema,
  destroys: true,
  takesVersion: false,
  accept: (server, { deps, caller, input }) => forceWrites(deps, caller, server, input),
};

export const actions = {
  reinstall: {
    summary: "Reinstall a server",
    description:
      "Writes the image of a server to its disk again and starts it. All data on the disk is lost.",
    destroys: true,
    accept: (server, { deps, caller }) => reinstallWrites(deps, caller, server),
  },
  consent,
  release,
  force,
} satisfies Actions<"baremetal_instance">;
