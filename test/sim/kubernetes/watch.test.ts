import { beforeEach, describe, expect, it } from "vitest";
import type { KubeCluster } from "../../../sim/kubernetes/cluster.ts";
import { caller, type ManualClock, openCluster, widget, widgets } from "./fixture.ts";

let cluster: KubeCluster;
let wall: ManualClock;
beforeEach(() => {
  ({ cluster, clock: wall } = openCluster());
});

// biome-ignore lint/suspicious/noExplicitAny: tests read events freely.
type Line = { type: string; object: any };

/** Opens a watch; `next` is the next line, undefined at the end. */
async function watch(query: string, signal?: AbortSignal) {
  const { api } = caller(cluster, { wall });
  const response = await api(
    new Request(`https://hub.test${widgets}?watch=true&${query}`, {
      headers: { authorization: "Bearer secret" },
      ...(signal && { signal }),
    }),
  );
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const lines: Line[] = [];
  const next = async (): Promise<Line | undefined> => {
    if (lines.length === 0) {
      const { value } = (await reader?.read()) ?? {};
      for (const line of value?.split("\n").filter(Boolean) ?? []) lines.push(JSON.parse(line));
    }
    return lines.shift();
  };
  const nextName = async () => {
    const line = await next();
    return line && `${line.type} ${line.object.metadata.name}`;
  };
  return { response, next, nextName, cancel: () => reader?.cancel() };
}

function label(name: string, tier: string) {
  return cluster.mutate("Widget", "default", name, (object) => ({
    ...object,
    metadata: { ...object.metadata, labels: { tier } },
  }));
}

it("first sends what exists, then what changes", async () => {
  cluster.create(widget("a"));
  const { nextName } = await watch("");
  expect(await nextName()).toBe("ADDED a");
  cluster.create(widget("b"));
  cluster.patchStatus("Widget", "default", "a", () => ({ phase: "Ready" }));
  cluster.delete("Widget", "default", "b");
  expect([await nextName(), await nextName(), await nextName()]).toEqual([
    "ADDED b",
    "MODIFIED a",
    "DELETED b",
  ]);
});

it("goes on after a resourceVersion without a gap", async () => {
  const { resourceVersion } = cluster.create(widget("a")).metadata;
  cluster.create(widget("b"));
  cluster.create({ ...widget("other"), metadata: { name: "x", namespace: "kube-system" } });
  const { nextName } = await watch(`resourceVersion=${resourceVersion}`);
  cluster.create(widget("c"));
  expect([await nextName(), await nextName()]).toEqual(["ADDED b", "ADDED c"]);
});

it("objects come and go as the selector sees them, live and from history", async () => {
  const { resourceVersion } = cluster.create(widget("a")).metadata;
  const live = await watch(`labelSelector=tier%3Dfront&resourceVersion=${resourceVersion}`);
  label("a", "front");
  cluster.patchStatus("Widget", "default", "a", () => ({ phase: "Ready" }));
  label("a", "back");
  cluster.delete("Widget", "default", "a");
  label(cluster.create(widget("b")).metadata.name, "front");
  const past = await watch(`labelSelector=tier%3Dfront&resourceVersion=${resourceVersion}`);
  for (const { nextName } of [live, past]) {
    expect(await nextName()).toBe("ADDED a");
    expect(await nextName()).toBe("MODIFIED a");
    expect(await nextName()).toBe("DELETED a");
    expect(await nextName()).toBe("ADDED b");
  }
});

it("410 as an ERROR event when the history is forgotten", async () => {
  const { resourceVersion } = cluster.create(widget("a")).metadata;
  cluster.store.transaction(() => {
    for (let n = 0; n < 2100; n++) cluster.patchStatus("Widget", "default", "a", () => ({ n }));
  });
  const { response, next } = await watch(`resourceVersion=${resourceVersion}`);
  expect(response.status).toBe(200);
  expect(await next()).toMatchObject({
    type: "ERROR",
    object: { kind: "Status", code: 410, reason: "Expired", message: /^too old resource version/ },
  });
  expect(await next()).toBeUndefined();
});

it("410 for what was before the server started, whose memory of changes is gone", async () => {
  const first = openCluster();
  const { resourceVersion } = first.cluster.create(widget("a")).metadata;
  first.cluster.create(widget("b"));
  ({ cluster, clock: wall } = openCluster(first.database));
  const { next } = await watch(`resourceVersion=${resourceVersion}`);
  expect(await next()).toMatchObject({ type: "ERROR", object: { code: 410 } });
  const { nextName } = await watch(`resourceVersion=${cluster.store.revision}`);
  cluster.create(widget("c"));
  expect(await nextName()).toBe("ADDED c");
});

it("silence until a resourceVersion is passed that is not there yet", async () => {
  const { nextName, response } = await watch(`resourceVersion=${cluster.store.revision + 2}`);
  expect(response.status).toBe(200);
  for (const name of ["a", "b", "c"]) cluster.create(widget(name));
  expect(await nextName()).toBe("ADDED c");
});

it("400 for a resourceVersion that is no number", async () => {
  expect((await watch("resourceVersion=x")).response.status).toBe(400);
});

describe("time", () => {
  it("ends after timeoutSeconds", async () => {
    const { next } = await watch("timeoutSeconds=5");
    wall.advance(5000);
    expect(await next()).toBeUndefined();
  });

  it("sends bookmarks when asked, every minute and at the end", async () => {
    const { next } = await watch("allowWatchBookmarks=true&timeoutSeconds=90");
    const resourceVersion = String(cluster.store.revision);
    const bookmark = {
      type: "BOOKMARK",
      object: { kind: "Widget", metadata: { resourceVersion } },
    };
    wall.advance(60_000);
    expect(await next()).toMatchObject(bookmark);
    wall.advance(30_000);
    expect(await next()).toMatchObject(bookmark);
    expect(await next()).toBeUndefined();
  });

  it("sendInitialEvents ends the first part with a bookmark", async () => {
    cluster.create(widget("a"));
    const query =
      "sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan";
    const { next } = await watch(query);
    expect(await next()).toMatchObject({ type: "ADDED" });
    expect(await next()).toMatchObject({
      type: "BOOKMARK",
      object: { metadata: { annotations: { "k8s.io/initial-events-end": "true" } } },
    });
  });
});

it("a client that goes is forgotten", async () => {
  const left = new AbortController();
  const aborted = await watch("", left.signal);
  const cancelled = await watch("");
  left.abort();
  await cancelled.cancel();
  cluster.create(widget("a"));
  expect(await aborted.next()).toBeUndefined();
});
