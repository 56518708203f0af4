import { beforeAll, describe, expect, it } from "vitest";
import { relay } from "../../../core/feedback/relay.ts";
import { Room } from "../../../functions/api/room.ts";
import { sagas } from "../../../statemachines/index.ts";
import { type Answer, type Api, catalogApi, order, v1 } from "../../support/api.ts";

/** Large objects: an answer stays below what a Lambda may send, and the next goes on behind it. */

const count = 22;
const names = Array.from({ length: count }, (_, n) => `c${String(n).padStart(2, "0")}`);
// Six bytes each in JSON and one in the store, whose pages alone would not be small enough.
const annotations = { large: "\u0001".repeat(41_000) };

let api: Api;
let first: string;
beforeAll(async () => {
  api = await catalogApi();
  for (const name of names) {
    await api.deps.clock.advance(1000);
    const { body } = await api.ask(
      "ann",
      "POST",
      `${v1}/clusters`,
      order(name, {}, { annotations }),
    );
    first ??= body.id;
  }
  for (let n = 1; n < count; n++)
    await api.ask("ann", "PATCH", `${v1}/clusters/${first}`, {
      metadata: { labels: { n: `${n}` } },
    });
  for (const record of api.deps.store.stream(undefined, 10_000))
    await relay(api.deps, sagas, record);
});

function expectToFit({ status, text }: Answer) {
  expect(status).toBe(200);
  // As Lambda counts it.
  expect(Buffer.byteLength(JSON.stringify(text))).toBeLessThan(5.5 * 1024 * 1024);
}

it("counts an answer as text in Lambda's own JSON", () => {
  const room = new Room();
  const quotes = '"'.repeat(1_500_000);
  expect([room.take(quotes), room.take(quotes)]).toEqual([true, false]);
});

describe("a list", () => {
  it.each<Record<string, string>>([
    {},
    { limit: "1000" },
    { order: "metadata.name desc" },
    { filter: 'this.metadata.name != "x"' },
  ])("is cut where it is too large, and loses nothing (%j)", async (query) => {
    const seen: string[] = [];
    const sizes: number[] = [];
    let token: string | undefined;
    do {
      const parameters = new URLSearchParams({ ...query, ...(token && { page_token: token }) });
      const answer = await api.ask("ann", "GET", `${v1}/clusters?${parameters}`);
      expectToFit(answer);
      const { size, total, items, next_page_token } = answer.body;
      expect({ size, total }).toEqual({ size: items.length, total: count });
      sizes.push(size);
      for (const { metadata } of items) seen.push(metadata.name);
      token = next_page_token;
    } while (token !== undefined);
    expect(seen.toSorted()).toEqual(names);
    expect(sizes).toHaveLength(2);
  });

  it("goes on by offset for clients that know no tokens", async () => {
    const seen: string[] = [];
    while (seen.length < count) {
      const path = `${v1}/clusters?offset=${seen.length}`;
      const answer = await api.ask("ann", "GET", path, undefined, {
        Accept: "application/json;profile=osac",
      });
      expectToFit(answer);
      expect(answer.body.size).toBeGreaterThan(0);
      for (const { metadata } of answer.body.items) seen.push(metadata.name);
    }
    expect(seen).toEqual(names);
  });
});

it("a history is cut likewise", async () => {
  const seen: number[] = [];
  let token: string | undefined;
  do {
    const query = token === undefined ? "" : `?page_token=${token}`;
    const answer = await api.ask("ann", "GET", `${v1}/clusters/${first}/history${query}`);
    expectToFit(answer);
    for (const { sequence } of answer.body.items) seen.push(sequence);
    token = answer.body.next_page_token;
  } while (token !== undefined);
  expect(seen).toEqual(Array.from({ length: count }, (_, n) => n + 1));
});

describe("a watch", () => {
  it.each(["application/json", "text/event-stream"])(
    "as %s answers what fits, and the next the rest",
    async (accept) => {
      const seen: string[] = [];
      let at = "0";
      for (;;) {
        const waiting = api.ask("ann", "GET", "/api/events/v1/events", undefined, {
          Accept: accept,
          "Last-Event-ID": at,
        });
        const answer = await api.deps.clock.until(waiting);
        expectToFit(answer);
        const ids = [...answer.text.matchAll(/"id":"([0-9a-f-]{36}\.\d+)"/g)].map(([, id]) => id);
        if (ids.length === 0) break;
        for (const id of ids) if (id) seen.push(id);
        at = answer.headers.get("Last-Event-ID") ?? "";
      }
      expect(new Set(seen).size).toBe(seen.length);
      // Clusters and their operations, and the changes of the first.
      expect(seen).toHaveLength(2 * count + count - 1);
    },
  );
});
