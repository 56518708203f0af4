import { expect, it } from "vitest";
import type { PowerDnsVersion } from "../../../sim/dns/powerdns-version.ts";

/** Asks the API of a server, with its key unless told. */
export type AskPowerDns = (
  method: string,
  path: string,
  body?: object | string,
  headers?: Record<string, string>,
) => Promise<Response>;

/** Asks the server at this URL, by `send`. */
export const asking =
  (url: string, key: string, send: (request: Request) => Promise<Response>): AskPowerDns =>
  (method, path, body, headers = {}) =>
    send(
      new Request(`${url}/api/v1/servers/localhost${path}`, {
        method,
        headers: { "x-api-key": key, accept: "application/json", ...headers },
        ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      }),
    );

const path = (zone: string) => `/zones/${zone}.`;

/** What the versions say otherwise. */
const words = {
  "4.7": {
    noTtl: "Key 'ttl' not an Integer or not present",
    twice: 'Duplicate record in RRset {name} IN A with content "192.0.2.1"',
    noChangeType: "Changetype not understood",
  },
  "5.1": {
    noTtl: "New RRsets are invalid: Key 'ttl' not an Integer or not present",
    twice: 'RRset {name} IN A: duplicate record with content "192.0.2.1"',
    noChangeType: "Changetype 'RENAME' is not a valid value",
  },
} as const satisfies Record<PowerDnsVersion, object>;

/** What a real PowerDNS of a version was seen to answer; a simulated one has to answer the same. */
export function powerDnsWire(
  version: PowerDnsVersion,
  open: () => Promise<{ ask: AskPowerDns; zone: string }>,
): void {
  const isOld = version === "4.7";
  const said = words[version];
  const set = (name: string, changes: object = {}) => ({
    name,
    type: "A",
    ttl: 60,
    changetype: "REPLACE",
    records: [{ content: "192.0.2.1", disabled: false }],
    ...changes,
  });
  const answerOf = async (response: Response) => {
    const text = await response.text();
    return [response.status, text === "" ? "" : JSON.parse(text)];
  };

  it("refuses a wrong key: as JSON where that is accepted, else as an old version likes", async () => {
    const { ask } = await open();
    const wrong = { "x-api-key": "wrong" };
    const json = await ask("GET", "/zones", undefined, { ...wrong, accept: "application/json" });
    expect(await answerOf(json)).toEqual([401, { error: "Unauthorized" }]);
    const text = await ask("GET", "/zones", undefined, { ...wrong, accept: "*/*" });
    const unauthorized = isOld ? "Unauthorized" : '{"error": "Unauthorized"}';
    expect([text.status, await text.text()]).toEqual([401, unauthorized]);
  });

  it("makes a zone once, and refuses what is wrong with it", async () => {
    const { ask, zone } = await open();
    const name = `new.${zone}.`;
    const nameservers = ["ns1.example."];
    const refused = async (body: object) => answerOf(await ask("POST", "/zones", body));
    expect(await refused({ name, nameservers })).toEqual([
      422,
      { error: "Key 'kind' not present or not a String" },
    ]);
    expect(await refused({ name: `new.${zone}`, kind: "Native", nameservers })).toEqual([
      422,
      { error: `DNS Name 'new.${zone}' is not canonical` },
    ]);
    const made = await ask("POST", "/zones", { name, kind: "Native", nameservers });
    expect(made.status).toBe(201);
    expect(await made.json()).toMatchObject({ id: name, name, kind: "Native", account: "" });
    expect(await refused({ name, kind: "Native", nameservers })).toEqual([
      409,
      { error: "Conflict" },
    ]);
    const read = await ask("GET", `/zones/${name}`);
    const types = ((await read.json()) as Zone).rrsets.map(({ type }) => type);
    expect(types.sort()).toEqual(["NS", "SOA"]);
  });

  it("knows no other zone, path or method", async () => {
    const { ask, zone } = await open();
    const notFound = [404, { error: "Not Found" }];
    expect(await answerOf(await ask("GET", "/zones/nope.example."))).toEqual(notFound);
    expect(await answerOf(await ask("PATCH", "/zones/nope.example.", { rrsets: [] }))).toEqual(
      notFound,
    );
    expect(await answerOf(await ask("GET", "/nothing"))).toEqual(notFound);
    expect(await answerOf(await ask("POST", path(zone), {}))).toEqual([
      405,
      { error: "Method Not Allowed" },
    ]);
  });

  it.each([
    ["a name outside", { name: "api.elsewhere.test." }, "RRset {name} IN A: Name is out of zone"],
    ["a name without its dot", { name: "api.{zone}" }, "DNS Name '{name}' is not canonical"],
    ["no TTL", { ttl: undefined }, said.noTtl],
    ["neither records nor comments", { records: undefined }, "No change for RRset {name} IN A"],
    [
      "the same record twice",
      { records: [{ content: "192.0.2.1" }, { content: "192.0.2.1" }] },
      said.twice,
    ],
    ["no change type", { changetype: undefined }, "Key 'changetype' not present or not a String"],
    ["a change type that there is not", { changetype: "RENAME" }, said.noChangeType],
  ])("refuses %s", async (_, changes, message) => {
    const { ask, zone } = await open();
    const change: { name: string } = set(`api.${zone}.`, changes);
    change.name = change.name.replace("{zone}", zone);
    const response = await ask("PATCH", path(zone), { rrsets: [change] });
    const error = message.replace("{name}", change.name);
    expect(await answerOf(response)).toEqual([422, { error }]);
  });

  it("refuses a body that is none", async () => {
    const { ask, zone } = await open();
    expect(await answerOf(await ask("PATCH", path(zone), "{"))).toEqual([
      400,
      { error: "Bad Request" },
    ]);
    expect(await answerOf(await ask("PATCH", path(zone), {}))).toEqual([
      422,
      { error: "No rrsets given in update request" },
    ]);
  });

  it("refuses an address that is none", async () => {
    const { ask, zone } = await open();
    const wrong = set(`api.${zone}.`, { records: [{ content: "foo", disabled: false }] });
    const [status, { error }] = await answerOf(await ask("PATCH", path(zone), { rrsets: [wrong] }));
    expect(status).toBe(422);
    expect(error).toContain(`Record api.${zone}./A 'foo': Parsing record content`);
  });

  it("lets a CNAME stand alone, both ways", async () => {
    const { ask, zone } = await open();
    const alias = (name: string) =>
      set(name, { type: "CNAME", records: [{ content: "x.example.", disabled: false }] });
    const change = async (rrset: object) =>
      answerOf(await ask("PATCH", path(zone), { rrsets: [rrset] }));
    await change(set(`a.${zone}.`));
    await change(alias(`c.${zone}.`));
    expect(await change(alias(`a.${zone}.`))).toEqual([
      422,
      { error: `RRset a.${zone}. IN CNAME: Conflicts with pre-existing RRset` },
    ]);
    expect(await change(set(`c.${zone}.`))).toEqual([
      422,
      { error: `RRset c.${zone}. IN A: Conflicts with pre-existing RRset` },
    ]);
    // In one request, if what goes comes first.
    const away = { name: `c.${zone}.`, type: "CNAME", changetype: "DELETE" };
    const both = await ask("PATCH", path(zone), { rrsets: [away, set(`c.${zone}.`)] });
    expect(both.status).toBe(204);
  });

  it("does all of a request or nothing", async () => {
    const { ask, zone } = await open();
    const twice = [set(`b.${zone}.`), set(`a.${zone}.`), set(`a.${zone}.`)];
    expect(await answerOf(await ask("PATCH", path(zone), { rrsets: twice }))).toEqual([
      422,
      { error: `Duplicate RRset a.${zone}. IN A with changetype: REPLACE` },
    ]);
    const read = (await (await ask("GET", path(zone))).json()) as Zone;
    expect(read.rrsets.filter(({ type }) => type === "A")).toEqual([]);
  });

  it("deletes what is not there, even outside of the zone", async () => {
    const { ask, zone } = await open();
    const gone = (name: string) => ({ name, type: "A", changetype: "DELETE" });
    const response = await ask("PATCH", path(zone), {
      rrsets: [gone(`none.${zone}.`), gone("out.test.")],
    });
    expect(response.status).toBe(204);
    const serials = ["old", "new"].map((which) => response.headers.get(`x-pdns-${which}-serial`));
    // The old version names the new serial in both headers.
    expect(serials[0] === serials[1]).toBe(isOld);
  });

  it("adds one record to a set, or takes one out of it, since version 5", async () => {
    const { ask, zone } = await open();
    const name = `api.${zone}.`;
    const change = async (changetype: string, changes: object = {}) =>
      answerOf(await ask("PATCH", path(zone), { rrsets: [set(name, { changetype, ...changes })] }));
    if (isOld) {
      expect(await change("EXTEND")).toEqual([422, { error: said.noChangeType }]);
      return;
    }
    const record = (last: number) => ({ content: `192.0.2.${last}`, disabled: false });
    const records = async () => {
      const { rrsets } = (await (await ask("GET", path(zone))).json()) as Zone;
      return rrsets.find((one) => one.name === name)?.records;
    };
    const done = [204, ""];
    expect(await change("EXTEND")).toEqual(done);
    expect(await change("EXTEND", { records: [record(2)] })).toEqual(done);
    expect(await change("EXTEND", { records: [record(2)] })).toEqual(done);
    expect(await records()).toEqual([record(1), record(2)]);
    expect(await change("PRUNE")).toEqual(done);
    expect(await change("PRUNE", { records: [record(9)] })).toEqual(done);
    expect(await records()).toEqual([record(2)]);
    for (const [changes, error] of [
      [
        { records: [record(3), record(4)] },
        "Exactly one record should be provided for PRUNE or EXTEND operation",
      ],
      [{ records: undefined }, "No record provided for PRUNE or EXTEND operation"],
      [{ ttl: undefined }, "Submitted record is invalid: Key 'ttl' not an Integer or not present"],
      [
        { ttl: 90 },
        `RRset ${name} IN A: uses a different TTL value than the remainder of the RRset`,
      ],
    ] as const)
      expect(await change("EXTEND", changes)).toEqual([422, { error }]);
  });

  it("keeps comments with their set, and lets them go with it", async () => {
    const { ask, zone } = await open();
    const comments = [{ content: "mine", account: "me" }];
    await ask("PATCH", path(zone), { rrsets: [set(`*.apps.${zone}.`, { comments })] });
    const read = async () => ((await (await ask("GET", path(zone))).json()) as Zone).rrsets;
    const found = (await read()).find(({ name }) => name.startsWith("*"));
    expect(found).toEqual({
      name: `*.apps.${zone}.`,
      type: "A",
      ttl: 60,
      records: [{ content: "192.0.2.1", disabled: false }],
      comments: [{ ...comments[0], modified_at: expect.any(Number) }],
    });
    const away = { name: `*.apps.${zone}.`, type: "A", changetype: "DELETE" };
    await ask("PATCH", path(zone), { rrsets: [away] });
    expect((await read()).find(({ name }) => name.startsWith("*"))).toBeUndefined();
  });

  it("answers the set that it is asked for, and in an old version others that have comments, without records", async () => {
    const { ask, zone } = await open();
    const comments = [{ content: "mine", account: "me" }];
    await ask("PATCH", path(zone), {
      rrsets: [set(`a.${zone}.`, { comments }), set(`b.${zone}.`, { comments }), set(`c.${zone}.`)],
    });
    const response = await ask("GET", `${path(zone)}?rrset_name=a.${zone}.`);
    const { rrsets } = (await response.json()) as Zone;
    const seen = rrsets.map(({ name, ttl, records }) => [name, ttl, records.length]);
    expect(seen.sort()).toEqual([[`a.${zone}.`, 60, 1], ...(isOld ? [[`b.${zone}.`, 0, 0]] : [])]);
  });
}

interface Zone {
  rrsets: { name: string; type: string; ttl: number; records: object[]; comments: object[] }[];
}
