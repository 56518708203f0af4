import type { Clock } from "./clock.ts";
import type { NewId, OperationId } from "./id.ts";
import type { Bus } from "./kernel/events/events.ts";
import type { WatchLimits } from "./kernel/events/watch-slots.ts";
import type { Kinds } from "./kernel/object/kind.ts";
import type { Operated } from "./kernel/saga/operated.ts";
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

/**
 * Everything that the product uses of the outside world. The composition of each function or
 * process makes one and passes it on.
 */
export interface Deps {
  /** For deadlines, waits, rests and timestamps; scaled in local mode. */
  clock: Clock;
  /** For leases and timeouts of calls. */
  wall: Clock;
  /** Answers 0 ≤ n < 1. */
  random: () => number;
  newId: NewId;
  store: Store;
  /** What is known of every kind of object. */
  kinds: Kinds;
  secrets: Secrets;
  workflow: Workflow;
  bus: Bus;
  hubs: Hubs;
  sites: Sites;
  guests: Guests;
  /** What kinds say of the operations that change their objects. */
  operated: Operated;
  looks: Looks;
  reports: Reports;
  webhooks: WebhookTransport;
  webhookQueue: WebhookQueue;
  log: Log;
  /** What a tenant may have where its quota sets no limit; `unlimited` by default. */
  defaultQuota?: DefaultQuota;
  /** Who can be a tenant; `first-use` by default. */
  tenants?: TenantPolicy;
  /** How many requests may wait for events at a time; no limit by default. */
  watchLimits?: WatchLimits;
  /**
   * The longest run of a worker invocation, in real milliseconds; a lease is this plus a margin.
   */
  workerTimeout: number;
}

/** Asks a worker that reaches the system to recheck a step that waits. */
export interface Looks {
  look(operation: OperationId, step: string): Promise<void>;
}

/** Delivers hubs' reports to the observers, wherever they run. */
export interface Reports {
  /** Resolves when the report is safe; throws Unavailable when it has to be sent again. */
  take(report: Report): Promise<void>;
}
