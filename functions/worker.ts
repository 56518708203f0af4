import * as z from "zod";
import { asOperationId } from "../core/id.ts";
import type { CoreDeps, StepDeps } from "../core/kernel/saga/context.ts";
import { planSchema } from "../core/kernel/saga/plan-schema.ts";
import type { Sagas } from "../core/kernel/saga/settle.ts";
import { lookAgain, runStep, wake } from "../core/kernel/saga/step.ts";
import {
  type ClusterCredentials,
  credentialRequestSchema,
  readings,
} from "../core/ports/hub/credentials/port.ts";
import { sweepHub } from "../core/reconcile/sweep-hub.ts";
import { sweepHubOrphans, sweepSiteOrphans } from "../core/reconcile/sweep-orphans.ts";
import { sweepHubParts } from "../core/reconcile/sweep-parts.ts";

const sweeps = [
  z.object({ hub: z.string(), sweep: z.union([z.literal(true), z.enum(["parts", "orphans"])]) }),
  z.object({ site: z.string(), sweep: z.literal("orphans") }),
] as const;
export type Sweep = z.infer<(typeof sweeps)[number]>;

/** The owner of something on a hub. */
const place = {
  hub: z.string(),
  owner: z.object({
    kind: z.string(),
    id: z.string(),
    tenant: z.string(),
    name: z.string(),
  }),
};

/** A tenant's call about the credentials of a cluster. */
const credentialCall = z.union([
  z.object({ ...place, reading: z.enum(readings) }),
  z.object({ ...place, issue: credentialRequestSchema }),
  z.object({ ...place, revoke: z.literal(true) }),
]);
type CredentialCall = z.infer<typeof credentialCall>;

/** The calls of every worker: a task of Step Functions, a recheck of a waiting step, the wake of waiting steps. */
const stepCall = z.union([
  z.object({
    operation: z.string(),
    step: z.string(),
    token: z.string(),
    failure: z.object({ step: z.string(), error: z.string(), cause: z.string() }).optional(),
    plan: planSchema.optional(),
  }),
  z.object({ operation: z.string(), step: z.string(), look: z.literal(true) }),
  z.object({ operation: z.string(), wake: z.literal(true) }),
]);
type StepCall = z.infer<typeof stepCall>;

/**
 * The calls of a worker outside: also the sweeps of its zone's hubs and sites; in the hub zone a tenant's call about a
 * cluster's credentials, and an administrator's check whether a hub can carry networks.
 */
const outsideCall = z.union([
  stepCall,
  ...sweeps,
  credentialCall,
  z.object({ hub: z.string(), question: z.literal("networks") }),
]);

/** The hub's answer to a question; empty for all other calls. */
interface Answer {
  value?: unknown;
}

/** How a site is swept. */
type SweepSite = (deps: StepDeps, id: string) => Promise<void>;

async function sweep(deps: StepDeps, sagas: Sagas, call: Sweep, ofSite: SweepSite): Promise<void> {
  if ("site" in call) return ofSite(deps, call.site);
  if (call.sweep === "orphans") return sweepHubOrphans(deps, call.hub);
  if (call.sweep === "parts") return sweepHubParts(deps, call.hub);
  return sweepHub(deps, sagas, call.hub);
}

function ask(credentials: ClusterCredentials, call: CredentialCall): Promise<unknown> {
  if ("issue" in call) return credentials.issueCredential(call.owner, call.issue);
  if ("revoke" in call) return credentials.revokeCredentials(call.owner);
  return credentials[call.reading](call.owner);
}

async function carryOut(deps: CoreDeps | StepDeps, sagas: Sagas, call: StepCall): Promise<void> {
  const operation = asOperationId(call.operation);
  if ("look" in call) await lookAgain(deps, sagas, operation, call.step);
  else if ("wake" in call) await wake(deps, sagas, operation);
  else await runStep(deps, sagas, call);
}

/** The worker function of the core zone: runs or rechecks a step, or wakes an operation. */
export const coreWorker =
  (deps: CoreDeps, sagas: Sagas) =>
  async (event: unknown): Promise<Answer> => {
    await carryOut(deps, sagas, stepCall.parse(event));
    return {};
  };

/** The worker function outside: also sweeps, or asks a hub. Only workers that reach sites import the adapters of inventories. */
export function outsideWorker(
  deps: StepDeps,
  sagas: Sagas,
  ofSite: SweepSite = sweepSiteOrphans,
): (event: unknown) => Promise<Answer> {
  return async (event) => {
    const call = outsideCall.parse(event);
    if ("owner" in call || "question" in call) {
      const hub = await deps.hubs.client(call.hub);
      const value = await ("owner" in call ? ask(hub.credentials, call) : hub.networksFault());
      return value === undefined ? {} : { value };
    }
    if ("sweep" in call) await sweep(deps, sagas, call, ofSite);
    else await carryOut(deps, sagas, call);
    return {};
  };
}
