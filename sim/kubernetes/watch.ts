import type { Clock, Timer } from "../../core/clock.ts";
import { minutes, seconds } from "../../core/clock.ts";
import type { StoredEvent } from "./changes.ts";
import type { KubeCluster } from "./cluster.ts";
import type { KubeObject, ResourceKind } from "./object.ts";
import { apiVersionOf } from "./object.ts";
import type { Representation } from "./representation.ts";
import type { Selector } from "./selectors.ts";
import { badRequest, expired } from "./status.ts";

export interface WatchRequest {
  kind: ResourceKind;
  selects: Selector;
  representation: Representation;
  query: URLSearchParams;
  signal: AbortSignal;
  wall: Clock;
}

const bookmarkEvery = minutes(1);
/** The default duration of a watch; real servers use 30 to 60 minutes. */
const defaultTimeout = minutes(30);

/**
 * Streams changes as lines of JSON until `timeoutSeconds` have passed. With a resourceVersion it starts after that
 * version, even a future one; when the history since then is not kept any more, as after a restart, it sends one ERROR
 * event (410). Without a resourceVersion, or with sendInitialEvents, it first sends the existing objects.
 */
export function watchResponse(cluster: KubeCluster, request: WatchRequest): Response {
  const { query } = request;
  const from = parseVersion(query.get("resourceVersion"));
  const { compacted, openedAt } = cluster.store;
  const oldest = Math.max(compacted, openedAt);
  const timeoutSeconds = Number(query.get("timeoutSeconds") ?? 0);
  const timeout = timeoutSeconds > 0 ? seconds(timeoutSeconds) : defaultTimeout;

  const stop = new AbortController();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const stream = new EventStream(cluster, request, controller);
      stop.signal.addEventListener("abort", () => stream.close(), { once: true });
      if (from !== undefined && from !== 0 && from < oldest) {
        stream.fail(expired(`too old resource version: ${from} (${oldest})`).status);
        return;
      }
      stream.open(from === 0 ? undefined : from, timeout);
      if (request.signal.aborted) stream.close();
      else request.signal.addEventListener("abort", () => stream.close(), { once: true });
    },
    cancel: () => stop.abort(),
  });
  return new Response(body, {
    // The header names chunked encoding, so that no proxy buffers the whole body.
    headers: { "content-type": "application/json", "transfer-encoding": "chunked" },
  });
}

class EventStream {
  readonly #cluster: KubeCluster;
  readonly #request: WatchRequest;
  readonly #controller: ReadableStreamDefaultController<Uint8Array>;
  readonly #encoder = new TextEncoder();
  #timers: Timer[] = [];
  #unsubscribe: () => void = () => undefined;
  #open = true;

  constructor(
    cluster: KubeCluster,
    request: WatchRequest,
    controller: ReadableStreamDefaultController<Uint8Array>,
  ) {
    this.#cluster = cluster;
    this.#request = request;
    this.#controller = controller;
  }

  /** Starts the stream after the revision `from`, or with all existing objects. */
  open(from: number | undefined, timeout: number): void {
    const { kind, query, wall } = this.#request;
    const initial = query.get("sendInitialEvents");
    if (initial === "true" || (initial === null && from === undefined)) {
      for (const object of this.#cluster.store.list(kind)) {
        if (this.#request.selects(object)) this.#send("ADDED", object);
      }
      if (initial === "true") this.#bookmark({ "k8s.io/initial-events-end": "true" });
    } else if (from !== undefined) {
      for (const stored of this.#cluster.store.changes.since(from, kind)) this.#hear(stored);
    }
    this.#unsubscribe = this.#cluster.store.changes.subscribe((stored) => {
      if (stored.kind === kind && stored.revision > (from ?? 0)) this.#hear(stored);
    });
    this.#timers.push(
      wall.after(timeout, () => {
        this.#bookmark();
        this.close();
      }),
    );
    this.#repeatBookmark();
  }

  fail(status: object): void {
    this.#line({ type: "ERROR", object: status });
    this.close();
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#unsubscribe();
    for (const timer of this.#timers) timer.cancel();
    try {
      this.#controller.close();
    } catch {
      // The reader has closed the stream already.
    }
  }

  /** Sends a change. An object that begins or ceases to match the selector is added or deleted for this watch. */
  #hear({ event: { type, object }, previous }: StoredEvent): void {
    const sees = this.#request.selects(object);
    const saw = type !== "ADDED" && (previous ? this.#request.selects(previous) : sees);
    if (type === "DELETED") {
      if (saw) this.#send("DELETED", object);
    } else if (sees) {
      this.#send(saw ? "MODIFIED" : "ADDED", object);
    } else if (saw) {
      this.#send("DELETED", object);
    }
  }

  #repeatBookmark(): void {
    if (!this.#wantsBookmarks) return;
    const timer = this.#request.wall.after(bookmarkEvery, () => {
      this.#bookmark();
      this.#timers = this.#timers.filter((other) => other !== timer);
      this.#repeatBookmark();
    });
    this.#timers.push(timer);
  }

  get #wantsBookmarks(): boolean {
    const asked = this.#request.query.get("allowWatchBookmarks");
    return asked === "true" || asked === "1";
  }

  #bookmark(annotations?: Record<string, string>): void {
    if (!this.#wantsBookmarks) return;
    const { kind } = this.#request;
    const resourceVersion = String(this.#cluster.store.revision);
    const metadata = {
      resourceVersion,
      creationTimestamp: null,
      ...(annotations && { annotations }),
    };
    const object = { kind: kind.kind, apiVersion: apiVersionOf(kind), metadata };
    this.#line({ type: "BOOKMARK", object });
  }

  #send(type: string, object: KubeObject): void {
    this.#line({ type, object: this.#request.representation.object(object) });
  }

  #line(event: object): void {
    if (this.#open) this.#controller.enqueue(this.#encoder.encode(`${JSON.stringify(event)}\n`));
  }
}

export function parseVersion(text: string | null): number | undefined {
  if (!text) return undefined;
  if (!/^\d+$/.test(text)) {
    throw badRequest(
      `Invalid value: "${text}": strconv.ParseUint: parsing "${text}": invalid syntax`,
    );
  }
  return Number(text);
}
