import { beforeEach, describe, expect, it, vi } from "vitest";
import { historyKey, logPartitions } from "../../../core/kernel/object/log-keys.ts";
import { relay } from "../../../core/kernel/relay/relay.ts";
import { sagas } from "../../../statemachines/index.ts";
import { type Api, catalogApi, order, type Person, priv, v1 } from "../../support/api.ts";
import { logOf } from "../../support/log.ts";
import { oneOfEach } from "../../support/one-of-each.ts";

const watchPath = "/api/events/v1/events";

let api: Api;
let relayed: string | undefined;
beforeEach(async () => {
  api = await catalogApi();
  for (const name of ["tenant-a", "tenant-b"])
    await api.ask("admin", "POST", `${priv}/tenants`, { metadata: { name } });
  relayed = undefined;
  await relayAll();
});

/** What the relay does with the stream. */
async function relayAll() {
  for (const record of api.deps.store.stream(relayed, 10_000)) {
    await relay(api.deps, sagas, record);
    relayed = record.sequence;
  }
}

async function accept(name: string, person: "ann" | "bob" = "ann") {
  const { body } = await api.ask(person, "POST", `${v1}/clusters`, order(name));
  await relayAll();
  return body;
}

const watch = (headers: Record<string, string> = {}, query = "") =>
  api.ask("ann", "GET", watchPath + query, undefined, headers);
const lines = (text: string) =>
  text
    .trim()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

/** What everything is about that there is of a log. */
async function subjectsAt(path: string, person: Person): Promise<Set<string>> {
  const subjects = new Set<string>();
  // One answer does not have all that one of each kind has led to; the last one waits in vain, and is empty.
  for (let from = "0"; ; ) {
    const headers = { "Last-Event-ID": from, Accept: "text/event-stream" };
    const asked = api.ask(person, "GET", path, undefined, headers);
    const answer = await api.deps.clock.until(asked);
    const found = [...answer.text.matchAll(/"subject":"(.*?)"/g)];
    if (found.length === 0) return subjects;
    for (const [, subject = ""] of found) subjects.add(subject);
    from = answer.headers.get("Last-Event-ID") ?? from;
  }
}

describe("a watch", () => {
  it("answers the first events there are, in OSAC's lines", async () => {
    const waiting = watch();
    await api.deps.clock.advance(1000);
    await accept("theirs", "bob");
    const cluster = await accept("one");
    const answer = await api.deps.clock.until(waiting);
    expect(answer.headers.get("Content-Type")).toBe("application/json");
    const events = lines(answer.text).map(({ result }) => result.event);
    expect(events).toHaveLength(2);
    expect(events).toContainEqual({
      id: `cluster.${cluster.id}.1`,
      type: "EVENT_TYPE_OBJECT_CREATED",
      cluster,
    });
  });

  it("shows nothing that the provider's administrators ordered for themselves", async () => {
    await api.ask("admin", "POST", `${v1}/clusters`, order("own"));
    await api.ask("admin", "POST", `${priv}/host_types`, { metadata: { name: "tiny" } });
    await relayAll();
    const seenBy = async (person: "ann" | "admin") =>
      lines((await api.ask(person, "GET", `${watchPath}?last_event_id=0`)).text).flatMap(
        ({ result }) => Object.keys(result.event).slice(2),
      );
    expect(new Set(await seenBy("ann"))).toEqual(
      new Set(["host_type", "cluster_version", "cluster_template", "tenant"]),
    );
    expect(await seenBy("admin")).toEqual(expect.arrayContaining(["cluster", "operation"]));
  });

  it.each<[Person, string]>([
    ["amy", watchPath],
    ["ann", watchPath],
    ["mia", watchPath],
    ["vic", watchPath],
    ["bob", watchPath],
    ["admin", `${watchPath}?tenant=tenant-a`],
    ["auditor", `${watchPath}?tenant=tenant-a`],
    ["admin", `${priv}/events/watch?tenant=tenant-a`],
    ["auditor", `${priv}/events/watch?tenant=tenant-a`],
  ])("shows %s at %s what they may get, and nothing else", async (person, path) => {
    await api.ask("admin", "DELETE", `${priv}/tenants/tenant-a`);
    await api.deps.clock.advance(1000);
    await oneOfEach(api);
    await relayAll();
    const told = (tenant: string) => subjectsAt(`${priv}/events/watch?tenant=${tenant}`, "admin");
    const all = new Set([...(await told("tenant-a")), ...(await told("tenant-b"))]);
    expect(all.size).toBeGreaterThan(15);
    const expected = new Set<string>();
    const base = path.startsWith(priv) ? priv : v1;
    for (const subject of all) {
      // In the log of another tenant than the one that these watch.
      if (person !== "bob" && subject === "tenants/tenant-b") continue;
      const { status } = await api.ask(person, "GET", `${base}/${subject}`);
      if (status === 200) expected.add(subject);
    }
    expect(await subjectsAt(path, person)).toEqual(expected);
  });

  it("shows who is bound to more than the token says what that allows", async () => {
    const { id } = (await api.ask("amy", "POST", `${v1}/users`, { metadata: { name: "zoe" } }))
      .body;
    await relayAll();
    expect(await subjectsAt(watchPath, "ann")).not.toContain(`users/${id}`);
    await api.ask("admin", "POST", `${priv}/roles`, { metadata: { name: "tenant-admin" } });
    const spec = { role: "tenant-admin", users: ["ann"] };
    await api.ask("amy", "POST", `${v1}/role_bindings`, { metadata: { name: "b" }, spec });
    expect(await subjectsAt(watchPath, "ann")).toContain(`users/${id}`);
  });

  // A webhook is sent all that is in it, and a tenant's administrators say where to.
  it("has nothing in a tenant's log that its administrators may not read", async () => {
    await api.ask("admin", "DELETE", `${priv}/tenants/tenant-a`);
    await api.deps.clock.advance(1000);
    await oneOfEach(api);
    await relayAll();
    const events = (await logOf(api.deps, "tenant-a")).map(({ event }) => event);
    expect(events.length).toBeGreaterThan(10);
    for (const { subject } of events)
      expect((await api.ask("amy", "GET", `${v1}/${subject}`)).status, subject).toBe(200);
  });

  it("loses nothing between two of them, shared objects included", async () => {
    const first = await api.deps.clock.until(watch());
    expect(first.text).toBe("");
    await accept("one");
    await api.ask("admin", "POST", `${priv}/host_types`, { metadata: { name: "tiny" } });
    await relayAll();
    const id = first.headers.get("Last-Event-ID") ?? "";
    const second = await watch({ "Last-Event-ID": id, Accept: "text/event-stream" });
    expect(second.headers.get("Content-Type")).toBe("text/event-stream");
    const events = second.text.split("\n\n").filter((part) => part.includes("data: "));
    const types = events.map((part) => /event: (.*)/.exec(part)?.[1]);
    expect(types.sort()).toEqual([
      "slipway.cluster.created.v1",
      "slipway.host_type.created.v1",
      "slipway.operation.created.v1",
    ]);
    const data = events.map((part) => JSON.parse(/data: (.*)/.exec(part)?.[1] ?? ""));
    expect(
      data.every(({ specversion, source }) => specversion === "1.0" && source === "slipway"),
    ).toBe(true);
    const ids = [...second.text.matchAll(/^id: (.*)$/gm)].map(([, each]) => each ?? "");
    const third = await watch({ "Last-Event-ID": ids[0] ?? "", Accept: "text/event-stream" });
    expect(third.text.match(/^data: /gm)).toHaveLength(2);
  });

  it("goes on behind any event, in whatever shards of the two logs the others are", async () => {
    const first = await api.deps.clock.until(watch());
    for (const name of ["one", "two", "three"]) {
      await accept(name);
      await api.ask("admin", "POST", `${priv}/host_types`, { metadata: { name } });
      await relayAll();
    }
    const told = async (from: string | null) => {
      const headers = { "Last-Event-ID": from ?? "", Accept: "text/event-stream" };
      const { text } = await api.deps.clock.until(watch(headers));
      const events = [...text.matchAll(/^data: (.*)$/gm)].map(
        ([, data = ""]) => JSON.parse(data).id,
      );
      return { events, ids: [...text.matchAll(/^id: (.*)$/gm)].map(([, id = ""]) => id) };
    };
    const all = await told(first.headers.get("Last-Event-ID"));
    expect(all.events).toHaveLength(9);
    const shards = await Promise.all(
      [...logPartitions("tenant-a"), ...logPartitions("shared")].map(
        async (pk) => (await api.deps.store.query({ pk })).items.length,
      ),
    );
    expect(shards.filter((entries) => entries > 0).length).toBeGreaterThan(4);
    for (const [n] of all.events.entries())
      expect((await told(all.ids[n] ?? "")).events).toEqual(all.events.slice(n + 1));
  });

  it("names nothing of what it does not show in where it goes on", async () => {
    const { id } = await accept("one");
    const answer = await watch({ "Last-Event-ID": "0" });
    expect(answer.text).toContain(id);
    expect(answer.headers.get("Last-Event-ID")).toMatch(/^\d{16}\.[\w-]{11}$/);
  });

  it("gives up after 25 seconds and says where to go on", async () => {
    const before = api.deps.clock.now();
    const answer = await api.deps.clock.until(watch({ Accept: "text/event-stream" }));
    expect(api.deps.clock.now() - before).toBe(25_000);
    expect(answer.text).toMatch(/^retry: \d+\nid: \d{16}\n\n$/);
  });

  it("takes a filter over the event, and refuses a bad one at once", async () => {
    await accept("one");
    const filter = (text: string) =>
      watch({ "Last-Event-ID": "0" }, `?filter=${encodeURIComponent(text)}`);
    const found = await filter("event.type == EVENT_TYPE_OBJECT_CREATED && has(event.cluster)");
    expect(lines(found.text).map(({ result }) => Object.keys(result.event))).toEqual([
      ["id", "type", "cluster"],
    ]);
    expect((await filter("event.type ==")).status).toBe(400);
    expect((await filter("this.x == 1")).status).toBe(400);
    for (const [text, name] of [
      ['event.object_id == "x"', "object_id"],
      ['event.cluster.metadata.nam == "x"', "nam"],
      ["has(event.clusters)", "clusters"],
      ['event.type == EVENT_TYPE_OBJECT_CREATED && event.cluster.spec.x == "y"', "x"],
    ] as const) {
      const refused = await filter(text);
      expect(refused.status, text).toBe(400);
      expect(refused.body.errors).toEqual([
        { field: "filter", message: expect.stringContaining(`undefined field '${name}'`) },
      ]);
    }
  });

  it("shows the osac profile what OSAC's clients know", async () => {
    await accept("one");
    const answer = await watch({ "Last-Event-ID": "0", Accept: "application/json;profile=osac" });
    const events = lines(answer.text).map(({ result }) => result.event);
    expect(events.filter((event) => "operation" in event)).toEqual([]);
    const { cluster } = events.find((event) => "cluster" in event);
    expect(cluster.spec.template_parameters.vlan).toEqual({
      "@type": "type.googleapis.com/google.protobuf.Int64Value",
      value: "100",
    });
  });

  it("refuses an id that is none, and a tenant that is not the caller's", async () => {
    for (const id of ["x", "1", "0.0", "1".repeat(17), `${"1".repeat(16)}.x`, "-1"]) {
      const { status, body } = await watch({ "Last-Event-ID": id });
      expect([id, status]).toEqual([id, 400]);
      expect(body.errors).toEqual([
        { field: "Last-Event-ID", message: "is not the id of an event" },
      ]);
    }
    expect((await watch({}, "?tenant=tenant-b")).status).toBe(400);
    expect((await api.ask("nobody", "GET", watchPath)).status).toBe(401);
  });
});

it("history tells what happened to a cluster, page by page", async () => {
  const { id } = await accept("one");
  await api.ask("ann", "PATCH", `${v1}/clusters/${id}`, { metadata: { labels: { a: "1" } } });
  await api.ask("ann", "DELETE", `${v1}/clusters/${id}`);
  await relayAll();
  const { body } = await api.ask("ann", "GET", `${v1}/clusters/${id}/history`);
  expect(body).toMatchObject({ size: 3, total: 3 });
  expect(body.items.map(({ type }: { type: string }) => type)).toEqual([
    "slipway.cluster.created.v1",
    "slipway.cluster.updated.v1",
    "slipway.cluster.deleting.v1",
  ]);
  expect(body.items[1].data.changed).toEqual(["metadata.labels.a", "metadata.version"]);
  expect(body.items[0].data).not.toHaveProperty("changes");
  expect(body.items[1].data.changes).toEqual([
    { path: "metadata.labels.a", after: "1" },
    { path: "metadata.version", before: 0, after: 1 },
  ]);
  const first = await api.ask("ann", "GET", `${v1}/clusters/${id}/history?limit=2`);
  const second = await api.ask(
    "ann",
    "GET",
    `${v1}/clusters/${id}/history?limit=2&page_token=${first.body.next_page_token}`,
  );
  expect([...first.body.items, ...second.body.items]).toEqual(body.items);
});

it("history ends before an event whose index entry is late, so that its next page has both", async () => {
  const { id } = await accept("one");
  for (const a of ["1", "2"])
    await api.ask("ann", "PATCH", `${v1}/clusters/${id}`, { metadata: { labels: { a } } });
  await relayAll();
  const { store, clock } = api.deps;
  const late = historyKey("cluster", id, 2).g3sk;
  const query = store.query.bind(store);
  const lagging = vi.spyOn(store, "query").mockImplementation(async (asked) => {
    const page = await query(asked);
    return { ...page, items: page.items.filter(({ g3sk }) => g3sk !== late) };
  });
  const sequences = async () => {
    const { body } = await api.ask("ann", "GET", `${v1}/clusters/${id}/history`);
    return body.items.map(({ sequence }: { sequence: number }) => sequence);
  };
  expect(await sequences()).toEqual([1]);
  await clock.advance(61_000);
  // The event was never told.
  expect(await sequences()).toEqual([1, 3]);
  lagging.mockRestore();
  expect(await sequences()).toEqual([1, 2, 3]);
});
