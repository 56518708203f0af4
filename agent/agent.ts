import { bounds, cut } from "../core/bounds.ts";
import { type Clock, minutes, type Timer } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { Message, News } from "../core/ports/hub/news.ts";
import { type NewsKind, newsKinds } from "../core/ports/hub/reported-kinds.ts";
import { HubApi } from "../core/ports/kubernetes/api.ts";
import { type Connection, type Fetch, PooledConfig } from "../core/ports/kubernetes/connection.ts";
import packaged from "../package.json" with { type: "json" };
import type { Journal } from "./journal.ts";
import { AgentOutbox, type Send } from "./outbox.ts";
import { Telling } from "./telling.ts";
import { Watcher } from "./watcher.ts";

export interface AgentOptions {
  /** The hub's API; `parseKubeconfig` makes one. */
  connection: Connection;
  /** Delivers a message, or throws; the outbox then sends it again. */
  report: Send;
  /** Times heartbeats, messages, and reports of progress. */
  clock: Clock;
  /** Times requests and the pauses between tries. */
  wall: Clock;
  log: Log;
  /** Milliseconds of `clock`. */
  heartbeatEvery: number;
  /** How far apart messages begin, in milliseconds of `clock`: a second unless given. */
  apart?: number;
  /** Keeps reports on disk until they are delivered; without it they are in memory alone. */
  journal?: Journal;
  /** Jitter. */
  random?: () => number;
  /** Replaces the network, for tests. */
  fetch?: Fetch;
}

export interface HubAgent {
  state(): AgentState;
  /**
   * Ends the watches, then the reports; resolves when nothing runs any more. Waiting reports have
   * `patience` milliseconds of `wall` to be delivered: none by default.
   */
  stop(patience?: number): Promise<void>;
}

export interface AgentState {
  /** Kinds that are not being watched now. */
  unwatched: NewsKind[];
  /** How many reports home has not taken yet. */
  waiting: number;
  /** Whether home took the last message. */
  is_heard: boolean;
  /** Whether what waits is on the disk; true where no disk was asked for. */
  is_durable: boolean;
}

/** Each heartbeat carries the version. */
const { version } = packaged;

/** What an order changes on its hub comes in bursts, and each message costs a run of the observers. */
const usuallyApart = 1000;

/**
 * For how long home is not notified that a kind is not watched, in milliseconds: a hub that restarts is back by
 * then, and so are the watches.
 */
const untold = minutes(2);

/** The limit of one request, in milliseconds; watches have none. */
const requestTimeout = 20_000;

/** The hub agent: watches what Slipway cares for on one hub and reports every change. */
export function startAgent(options: AgentOptions): HubAgent {
  const { connection, report, clock, wall, log, random = Math.random, fetch } = options;
  const watching = new AbortController();
  const sending = new AbortController();
  const api = new HubApi({ connection, wall, timeout: requestTimeout, ...(fetch && { fetch }) });
  const config = new PooledConfig(
    connection,
    { bodyTimeout: 0, headersTimeout: requestTimeout },
    fetch,
  );
  const outbox = new AgentOutbox(options.journal);

  const telling = new Telling(clock, (news) => outbox.add(news));
  const tell = (news: News) => telling.changed(news);
  const watchers = newsKinds.map((kind) => {
    const { server } = connection;
    const { signal } = watching;
    return new Watcher({ kind, server, api, config, tell, wall, random, log, signal });
  });
  const send: Send = (message) =>
    report(message.heartbeat ? { ...message, agent_version: version, ...unwatchedNow() } : message);
  const unwatchedNow = (): Pick<Message, "unwatched"> => {
    const unwatched = watchers.flatMap(({ kind, trouble }) =>
      trouble && wall.now() - trouble.since >= untold
        ? [{ kind, error: cut(trouble.error, bounds.reason) }]
        : [],
    );
    return unwatched.length > 0 ? { unwatched } : {};
  };
  const apart = { clock, ms: options.apart ?? usuallyApart };
  const reports = outbox.run({ send, apart, wall, random, log, signal: sending.signal });
  const watches = watchers.map((watcher) => watcher.run());

  let timer: Timer;
  const beat = () => {
    outbox.beat();
    timer = clock.after(options.heartbeatEvery, beat);
  };
  beat();

  return {
    state: () => ({
      unwatched: watchers.filter(({ isFollowing }) => !isFollowing).map(({ kind }) => kind),
      waiting: outbox.size,
      is_heard: !outbox.isFailing,
      is_durable: options.journal?.isWhole ?? true,
    }),
    async stop(patience = 0) {
      timer.cancel();
      const reason = new Error("the hub agent stops");
      watching.abort(reason);
      await Promise.all(watches);
      telling.stop();
      if (patience > 0) await within(patience, wall, outbox.emptied());
      sending.abort(reason);
      await reports;
      await Promise.all([api.close(), config.close()]);
    },
  };
}

/** Resolves with the promise, or when the time is up. */
async function within(ms: number, wall: Clock, promise: Promise<void>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = wall.after(ms, resolve);
  await Promise.race([promise, late]);
  timer.cancel();
}
