import { Telling } from "../../agent/telling.ts";
import type { Clock, Timer } from "../../core/clock.ts";
import type { News } from "../../core/ports/hub/news.ts";
import { newsOf } from "../../core/ports/hub/reported.ts";
import { newsKinds } from "../../core/ports/hub/reported-kinds.ts";
import type { World } from "../../sim/world.ts";
import type { Laptop, Stop } from "./laptop.ts";

/** How far apart messages begin, in milliseconds. */
const apart = 1000;
/** How long an observer may run, and until Lambda runs it again when it has failed; it does so twice. */
const longest = 60_000;
const again = 60_000;

/** Whether the work succeeds in its time. */
const inTime = (clock: Clock, work: Promise<void>): Promise<boolean> =>
  new Promise((resolve) => {
    const timer = clock.after(longest, () => resolve(false));
    const end = (succeeded: boolean) => () => {
      timer.cancel();
      resolve(succeeded);
    };
    work.then(end(true), end(false));
  });

interface ReportOptions {
  atEnd: (stop: Stop) => void;
  /** Whether news arrive at the moment; others are lost, and no heartbeat is. */
  hasNews?: () => boolean;
}

/**
 * What the hub agent does, without its connections: every change that means something, in order, and
 * heartbeats. Answers how to end it.
 */
export async function reportFrom(
  hub: ReturnType<World["hub"]>,
  laptop: Pick<Laptop, "report" | "clock">,
  { atEnd, hasNews = () => true }: ReportOptions,
): Promise<() => void> {
  const waiting = new Map<string, News>();
  let sent = Promise.resolve();
  let pause: Timer | undefined;
  const deliver = async (news: News[], tries: number): Promise<void> => {
    const observed = laptop.report({ hub: hub.id, heartbeat: false, news });
    if ((await inTime(laptop.clock, observed)) || tries === 1) return;
    // Later reports do not wait for it.
    laptop.clock.after(again, () => void deliver(news, tries - 1));
  };
  const send = async () => {
    const news = [...waiting.values()];
    waiting.clear();
    await deliver(news, 3);
  };
  const begin = () => {
    sent = sent.then(send);
    pause = laptop.clock.after(apart, () => {
      pause = undefined;
      if (waiting.size > 0) begin();
    });
  };
  const telling = new Telling(laptop.clock, (news) => {
    if (!hasNews()) return;
    const { uid } = news.object.metadata;
    // A newer state of an object replaces one that waits, and goes to the end.
    waiting.delete(uid);
    waiting.set(uid, news);
    if (!pause) begin();
  });
  const kinds = new Map(newsKinds.map((kind) => [kind as string, kind]));
  const tell = (object: { kind: string }, deleted: boolean) => {
    const kind = kinds.get(object.kind);
    if (kind) telling.changed(newsOf(kind, object as never, deleted));
  };
  for (const kind of newsKinds)
    for (const object of hub.cluster.list(kind, {})) tell(object, false);
  const unwatch = hub.cluster.watch("*", ({ type, object }) => tell(object, type === "DELETED"));
  let next: Timer | undefined;
  const stop = () => {
    unwatch();
    telling.stop();
    pause?.cancel();
    next?.cancel();
  };
  atEnd(stop);
  const beat = async () => {
    next = laptop.clock.after(60_000, () => void beat());
    await laptop.report({ hub: hub.id, heartbeat: true, news: [] });
  };
  await beat();
  await sent;
  return stop;
}
