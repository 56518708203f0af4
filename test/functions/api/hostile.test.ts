import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { type Api, type Body, catalogApi, order, v1 } from "../../support/api.ts";

/**
 * What is sent to break or to stop the API: refused by the name of what is wrong, within 50 ms of
 * CPU, and nothing is written. Whatever else is wrong with input is in refusals.test.ts.
 */

let api: Api;
let cluster: string;
beforeAll(async () => {
  api = await catalogApi();
  const annotations = { a: "x".repeat(200_000) };
  const made = await api.ask("ann", "POST", `${v1}/clusters`, order("one", {}, { annotations }));
  cluster = made.body.id;
  // What is imported when it is needed is there.
  await api.ask("ann", "GET", list({ filter: "this.id == 'x'" }));
});

interface Attack {
  method?: string;
  path?: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** Of the first error. */
  field?: string;
  status?: number;
}

const list = (query: Record<string, string>, kind = "clusters") =>
  `${v1}/${kind}?${new URLSearchParams(query)}`;
const filter = (text: string): Attack => ({
  method: "GET",
  path: list({ filter: text }),
  field: "filter",
});
const spec = (members: object, field: string): Attack => ({ body: order("two", members), field });
const metadata = (members: object, field: string): Attack => ({
  body: order("two", {}, members),
  field,
});
const text = (body: string, field = ""): Attack => ({ body, field });
const many = <Value>(
  count: number,
  value: (n: number) => Value,
  name = "k",
): Record<string, Value> =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`${name}${n}`, value(n)]));
const deep = (open: string, close: string, depth: number) =>
  `{"spec":${open.repeat(depth)}1${close.repeat(depth)}}`;

const attacks: Record<string, Attack> = {
  "lists 400,000 deep": text(deep("[", "]", 400_000)),
  "objects 200,000 deep": text(deep('{"":', "}", 200_000)),
  "objects 400,000 deep that never close": text('{"a":'.repeat(200_000)),
  "a million quotes": text(`{"a": ${'"'.repeat(1_000_000)}`),
  "a million backslashes": text(`{"a": "${"\\".repeat(1_000_000)}"}`, "a"),
  "300,000 empty objects": text(`{"a": [${"{},".repeat(300_000)}{}]}`),
  "a megabyte of spaces and no value": text(`{"a":${" ".repeat(1_000_000)}}`),
  "a name of a million characters": metadata({ name: "a".repeat(1_000_000) }, "metadata.name"),
  "a description of a million": metadata(
    { description: "a".repeat(1_000_000) },
    "metadata.description",
  ),
  "a member's name of a million": text(`{"${"a".repeat(1_000_000)}": 1}`),

  "__proto__ as labels' name": text(
    JSON.stringify(order("two")).replace('"name"', '"labels":{"__proto__":{"a":"b"}},"name"'),
    "metadata.labels.__proto__",
  ),
  "__proto__ as a parameter": text(
    JSON.stringify(order("two")).replace('"owner"', '"__proto__":{"x":1},"owner"'),
    "spec.template_parameters.__proto__",
  ),
  "constructor as a node set": spec(
    { node_sets: { constructor: { size: 1 } } },
    "spec.node_sets.constructor",
  ),
  "prototype's members as a parameter": spec(
    { template_parameters: { owner: "me", toString: "x", hasOwnProperty: 1 } },
    "spec.template_parameters.hasOwnProperty",
  ),
  "__proto__ as a template": spec({ template: "__proto__" }, "spec.template"),
  "__proto__ in a mask": {
    method: "PATCH",
    path: `/clusters/ID?update_mask=__proto__.polluted`,
    body: '{"__proto__":{"polluted":1}}',
    field: "__proto__",
  },
  "__proto__ in a filter": filter("this.__proto__.polluted == 1"),
  "__proto__ in an order": { method: "GET", path: list({ order: "__proto__" }), field: "order" },

  "a lone surrogate": text('{"metadata": {"name": "\\udfff"}}', "metadata.name"),
  "NUL in a description": metadata({ description: "a\u0000b" }, "metadata.description"),
  "NUL in a label": metadata({ labels: { "a\u0000": "b" } }, ""),
  "a name from right to left": metadata({ name: "\u202eone" }, "metadata.name"),
  "a name that looks like another": metadata({ name: "оne" }, "metadata.name"),
  "a name in full width": metadata({ name: "ｏｎｅ" }, "metadata.name"),
  "a name with a combining mark": metadata({ name: "e\u0301" }, "metadata.name"),
  "a zero width name of a label": metadata({ labels: { "\u200b": "b" } }, "metadata.labels.\u200b"),

  "a filter 60 parentheses deep": filter(`${"(".repeat(60)}true${")".repeat(60)}`),
  "a filter of 2,000 open parentheses": filter("(".repeat(2000)),
  "a filter of 2,000 negations": filter(`${"!".repeat(2000)}true`),
  "a filter of 1,000 members": filter(`this${".spec".repeat(1000)} == 1`),
  "a filter of 1,000 conditions": filter(Array(400).fill("true").join(" && ")),
  "a list of 1,000 in a filter": filter(`this.id in [${Array(1000).fill("1").join(",")}]`),
  "a filter of a million characters": filter(`this.id == "${"x".repeat(1_000_000)}"`),
  "a filter with a regular expression": filter('this.id.matches("(a+)+$")'),
  "a filter that calls in a circle": filter("this.all(x, this.all(y, true))"),
  "a filter that compares whole objects": filter(Array(200).fill("this==this").join("&&")),
  "a filter with text that never ends": filter('"a'.repeat(1500)),

  "1,000 fields to order by": {
    method: "GET",
    path: list({ order: Array(1000).fill("id").join(",") }),
    field: "order",
  },
  "a page token of a megabyte": {
    method: "GET",
    path: list({ page_token: Buffer.from(`"${"a".repeat(700_000)}"`).toString("base64url") }),
    field: "page_token",
  },
  "a page token that is deep": {
    method: "GET",
    path: list({ page_token: Buffer.from("[".repeat(100_000)).toString("base64url") }),
    field: "page_token",
  },
  "a limit of 1e309": { method: "GET", path: list({ limit: "1e309" }), field: "limit" },

  "10,000 labels": metadata({ labels: many(9000, () => "v") }, "metadata.labels"),
  "labels whose keys are long and wrong": metadata(
    {
      labels: Object.fromEntries(
        Array.from({ length: 2000 }, (_, n) => [`${"a".repeat(240)}${n}!/x`, "v"]),
      ),
    },
    "metadata.labels",
  ),
  "10,000 annotations": metadata({ annotations: many(9000, () => "v") }, "metadata.annotations"),
  "9,000 parameters": spec(
    { template_parameters: many(9000, () => 1) },
    "spec.template_parameters",
  ),
  "9,000 node sets": spec({ node_sets: many(3000, () => ({ size: 1 })) }, "spec.node_sets"),
  "9,000 unknown members": { body: { ...order("two"), ...many(9000, () => 1) }, field: "k0" },

  "overlapping prefixes": spec(
    { network: { pod_cidr: "10.0.0.0/8", service_cidr: "10.255.0.0/16" } },
    "spec.network.service_cidr",
  ),
  "a prefix in octal": spec({ network: { pod_cidr: "010.0.0.0/14" } }, "spec.network.pod_cidr"),
  "a prefix in hexadecimal": spec(
    { network: { pod_cidr: "0xa.0.0.0/14" } },
    "spec.network.pod_cidr",
  ),
  "a prefix of one number": spec(
    { network: { pod_cidr: "167772160/14" } },
    "spec.network.pod_cidr",
  ),
  "an IPv4 prefix in IPv6": spec(
    { network: { pod_cidr: "::ffff:10.0.0.0/104" } },
    "spec.network.pod_cidr",
  ),
  "a prefix with a zone": spec(
    { network: { pod_cidr: "fe80::1%eth0/64" } },
    "spec.network.pod_cidr",
  ),
  "a prefix of a million characters": spec(
    { network: { pod_cidr: `${"1.".repeat(400_000)}/8` } },
    "spec.network.pod_cidr",
  ),

  "a member given twice": text('{"metadata":{"name":"two","name":"three"}}'),
  "a member given twice in two spellings": text('{"metadata":{"name":"two","n\\u0061me":"three"}}'),
  "1e400 nodes": text(
    '{"metadata":{"name":"two"},"spec":{"template":"ocp_small","template_parameters":{"owner":"me"},"node_sets":{"workers":{"size":1e400}}}}',
    "spec.node_sets.workers.size",
  ),
  "a number of 900,000 digits": text(
    `{"metadata":{"name":"two"},"spec":{"template":"ocp_small","template_parameters":{"owner":"me","vlan":${"9".repeat(900_000)}}}}`,
    "spec.template_parameters.vlan",
  ),
  "a number that no number can hold": text(
    '{"metadata":{"name":"two"},"spec":{"template":"ocp_small","template_parameters":{"owner":"me","vlan":9007199254740993}}}',
    "spec.template_parameters.vlan",
  ),

  XML: { body: "<a/>", headers: { "Content-Type": "application/xml" }, field: "Content-Type" },
  "a form of parts": {
    body: order("two"),
    headers: { "Content-Type": "multipart/form-data; boundary=x" },
    field: "Content-Type",
  },
  "another character set": {
    body: order("two"),
    headers: { "Content-Type": "application/json; charset=utf-16" },
    field: "Content-Type",
  },
  "a content type of a million characters": {
    body: order("two"),
    headers: { "Content-Type": `application/json;${" ;".repeat(500_000)}` },
    field: "Content-Type",
  },
  "a key of a million characters": {
    body: order("two"),
    headers: { "Idempotency-Key": "k".repeat(1_000_000) },
    field: "Idempotency-Key",
  },
  "a place in the log of a million digits": {
    method: "GET",
    path: "/api/events/v1/events",
    headers: { "Last-Event-ID": "1".repeat(1_000_000) },
    field: "Last-Event-ID",
  },
  "an ETag of a million spaces": {
    method: "PATCH",
    path: "/clusters/ID",
    body: {},
    headers: { "If-Match": `"${" ".repeat(1_000_000)}"` },
    status: 412,
  },
  "an Accept of a million semicolons": {
    headers: { Accept: "; ".repeat(500_000) },
    body: {},
    field: "metadata",
  },
  "a path of a million characters": {
    method: "GET",
    path: `/clusters/${"a".repeat(1_000_000)}`,
    status: 404,
  },
  "6,000 unknown members of quotes": { body: many(6_000, () => 1, '"'.repeat(40)) },
  "3,000 texts that are none, below 50 names of 1,000 quotes": {
    body: Array(50)
      .fill('"'.repeat(1_000))
      .reduce<object>(
        (body, name) => ({ [name]: body }),
        many(3_000, () => "\0"),
      ),
  },
  "a mask of 1,000 labels": {
    method: "PATCH",
    path: `/clusters/ID?update_mask=metadata.labels,${Array(1000).fill("metadata.labels.k1").join(",")}`,
    body: { metadata: { labels: many(9000, () => "v") } },
    field: "metadata.labels",
  },
};

/** Milliseconds of CPU. */
const limit = 50;

/** What the limit is measured by: work that takes 20 ms of CPU where nothing else runs. */
const sample = Object.fromEntries(Array.from({ length: 9000 }, (_, n) => [`k${n}`, `value ${n}`]));
function yardstick(): void {
  for (let n = 0; n < 3; n++) JSON.parse(JSON.stringify(sample));
}

/** Milliseconds of CPU of this thread. */
async function cpuOf(work: () => unknown): Promise<number> {
  const start = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}

/**
 * Milliseconds of CPU, at best, on a machine with nothing else to do: what shares the processor makes
 * the same work dearer, so it is compared with other work of the same moment.
 */
async function costOf(attack: () => Promise<unknown>): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  // What else the machine does only adds, so what seems too dear is measured again.
  for (let n = 0; n < 25 && best >= limit; n++) {
    const before = await cpuOf(yardstick);
    const cost = await cpuOf(attack);
    const after = await cpuOf(yardstick);
    best = Math.min(best, (20 * cost) / Math.max(before, after));
  }
  return best;
}

describe("is refused within 50 ms of CPU:", () => {
  it.each(Object.entries(attacks))("%s", async (_, attack) => {
    const { method = "POST", path = "/clusters", body, headers, status = 400, field } = attack;
    const place = path.startsWith("/api") ? path : v1 + path.replace("ID", cluster);
    const before = api.dump();
    const send = () => api.ask("ann", method, place, body, headers);
    const answer = await send();
    expect(answer.status, answer.text.slice(0, 500)).toBe(status);
    expect(answer.headers.get("Content-Type")).toBe("application/problem+json");
    if (field !== undefined) expect(answer.body.errors[0].field).toBe(field);
    expect(await costOf(send)).toBeLessThan(limit);
    expect(api.dump()).toBe(before);
    expect(Object.prototype).not.toHaveProperty("polluted");
  });
});

it("compares whole objects in a filter without writing them out", async () => {
  for (const path of ["this", "this.metadata", "this.metadata.annotations"]) {
    const ask = () =>
      api.ask("ann", "GET", list({ filter: Array(60).fill(`${path}==${path}`).join("&&") }));
    expect((await ask()).status).toBe(200);
    expect(await costOf(ask)).toBeLessThan(limit);
  }
});

it("keeps text as it was sent: neither normalised nor reordered", async () => {
  const display_name = "e\u0301 \u00e9 \u05d0\u05d1 \ud83d\ude00";
  const body = { metadata: { labels: { a: "b" }, display_name } };
  const answer = await api.ask("ann", "PATCH", `${v1}/clusters/${cluster}`, body);
  expect(answer.body.metadata.display_name).toBe(display_name);
});

describe("a body", () => {
  const large = JSON.stringify(order("two", {}, { description: "x".repeat(1024 * 1024) }));
  const send = (body: Body, headers: Record<string, string>) =>
    api.send("ann", "POST", `${v1}/clusters`, { body, headers, duplex: "half" });
  const chunked = (text: string) => new Blob([text]).stream();

  it.each<[string, Body, Record<string, string>, number, string]>([
    ["of more than 1 MiB", large, { "Content-Length": String(large.length) }, 413, ""],
    ["of more than 1 MiB in chunks", chunked(large), { "Transfer-Encoding": "chunked" }, 413, ""],
    ["that is larger than it says", large, { "Content-Length": "10" }, 400, ""],
    [
      "that is compressed",
      gzipSync("{}"),
      { "Content-Encoding": "gzip", "Content-Type": "application/json" },
      400,
      "Content-Encoding",
    ],
    ["that is compressed, and does not say so", gzipSync("{}"), {}, 400, ""],
    ["that is not UTF-8", Buffer.from('{"metadata":{"name":"\xff"}}', "latin1"), {}, 400, ""],
    ["in UTF-16", Buffer.from("{}", "utf16le"), {}, 400, ""],
  ])("%s is refused", async (_, body, headers, status, field) => {
    const before = api.dump();
    const answer = await send(body, headers);
    expect(answer.status, answer.text.slice(0, 200)).toBe(status);
    expect(answer.body.errors).toEqual([expect.objectContaining({ field })]);
    expect(api.dump()).toBe(before);
  });

  it.each([
    "application/json",
    "application/json; charset=UTF-8",
    "text/plain",
    "",
    "application/merge-patch+json",
    "application/x-www-form-urlencoded",
  ])("is taken as JSON when it says that it is '%s'", async (type) => {
    const headers = { "Content-Type": type };
    const answer = await send(JSON.stringify(order("dry")), headers);
    expect(answer.status, answer.text).not.toBe(400);
  });
});
