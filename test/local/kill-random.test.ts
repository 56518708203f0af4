import { setTimeout as pause } from "node:timers/promises";
import { afterAll, expect, it } from "vitest";
import { type DevProcess, operationIn, startDev, until } from "../support/dev-process.ts";
import { countsOf, ownedBy } from "../support/owned.ts";
import { seeded } from "../support/random.ts";
import { seed } from "../support/seed.ts";
import type { Wire } from "../support/site.ts";

/**
 * Kills at random moments: while a cluster is ordered, and in its create, its scale and its deletion.
 * `npm run test:worlds` kills once in each of them, and `npm run chaos` three times: `KILLS` says how often.
 * Another `SEED` kills at other moments; a machine repeats them as far as it repeats itself.
 */

const random = seeded(seed);
/** Deadlines are simulated time: fast enough for a short test, slow enough for a loaded machine. */
const speed = 150;

/** How often it is killed in each part of the work. */
const kills = Number(process.env.KILLS || 1);

/** About as long as each takes at this speed when nothing is killed, in real milliseconds. */
const lengths = { create: 10_000, scale: 5000, delete: 4000 };

const moments: string[] = [];
afterAll(() => console.log(`SEED=${seed}: killed ${moments.join(", ")}`));

/** Kills it in its `nth` part of the work, and starts it on the same data. */
async function killed(
  slipway: DevProcess,
  work: keyof typeof lengths,
  of: number,
): Promise<DevProcess> {
  const after = Math.floor((random() * lengths[work]) / of);
  moments.push(`${work} after ${after} ms`);
  await pause(after);
  await slipway.kill9();
  return startDev({ data: slipway.data, speed });
}

/** As `killed`, this many times. */
async function killedTimes(slipway: DevProcess, work: keyof typeof lengths, times: number) {
  let alive = slipway;
  for (let n = 0; n < times; n++) alive = await killed(alive, work, times);
  return alive;
}

/** Orders under an Idempotency-Key; undefined when nobody answers any more. */
async function order({ dev }: DevProcess): Promise<{ id: string; operation: string } | undefined> {
  try {
    const response = await fetch(`${dev.api}/api/fulfillment/v1/clusters`, {
      method: "POST",
      headers: { authorization: `Bearer ${dev.tokens["tenant-a"]}`, "Idempotency-Key": "survivor" },
      body: JSON.stringify({
        metadata: { name: "survivor" },
        spec: { template: { id: "ocp_4_17_small" } },
      }),
    });
    expect(response.status).toBe(200);
    const { id } = (await response.json()) as { id: string };
    return { id, operation: operationIn(response.headers) };
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

it(`an order, its scale and its deletion survive ${1 + 3 * kills} kills at random moments, and nothing is there twice`, async () => {
  let slipway = await startDev({ speed });

  // Killed while the request is under way: who asked asks again, and has ordered once.
  const asked = order(slipway);
  const justAfter = Math.floor(random() * 60);
  moments.push(`POST after ${justAfter} ms`);
  await pause(justAfter);
  await slipway.kill9();
  const answered = await asked;
  slipway = await startDev({ data: slipway.data, speed });
  const ordered = await order(slipway);
  if (!ordered) throw new Error("the order was not answered");
  if (answered) expect(ordered).toEqual(answered);
  const { id } = ordered;

  slipway = await killedTimes(slipway, "create", kills);
  await slipway.succeeded(ordered.operation);
  expect((await slipway.api("GET", `clusters/${id}`)).body.status.state).toBe(
    "CLUSTER_STATE_READY",
  );
  expect(await countsOf(slipway, id)).toEqual(ownedBy(2));

  const resize = { spec: { node_sets: { workers: { size: 3 } } } };
  const scale = operationIn((await slipway.api("PATCH", `clusters/${id}`, resize)).headers);
  slipway = await killedTimes(slipway, "scale", kills);
  await slipway.succeeded(scale);
  expect((await slipway.api("GET", `clusters/${id}`)).body.status.node_sets.workers).toMatchObject({
    size: 3,
    ready: 3,
  });
  expect(await countsOf(slipway, id)).toEqual(ownedBy(3));

  const deletion = operationIn((await slipway.api("DELETE", `clusters/${id}`)).headers);
  slipway = await killedTimes(slipway, "delete", kills);
  await slipway.succeeded(deletion);
  expect(await countsOf(slipway, id)).toEqual({});
  expect((await slipway.api("GET", `clusters/${id}`)).status).toBe(404);
  const { body: operations } = await slipway.api("GET", "operations");
  expect(operations.items.map((operation: Wire) => operation.id)).toEqual([
    ordered.operation,
    scale,
    deletion,
  ]);
  // Their agents take their time to be discovered anew.
  await until(async () => {
    const { body } = await slipway.admin("GET", "hosts?limit=100");
    return body.items.every(({ status }: Wire) => status.state === "HOST_STATE_AVAILABLE");
  }, "every host to be available");
}, 300_000);
