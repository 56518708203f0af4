import { beforeAll, describe, expect, it } from "vitest";
import { relay } from "../../../core/kernel/relay/relay.ts";
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
        const ids = [...answer.text.matchAll(/"id":"([a-z_]+\.[0-9a-f-]{36}\.\d+)"/g)].map(
          ([, id]) => id,
        );
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

describe("a refusal", () => {
  const refused = async (body: unknown, query = "", kind = "clusters") => {
    const answer = await api.ask("ann", "POST", `${v1}/${kind}${query}`, body);
    expect(answer.status).toBe(400);
    // As Lambda counts it; with OSAC's details, and what is said twice.
    expect(Buffer.byteLength(JSON.stringify(answer.text))).toBeLessThan(512 * 1024);
    return answer.body;
  };
  const members = (count: number, name: (n: number) => string) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [name(n), 1]));

  it("names a hundred faults, and says how many more there are", async () => {
    const { errors, detail, details, message } = await refused(members(9_000, (n) => `k${n}`));
    expect(errors).toHaveLength(100);
    expect(details[0].field_violations).toHaveLength(100);
    // What is missing, is missing too.
    expect(detail).toMatch(/; and 8983 more$/);
    expect(message).toBe(detail);
  });

  const quotes = '"'.repeat(40);
  it.each([
    ["quotes", members(9_990, (n) => `${quotes}${n}`)],
    ["control characters", members(9_990, (n) => "\u0001".repeat(12) + n)],
    ["long names", members(600, (n) => "\u0001".repeat(100) + "x".repeat(900) + n)],
    ["names below a long way", { a: members(9_000, (n) => `k${n}\u0001`) }],
    ["texts below a long way", nested(members(800, (n) => `k${n}`))],
    [
      "long names of node sets",
      order("x", { node_sets: members(9_000, (n) => `${n}é`.repeat(9)) }),
    ],
    ["labels", order("x", {}, { labels: members(9_000, (n) => `${quotes}${n}`) })],
  ])("stays small when it is about %s", async (_, body) => {
    await refused(body);
  });

  it("stays small when it is about parameters", async () => {
    const query = new URLSearchParams(
      Array.from({ length: 2_000 }, (_, n) => [`${n}"\u0001`, ""] as [string, string]),
    );
    await refused({}, `?${query}`);
    await refused({}, `?${'"'.repeat(9_000)}=1`);
  });
});

/** Below names as long and as many as a body may have. */
function nested(value: object): object {
  let body: object = Object.fromEntries(Object.keys(value).map((name) => [name, "\u0000"]));
  for (let n = 0; n < 50; n++) body = { ['"'.repeat(1_000)]: body };
  return { metadata: { name: "x" }, spec: { template_parameters: body } };
}
