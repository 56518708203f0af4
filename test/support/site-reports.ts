import type { Timer } from "../../core/clock.ts";
import type { News } from "../../core/ports/hub/news.ts";
import { newsOf } from "../../core/ports/hub/reported.ts";
import { newsKinds } from "../../core/ports/hub/reported-kinds.ts";
import { meansTheSame } from "../../core/resources/meaning.ts";
import type { World } from "../../sim/world.ts";
import type { Laptop, Stop } from "./laptop.ts";

/** What the hub agent does, without its connections: every change that means something, in order, and heartbeats. Answers how to end it. */
export async function reportFrom(
  hub: ReturnType<World["hub"]>,
  laptop: Laptop,
  atEnd: (stop: Stop) => void,
): Promise<() => void> {
  const waiting: News[] = [];
  const told = new Map<string, News>();
  let running: Promise<void> | undefined;
  const send = async () => {
    while (waiting.length > 0)
      await laptop.report({ hub: hub.id, heartbeat: false, news: waiting.splice(0) });
    running = undefined;
  };
  const kinds = new Map(newsKinds.map((kind) => [kind as string, kind]));
  const tell = (object: { kind: string }, deleted: boolean) => {
    const kind = kinds.get(object.kind);
    if (!kind) return;
    const news = newsOf(kind, object as never, deleted);
    const before = told.get(news.object.metadata.uid);
    told.set(news.object.metadata.uid, news);
    if (before && meansTheSame(before, news)) return;
    waiting.push(news);
    running ??= Promise.resolve().then(send);
  };
  for (const kind of newsKinds)
    for (const object of hub.cluster.list(kind, {})) tell(object, false);
  const unwatch = hub.cluster.watch("*", ({ type, object }) => tell(object, type === "DELETED"));
  let next: Timer | undefined;
  const stop = () => {
    unwatch();
    next?.cancel();
  };
  atEnd(stop);
  const beat = async () => {
    next = laptop.clock.after(60_000, () => void beat());
    await laptop.report({ hub: hub.id, heartbeat: true, news: [] });
  };
  await beat();
  await running;
  return stop;
}
