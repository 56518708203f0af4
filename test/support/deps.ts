import type { Clock } from "../../core/clock.ts";
import { AppError } from "../../core/error.ts";
import { idSource } from "../../core/id.ts";
import type { Event } from "../../core/kernel/events/events.ts";
import { oneWriter } from "../../core/kernel/events/log-time.ts";
import type { Recheck } from "../../core/kernel/saga/rechecks.ts";
import { byKeptTokens } from "../../core/kernel/saga/tokens.ts";
import type { Workflow } from "../../core/kernel/saga/workflow.ts";
import { openSqliteStore, type SqliteStore } from "../../core/kernel/store/sqlite/sqlite.ts";
import { silent } from "../../core/log.ts";
import type { HubClient, HubReports, Hubs } from "../../core/ports/hub/hub.ts";
import type { Report } from "../../core/ports/hub/news.ts";
import { urlRefusal } from "../../core/ports/webhook/address.ts";
import type { WebhookAnswer } from "../../core/ports/webhook/transport.ts";
import { absences } from "../../core/resources/generated/absences.ts";
import { kinds } from "../../core/resources/generated/kinds.ts";
import { machines } from "../../core/resources/generated/machines.ts";
import { observers } from "../../core/resources/generated/observers.ts";
import { operated } from "../../core/resources/generated/operated.ts";
import { owners } from "../../core/resources/generated/owners.ts";
import { relaying } from "../../core/resources/relaying.ts";
import type { ProcessDeps } from "../../local/process-deps.ts";
import { memorySecrets } from "./memory-secrets.ts";
import { seeded } from "./random.ts";
import { VirtualClock } from "./virtual-clock.ts";

/** A delivery as its receiver sees it. */
export interface Post {
  url: string;
  headers: Record<string, string>;
  body: string;
}

export interface TestDeps extends ProcessDeps {
  clock: VirtualClock;
  store: SqliteStore;
  /** Reference to value. */
  secretValues: Map<string, string>;
  /** Everything asked of the workflow engine: the call and its arguments. */
  workflowCalls: string[][];
  published: Event[];
  /** What hubs have reported. */
  reported: Report[];
  /** The operations whose wake was requested. */
  woken: string[];
  /** Webhooks that were handed to their sender, and in how many milliseconds they are due. */
  queuedWebhooks: { webhook: string; after: number }[];
  /** Steps that were queued to be looked at, and in how many milliseconds. */
  queuedRechecks: (Recheck & { after: number })[];
  /** Every delivery to a webhook. */
  posts: Post[];
  /** What receivers answer. */
  receive: (post: Post) => Promise<WebhookAnswer>;
  /** Hubs by id, for those a test puts in here. */
  hubClients: Map<string, PartialHub>;
}

/** What a test has a hub do. */
type PartialHub = Partial<HubReports> & {
  [Part in "clusters" | "credentials" | "agents"]?: Partial<HubClient[Part]>;
};

/** A whole composition in memory; time stands still, randomness repeats. */
export function testDeps({ wall, ...overrides }: Partial<ProcessDeps> = {}): TestDeps {
  const clock = new VirtualClock();
  const random = seeded(1);
  const secretValues = new Map<string, string>();
  const workflowCalls: string[][] = [];
  const published: Event[] = [];
  const reported: Report[] = [];
  const woken: string[] = [];
  const hubClients = new Map<string, PartialHub>();
  const posts: Post[] = [];
  const queuedWebhooks: TestDeps["queuedWebhooks"] = [];
  const queuedRechecks: TestDeps["queuedRechecks"] = [];
  const store = openSqliteStore(":memory:");
  const workflow = recordingWorkflow(workflowCalls);
  const hubs: Hubs = {
    client: async (id) => {
      const client = hubClients.get(id);
      if (!client) throw new AppError("NotFound", `hub '${id}' does not exist`);
      // A test puts in what it calls.
      return client as HubClient;
    },
  };
  const deps: TestDeps = {
    ...relaying,
    zone: "hub",
    kinds,
    operated,
    loadOperated: async () => deps.operated,
    owners,
    observers,
    absences,
    machines,
    clock,
    wall: wall ?? (clock satisfies Clock),
    random,
    newId: idSource(clock, random),
    logTime: oneWriter(clock),
    store,
    secrets: memorySecrets(secretValues),
    workflow: { ...workflow, ...byKeptTokens(overrides.store ?? store, workflow) },
    bus: {
      publish: async (events) => {
        published.push(...events);
      },
    },
    hubs,
    askableHubs: overrides.hubs ?? hubs,
    sites: {
      systems: async (id) => {
        throw new AppError("NotFound", `site '${id}' does not exist`);
      },
    },
    servers: {
      open: async ({ id }) => {
        throw new AppError("Unavailable", `the controller of host ${id} does not answer`);
      },
    },
    guests: {
      reach: async () => {
        throw new AppError("Unavailable", "the hosted cluster's API does not answer");
      },
    },
    rechecks: { request: async () => {} },
    wakes: {
      request: async (operation) => {
        woken.push(operation);
      },
    },
    woken,
    reports: {
      take: async (report) => {
        reported.push(report);
      },
    },
    webhooks: {
      refusal: async (url) => urlRefusal(url, { loopback: false }),
      post: async (url, request) => {
        const post = { url, ...request };
        posts.push(post);
        return deps.receive(post);
      },
    },
    webhookQueue: {
      put: async ({ webhook }, after) => {
        queuedWebhooks.push({ webhook, after });
      },
    },
    queuedWebhooks,
    recheckQueue: {
      put: async (recheck, after) => {
        queuedRechecks.push({ ...recheck, after });
      },
    },
    queuedRechecks,
    posts,
    receive: async () => ({ status: 200, text: "" }),
    log: silent,
    workerTimeout: 30_000,
    secretValues,
    workflowCalls,
    published,
    reported,
    hubClients,
    ...(overrides as object),
  };
  return deps;
}

function recordingWorkflow(calls: string[][]): Workflow {
  return {
    start: async (...call) => {
      calls.push(["start", ...call]);
    },
    describe: async () => undefined,
    plan: async () => undefined,
    succeed: async (token) => {
      calls.push(["succeed", token]);
      return true;
    },
    fail: async (...call) => {
      calls.push(["fail", ...call]);
      return true;
    },
  };
}
