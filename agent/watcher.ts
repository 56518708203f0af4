import { type Clock, hours, sleep, type Timer } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { News } from "../core/ports/hub/news.ts";
import { newsOf } from "../core/ports/hub/reported.ts";
import { type NewsKind, reportedKinds } from "../core/ports/hub/reported-kinds.ts";
import type { HubApi } from "../core/ports/kubernetes/api.ts";
import type { PooledConfig } from "../core/ports/kubernetes/connection.ts";
import { backoff } from "./backoff.ts";
import { withCauses } from "./causes.ts";
import { Expired, watchStream } from "./watch-stream.ts";

/** Why a watcher does not watch its kind. */
export interface Trouble {
  /** In milliseconds of `wall`. */
  since: number;
  error: string;
}

export interface WatcherOptions {
  kind: NewsKind;
  server: string;
  /** The client for lists. */
  api: HubApi;
  /** The client for watches. */
  config: PooledConfig;
  /** Called for each change of an object, whether or not the change is reported. */
  tell: (news: News) => void;
  /** Times the pauses between attempts. */
  wall: Clock;
  random: () => number;
  log: Log;
  signal: AbortSignal;
}

/** The requested duration of a watch, in seconds. */
const watchSeconds = 240;
/** The age at which the agent closes a watch that the server has not ended, in milliseconds. */
const longestWatch = (watchSeconds + 30) * 1000;
/** The least duration of a watch whose end does not count as a failure, in milliseconds. */
const settled = 5_000;
/**
 * How long a list is valid, in milliseconds. A hub that was restored from a backup accepts a watch from a
 * version that it has not reached yet, and sends nothing until it reaches it.
 */
const listEvery = hours(1);

/**
 * Watches one kind: lists it, watches from there, resumes a watch that ends, and lists again after
 * `listEvery` or when the server has dropped the version. A known object that is missing in a list is
 * reported as deleted. The sweep, which reads the hub, finds objects that vanish while the agent is not
 * running. Written by hand: the client's informer stores complete objects, and never lists again unless the
 * server refuses its version.
 */
export class Watcher {
  readonly #options: WatcherOptions;
  readonly #known = new Map<string, News>();
  /** The version up to which changes were received; undefined when a list is due. */
  #version: string | undefined;
  /** When it last listed. */
  #listedAt = 0;
  #failures = 0;
  /** The last problem and when it began; undefined without one. */
  #trouble: Trouble | undefined;

  constructor(options: WatcherOptions) {
    this.#options = options;
    this.#trouble = { since: options.wall.now(), error: "it has not been listed yet" };
  }

  get kind(): NewsKind {
    return this.#options.kind;
  }

  /** Whether it has listed and its watch does not fail. A single early end is no failure. */
  get isFollowing(): boolean {
    return this.#version !== undefined && this.#failures <= 1;
  }

  /** Why and since when it does not watch; undefined while it does. */
  get trouble(): Trouble | undefined {
    return this.isFollowing ? undefined : this.#trouble;
  }

  /** Runs until the signal is aborted. */
  async run(): Promise<void> {
    const { wall, random, signal } = this.#options;
    while (!signal.aborted) {
      const resumed = wall.now() - this.#listedAt < listEvery ? this.#version : undefined;
      try {
        const version = resumed ?? (await this.#list());
        this.#version = version;
        await this.#watch(version);
        this.#failures += 1;
        this.#note("the server ends each watch at once");
      } catch (error) {
        if (signal.aborted) return;
        this.#note(withCauses(error));
        this.#complain(error);
        // The server has answered that a list is due. Only the first such answer counts as success; otherwise
        // a server that always answers this way would be asked without a pause.
        const isAnswered = error instanceof Expired && resumed !== undefined;
        this.#failures = isAnswered ? 0 : this.#failures + 1;
      }
      // Rejects only when the agent stops, which ends the loop.
      await sleep(wall, backoff(this.#failures, random), signal).catch(() => {});
    }
  }

  async #list(): Promise<string> {
    const { kind, api } = this.#options;
    const { selection } = reportedKinds[kind];
    const { metadata, items } = await api.list(reportedKinds[kind], selection);
    const found = new Set<string>();
    for (const object of items) {
      const news = newsOf(kind, object);
      const key = keyOf(news);
      found.add(key);
      const before = this.#known.get(key);
      const same = before?.object.metadata.uid === object.metadata.uid;
      if (before && !same) this.#tell({ ...before, deleted: true });
      const { resourceVersion } = object.metadata;
      if (!same || before?.object.metadata.resourceVersion !== resourceVersion) this.#tell(news);
    }
    for (const [key, news] of this.#known) {
      if (!found.has(key)) this.#tell(vanished(news, metadata.resourceVersion));
    }
    this.#listedAt = this.#options.wall.now();
    return metadata.resourceVersion;
  }

  async #watch(version: string): Promise<void> {
    const { kind, config, wall, signal } = this.#options;
    const stalled = new AbortController();
    const timer = wall.after(longestWatch, () => stalled.abort(new Error("the watch stalled")));
    const until = AbortSignal.any([signal, stalled.signal]);
    let opened: Timer | undefined;
    try {
      for await (const event of watchStream(config, this.#url(version), until)) {
        if (event.type === "OPENED") {
          opened = wall.after(settled, () => this.#recovered());
          continue;
        }
        this.#recovered();
        if (event.type !== "BOOKMARK") {
          this.#tell(newsOf(kind, event.object, event.type === "DELETED"));
        }
        this.#version = event.object.metadata.resourceVersion;
      }
    } finally {
      timer.cancel();
      opened?.cancel();
    }
  }

  #tell(news: News): void {
    if (news.deleted) this.#known.delete(keyOf(news));
    else this.#known.set(keyOf(news), news);
    this.#options.tell(news);
  }

  #recovered(): void {
    this.#failures = 0;
    this.#trouble = undefined;
  }

  #note(error: string): void {
    this.#trouble = { since: this.#trouble?.since ?? this.#options.wall.now(), error };
  }

  #complain(error: unknown): void {
    const { kind, log } = this.#options;
    if (error instanceof Expired) {
      this.#version = undefined;
      log.info({ kind }, "watch expired, listing again");
    } else {
      log.warn({ kind, error: withCauses(error), failures: this.#failures }, "watch interrupted");
    }
  }

  #url(version: string): URL {
    const { kind, server } = this.#options;
    const { group, version: apiVersion, plural, selection } = reportedKinds[kind];
    const scope = selection.namespace === undefined ? "" : `namespaces/${selection.namespace}/`;
    const url = new URL(`${server}/apis/${group}/${apiVersion}/${scope}${plural}`);
    url.search = new URLSearchParams({
      watch: "true",
      allowWatchBookmarks: "true",
      resourceVersion: version,
      timeoutSeconds: String(watchSeconds),
      ...(selection.labelSelector !== undefined && { labelSelector: selection.labelSelector }),
    }).toString();
    return url;
  }
}

const keyOf = ({ object }: News): string => `${object.metadata.namespace}/${object.metadata.name}`;

/**
 * Reports a deletion at the version of the list without the object, so that the report sorts after the last
 * one.
 */
function vanished(last: News, resourceVersion: string): News {
  const metadata = { ...last.object.metadata, resourceVersion };
  return { ...last, deleted: true, object: { ...last.object, metadata } };
}
