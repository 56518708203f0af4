import type { Relaying } from "../core/kernel/relay/relay.ts";
import type { RequestDeps } from "../core/kernel/request/request-deps.ts";
import type { StepDeps } from "../core/kernel/saga/context.ts";
import type { Workflow } from "../core/kernel/saga/workflow.ts";
import type { ServingDeps } from "../core/machine/serving.ts";
import type { Secrets } from "../core/ports/secrets/secrets.ts";

/** What a process has that runs every function. */
export interface ProcessDeps extends Relaying, StepDeps, RequestDeps, ServingDeps {
  workflow: Workflow;
  secrets: Secrets;
}
