import { type HubAgent, startAgent } from "../agent/agent.ts";
import { hubsOf } from "../core/placement/hubs/read.ts";
import type { Report } from "../core/ports/hub/news.ts";
import { parseKubeconfig } from "../core/ports/kubernetes/kubeconfig.ts";
import type { ProcessDeps } from "./process-deps.ts";

/** The pause between heartbeats, in milliseconds of the clock. */
const heartbeatEvery = 60_000;

interface Running {
  /** The reference of the credentials with which the agent was started. */
  credentials: string;
  agent: HubAgent;
}

/**
 * The hub agents: the program that runs on a hub, once for each registered hub, with the hub's registered credentials.
 * Its reports go directly to the observers.
 */
export class HubAgents {
  readonly #deps: ProcessDeps;
  readonly #report: (report: Report) => Promise<void>;
  readonly #running = new Map<string, Running>();
  #adjusting: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(deps: ProcessDeps, report: (report: Report) => Promise<void>) {
    this.#deps = deps;
    this.#report = report;
  }

  /** Starts and stops agents until each registered hub has one; called when a hub changes. */
  follow(): Promise<void> {
    this.#adjusting = this.#adjusting
      .then(() => this.#adjust())
      .catch((error) =>
        this.#deps.log.error({ error: String(error) }, "the hub agents are not up to date"),
      );
    return this.#adjusting;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#adjusting;
    await Promise.all(Array.from(this.#running.values(), ({ agent }) => agent.stop()));
  }

  async #adjust(): Promise<void> {
    if (this.#isStopped) return;
    const found = await hubsOf(this.#deps);
    const wanted = new Map<string, string>(found.map(({ id, spec }) => [id, spec.credentials]));
    for (const [id, { credentials, agent }] of this.#running) {
      if (wanted.get(id) === credentials) continue;
      this.#running.delete(id);
      await agent.stop();
    }
    for (const [id, credentials] of wanted) {
      if (!this.#running.has(id)) await this.#start(id, credentials);
    }
  }

  async #start(hub: string, credentials: string): Promise<void> {
    const { secrets, clock, wall, random, log } = this.#deps;
    const kubeconfig = await secrets.get(credentials);
    if (kubeconfig === undefined) return log.warn({ hub }, "the hub's credentials are missing");
    const agent = startAgent({
      connection: parseKubeconfig(kubeconfig),
      // On AWS the sender's identity determines the hub; here the sender is this agent.
      report: (message) => this.#report({ ...message, hub }),
      clock,
      wall,
      random,
      log,
      heartbeatEvery,
    });
    this.#running.set(hub, { credentials, agent });
  }
}
