import type { Clock, Timer } from "../core/clock.ts";
import { HubApi } from "../core/hub/api.ts";
import { type Connection, type Fetch, PooledConfig } from "../core/hub/connection.ts";
import { agentNamespace } from "../core/hub/hub.ts";
import { type NewsKind, newsKinds } from "../core/hub/news.ts";
import type { Log } from "../core/log.ts";
import { clusterLabel } from "../core/model/cluster.ts";
import { Outbox, type Send } from "./outbox.ts";
import { Watcher } from "./watcher.ts";

export interface AgentOptions {
  /** Its hub; make it with `parseKubeconfig`. */
  connection: Connection;
  /** Takes a message or throws; what is not taken comes again. */
  report: Send;
  /** Times heartbeats. */
  clock: Clock;
  /** Times requests and the pauses between tries. */
  wall: Clock;
  log: Log;
  /** Milliseconds of `clock`. */
  heartbeatEvery: number;
  /** Jitter. */
  random?: () => number;
  /** In place of the network. */
  fetch?: Fetch;
}

export interface HubAgent {
  /** Ends watches and reports; resolves when nothing runs any more. */
  stop(): Promise<void>;
}

const selections: Record<NewsKind, { namespace?: string; labelSelector?: string }> = {
  HostedCluster: { labelSelector: clusterLabel },
  NodePool: { labelSelector: clusterLabel },
  Agent: { namespace: agentNamespace },
};

/** For one request, in milliseconds; watches have no such limit. */
const requestTimeout = 20_000;

/** The hub agent: watches what Slipway cares for on one hub and reports every change. */
export function startAgent(options: AgentOptions): HubAgent {
  const { connection, report, clock, wall, log, random = Math.random, fetch } = options;
  const ended = new AbortController();
  const { signal } = ended;
  const api = new HubApi({ connection, wall, timeout: requestTimeout, ...(fetch && { fetch }) });
  const config = new PooledConfig(
    connection,
    { bodyTimeout: 0, headersTimeout: requestTimeout },
    fetch,
  );
  const outbox = new Outbox();

  const watchers = newsKinds.map((kind) => {
    const tell = outbox.add.bind(outbox);
    const { server } = connection;
    const selection = selections[kind];
    return new Watcher({ kind, selection, server, api, config, tell, wall, random, log, signal });
  });
  const running = [
    outbox.run({ send: report, wall, random, log, signal }),
    ...watchers.map((watcher) => watcher.run()),
  ];

  let timer: Timer;
  const beat = () => {
    outbox.beat();
    timer = clock.after(options.heartbeatEvery, beat);
  };
  beat();

  return {
    async stop() {
      timer.cancel();
      ended.abort(new Error("the hub agent stops"));
      await Promise.all(running);
      await Promise.all([api.close(), config.close()]);
    },
  };
}
