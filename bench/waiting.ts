import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sleep, systemClock } from "../core/clock.ts";
import { startSlipway } from "../local/slipway.ts";

/** The number of measured orders, one after another. */
const measured = 40;
/** Milliseconds of idle time before each measurement. */
const rest = 10_000;
/** The most that a create among waiting orders may cost, as a multiple of a single create's CPU. */
const mostTimes = 2;
/** The most CPU milliseconds of one round of the event loop. */
const mostRound = 100;

interface Measured {
  waiting: number;
  /** CPU milliseconds per order, including background work. */
  cpu_ms: number;
  /** The largest CPU milliseconds of one round of the event loop. */
  round_ms: number;
  /** CPU seconds per second without requests. */
  resting: number;
}

/**
 * `npm run bench -- waiting [orders]`: the cost of an order in local mode, alone and while so many orders wait for
 * hosts. CPU time, so that other programs on the machine do not matter.
 */
export async function bench(): Promise<void> {
  const orders = Number(process.argv[3] ?? 1000);
  const data = await mkdtemp(join(tmpdir(), "slipway-waiting-"));
  const slipway = await startSlipway({
    ...{
      data,
      port: 0,
      workerTimeout: 10_000,
      speed: 60,
      profile: "slipway",
      origins: [],
      loopbackWebhooks: false,
    },
    say: console.error,
  });
  try {
    const { tokens } = JSON.parse(await readFile(join(data, "dev.json"), "utf8"));
    const order = orderer(`${slipway.url}/api/fulfillment/v1/clusters`, tokens["tenant-a"]);
    // Claims all hosts, so that every measured order waits.
    for (let n = 0; n < 12; n++) await order();
    await sleep(systemClock, 2 * rest);
    const alone = await measure(order, 0);
    for (let n = measured; n < orders; n++) await order();
    const among = await measure(order, orders);
    console.table([alone, among]);
    const over = [
      ...(among.cpu_ms > mostTimes * alone.cpu_ms
        ? [`an order costs ${among.cpu_ms} ms; ${mostTimes} × ${alone.cpu_ms} is the limit`]
        : []),
      ...(among.round_ms > mostRound
        ? [`the event loop did one thing for ${among.round_ms} ms; ${mostRound} is the limit`]
        : []),
    ];
    for (const why of over) console.error(why);
    if (over.length > 0) process.exitCode = 1;
    console.log(JSON.stringify({ node: process.version, alone, among, over }));
  } finally {
    await slipway.stop();
    await rm(data, { recursive: true });
  }
}

function orderer(url: string, token: string): () => Promise<void> {
  let orders = 0;
  return async () => {
    orders += 1;
    const metadata = { name: `order-${orders}` };
    const spec = { template: { id: "ocp_4_17_small" }, node_sets: { workers: { size: 3 } } };
    const response = await fetch(url, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ metadata, spec }),
    });
    if (!response.ok) throw new Error(await response.text());
    await response.arrayBuffer();
  };
}

async function measure(order: () => Promise<void>, waiting: number): Promise<Measured> {
  await sleep(systemClock, rest);
  const rounds = largestRound();
  const [quiet, since] = [cpu(), performance.now()];
  await sleep(systemClock, rest);
  const resting = (cpu() - quiet) / (performance.now() - since);
  const start = cpu();
  for (let n = 0; n < measured; n++) await order();
  const cpu_ms = (cpu() - start) / measured;
  return {
    waiting,
    cpu_ms: Number(cpu_ms.toFixed(1)),
    round_ms: Number(rounds.end().toFixed(1)),
    resting: Number(resting.toFixed(2)),
  };
}

/** CPU milliseconds of this thread. */
function cpu(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Measures the CPU of the longest round of the event loop, between two timers. */
function largestRound(): { end(): number } {
  let [largest, before] = [0, cpu()];
  const timer = setInterval(() => {
    const now = cpu();
    largest = Math.max(largest, now - before);
    before = now;
  }, 1);
  return {
    end() {
      clearInterval(timer);
      return largest;
    },
  };
}
