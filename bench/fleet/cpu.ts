import type { Profiler } from "node:inspector";
import { Session } from "node:inspector/promises";

/** The CPU of this process by part, and its highest memory use. */
export interface Used {
  /** Seconds. */
  cpu: number;
  /** The share of each part; the sum is 1. */
  parts: Record<string, number>;
  /** Megabytes. */
  heap: number;
  rss: number;
}

const root = new URL("../../", import.meta.url).href;

/** The parts by the folders of their code; the first match applies. */
const parts: [folder: RegExp, part: string][] = [
  [/^core\/kernel\/store\/sqlite\/|^local\//, "local replacements of AWS"],
  [/^(core|functions|statemachines|agent|templates)\//, "the control plane"],
  [/^sim\//, "the simulated systems outside"],
  [/^(simulate|bench|test)\//, "the bench itself"],
];

const every = 5000;
const milliseconds = 500;

/** Runs work and returns what it used. The profiler takes 200 samples a second. */
export async function used<T>(work: () => Promise<T>): Promise<{ result: T; used: Used }> {
  const most = { heap: 0, rss: 0 };
  const timer = setInterval(() => {
    const { heapUsed, rss } = process.memoryUsage();
    most.heap = Math.max(most.heap, heapUsed / 2 ** 20);
    most.rss = Math.max(most.rss, rss / 2 ** 20);
  }, milliseconds);
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.setSamplingInterval", { interval: every });
  await session.post("Profiler.start");
  const before = process.cpuUsage();
  try {
    const result = await work();
    const { user, system } = process.cpuUsage(before);
    const { profile } = await session.post("Profiler.stop");
    return { result, used: { cpu: (user + system) / 1e6, parts: sharesOf(profile), ...most } };
  } finally {
    clearInterval(timer);
    session.disconnect();
  }
}

/**
 * Assigns each sample to our topmost code on the stack. Time in a library or the garbage collector is nobody's, or its
 * caller's.
 */
export function sharesOf({ nodes }: Pick<Profiler.Profile, "nodes">): Record<string, number> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const hits: Record<string, number> = {};
  const visit = (node: Profiler.ProfileNode, of: string) => {
    const part = partOf(node.callFrame) ?? of;
    if (part !== idle) hits[part] = (hits[part] ?? 0) + (node.hitCount ?? 0);
    for (const id of node.children ?? []) {
      const child = byId.get(id);
      if (child) visit(child, part);
    }
  };
  const [first] = nodes;
  if (first) visit(first, "Node");
  const all = Object.values(hits).reduce((sum, count) => sum + count, 0);
  return Object.fromEntries(
    Object.entries(hits)
      .map(([part, count]): [string, number] => [part, count / all])
      .toSorted(([, a], [, b]) => b - a),
  );
}

const idle = "(idle)";

function partOf({ url, functionName }: Profiler.ProfileNode["callFrame"]): string | undefined {
  if (functionName === idle) return idle;
  if (functionName === "(garbage collector)") return "garbage collection";
  if (!url.startsWith(root) || url.includes("/node_modules/")) return undefined;
  const path = url.slice(root.length);
  return parts.find(([folder]) => folder.test(path))?.[1];
}
