import type { Clock } from "./clock.ts";
import type { NewId, OperationId } from "./id.ts";
import type { Bus } from "./kernel/events/events.ts";
import type { WatchLimits } from "./kernel/events/watch-slots.ts";
import type { Store } from "./kernel/store/store.ts";
import type { Log } from "./log.ts";
import type { Guests } from "./ports/guest/guest.ts";
import type { Hubs } from "./ports/hub/hub.ts";
import type { Report } from "./ports/hub/news.ts";
import type { Secrets } from "./ports/secrets/secrets.ts";
import type { WebhookTransport } from "./ports/webhook/transport.ts";
import type { Workflow } from "./ports/workflow/workflow.ts";
import type { DefaultQuota } from "./resources/quota/model.ts";
import type { TenantPolicy } from "./resources/tenant/model.ts";
import type { Sites } from "./site/sites.ts";
import type { WebhookQueue } from "./webhooks/queue.ts";

/** Everything the product needs of the world. Whoever starts it composes one and passes it on. */
export interface Deps {
  /** Deadlines, waits, rests, timestamps; scaled in local mode. */
  clock: Clock;
  /** Leases and timeouts of calls. */
  wall: Clock;
  /** 0 ≤ n < 1. */
  random: () => number;
  newId: NewId;
  store: Store;
  secrets: Secrets;
  workflow: Workflow;
  bus: Bus;
  hubs: Hubs;
  sites: Sites;
  guests: Guests;
  looks: Looks;
  reports: Reports;
  webhooks: WebhookTransport;
  webhookQueue: WebhookQueue;
  log: Log;
  /** What a tenant may have of that its quota says nothing of; `unlimited` when absent. */
  defaultQuota?: DefaultQuota;
  /** Who can be a tenant; `first-use` when absent. */
  tenants?: TenantPolicy;
  /** How many may wait for events at a time; as many as like to when absent. */
  watchLimits?: WatchLimits;
  /** Longest run of one worker invocation, in real milliseconds; a lease is this plus a margin. */
  workerTimeout: number;
}

/** Has a worker (where the hub can be reached) look at the world for a step that waits. */
export interface Looks {
  look(operation: OperationId, step: string): Promise<void>;
}

/** Takes in what a hub reports, wherever the observers run. */
export interface Reports {
  /** Resolves when it is safe with us; throws Unavailable when it has to be sent again. */
  take(report: Report): Promise<void>;
}
