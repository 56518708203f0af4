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
  /** The hub's API, such as from `parseKubeconfig`. */
  connection: Connection;
  /** Delivers a message. If it throws, the outbox sends the message again. */
  report: Send;
  /** Times heartbeats, messages, and reports of progress. */
  clock: Clock;
  /** Times requests and the pauses between attempts. */
  wall: Clock;
  log: Log;
  /** The interval in milliseconds of `clock`. */
  heartbeatEvery: number;
  /** The least time between the starts of two messages, in milliseconds of `clock`; a second by default. */
  apart?: number;
  /** Stores reports on disk until they are delivered; if absent, they are only in memory. */
  journal?: Journal;
  /** Random numbers for the jitter of pauses. */
  random?: () => number;
  /** Replaces the HTTP client, for tests. */
  fetch?: Fetch;
}

export interface HubAgent {
  state(): AgentState;
  /**
   * Ends the watches, then the reports; resolves when all have ended. Reports that wait get `patience`
   * milliseconds of `wall` for their delivery; none by default.
   */
  stop(patience?: number): Promise<void>;
}

export interface AgentState {
  /** Kinds without a running watch. */
  unwatched: NewsKind[];
  /** How many reports Slipway has not accepted yet. */
  waiting: number;
  /** Whether Slipway accepted the last message. */
  is_heard: boolean;
  /** Whether all waiting reports are on disk; true without a journal. */
  is_durable: boolean;
}

/** Each heartbeat carries the version. */
const { version } = packaged;

/**
 * A pause between messages, because changes on a hub come in bursts and each message costs a run of the
 * observers.
 */
const usuallyApart = 1000;

/**
 * How long the watch of a kind may fail before the agent reports that, in milliseconds. A
 * restarting hub is back by then.
 */
const untold = minutes(2);

/** The limit of one request, in milliseconds; watches have none. */
const requestTimeout = 20_000;

/** The hub agent: watches Slipway's objects on one hub and reports every change. */
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

/** Resolves with the promise, or when the time has passed. */
async function within(ms: number, wall: Clock, promise: Promise<void>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = wall.after(ms, resolve);
  await Promise.race([promise, late]);
  timer.cancel();
}
