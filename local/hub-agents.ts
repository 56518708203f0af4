import { type HubAgent, startAgent } from "../agent/agent.ts";
import type { Clock } from "../core/clock.ts";
import { parseKubeconfig } from "../core/hub/kubeconfig.ts";
import type { Report } from "../core/hub/news.ts";
import type { Log } from "../core/log.ts";

/** The hub agents of the simulated hubs: the same program, reporting straight to the observers. */
export interface HubAgents {
  add(hub: { id: string; kubeconfig: string }): void;
  stop(): Promise<void>;
}

/** Milliseconds of the clock. */
const heartbeatEvery = 60_000;

export function hubAgents(options: {
  clock: Clock;
  wall: Clock;
  random: () => number;
  log: Log;
  report: (report: Report) => Promise<void>;
}): HubAgents {
  const running = new Map<string, HubAgent>();
  return {
    add({ id, kubeconfig }) {
      if (running.has(id)) return;
      const agent = startAgent({
        connection: parseKubeconfig(kubeconfig),
        // The sender's identity fixes the hub: here it is this very agent.
        report: (message) => options.report({ ...message, hub: id }),
        clock: options.clock,
        wall: options.wall,
        random: options.random,
        log: options.log,
        heartbeatEvery,
      });
      running.set(id, agent);
    },
    async stop() {
      await Promise.all([...running.values()].map((agent) => agent.stop()));
    },
  };
}
