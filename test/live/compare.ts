import { beforeAll, describe, expect, it } from "vitest";

/** Raw requests that a real system and the simulated one answer alike. */

export interface Raw {
  method: string;
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Answer {
  status: number;
  /** JSON where it is some. */
  body: unknown;
  headers: Headers;
}

/** What earlier answers gave, such as ids. */
export type Known = Record<string, string>;

export interface Row {
  what: string;
  ask: Raw | ((known: Known) => Raw);
  /** Keeps a part of the answer for later rows, under a name. */
  keep?: readonly [name: string, path: string];
  /** Why the two answer otherwise here; those that answer alike have none. */
  differs?: string;
}

export type Side = (request: Raw) => Promise<Answer>;

/** What of an answer is compared. */
interface Seen {
  status: number;
  /** The name of a refusal, in whatever member the system has it. */
  type: string | undefined;
  members: string[];
}

/** Each row is asked of both sides, in its order; then each is compared. */
export function compareRaw(
  rows: readonly Row[],
  open: () => { real: [Side, Known?]; simulated: [Side, Known?] },
): void {
  const seen = new Map<Row, { real: Seen; simulated: Seen; asked: string }>();

  beforeAll(async () => {
    const {
      real: [real, ofReal = {}],
      simulated: [simulated, ofSimulated = {}],
    } = open();
    for (const row of rows) {
      const asked = requestOf(row, ofReal);
      seen.set(row, {
        real: await answered(row, real, ofReal),
        simulated: await answered(row, simulated, ofSimulated),
        asked: `${asked.method} ${asked.path} ${JSON.stringify(asked.body) ?? ""}`,
      });
    }
  });

  describe.each(rows.map((row) => [row.what, row] as const))("%s", (_, row) => {
    it(row.differs === undefined ? "is answered alike" : `differs: ${row.differs}`, () => {
      const both = seen.get(row);
      if (!both) throw new Error("was not asked");
      const { real, simulated, asked } = both;
      // A simulated object may have fewer members than a real one, and none that the real one has not.
      const members = simulated.members.filter((member) => real.members.includes(member));
      const expected = { ...real, members: simulated.members };
      const wanted = { ...simulated, members };
      if (row.differs === undefined) expect(wanted, asked).toEqual(expected);
      else expect(wanted, asked).not.toEqual(expected);
    });
  });
}

const requestOf = ({ ask }: Row, known: Known): Raw =>
  typeof ask === "function" ? ask(known) : ask;

async function answered(row: Row, side: Side, known: Known): Promise<Seen> {
  const { status, body } = await side(requestOf(row, known));
  if (row.keep) {
    const [name, path] = row.keep;
    known[name] = String(path.split(".").reduce(memberOf, body));
  }
  return { status, type: typeOf(body), members: membersOf(body) };
}

function memberOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** Neutron, Ceph, Keystone: each has a member of its own for it. */
function typeOf(body: unknown): string | undefined {
  const type = [
    memberOf(memberOf(body, "NeutronError"), "type"),
    memberOf(body, "code"),
    memberOf(memberOf(body, "error"), "title"),
  ].find((found) => typeof found === "string" || typeof found === "number");
  return type === undefined ? undefined : String(type);
}

/** The members of an answer, and of the object in it, or of the first of its list. */
function membersOf(body: unknown): string[] {
  if (Array.isArray(body)) return membersIn(body).map((member) => `[].${member}`);
  if (!isObject(body)) return [];
  const inner = Object.entries(body).flatMap(([name, value]) =>
    isObject(value) ? membersIn(value).map((member) => `${name}.${member}`) : [],
  );
  return [...Object.keys(body), ...inner].sort();
}

const membersIn = (value: unknown): string[] =>
  Array.isArray(value) ? membersIn(value[0] ?? {}) : isObject(value) ? Object.keys(value) : [];

/** A side that is asked over HTTP. */
export const overHttp =
  (url: string, headers: () => Promise<Record<string, string>>): Side =>
  async ({ method, path, body, headers: own }) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(await headers()),
        ...jsonType(body),
        ...own,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return answerOf(response);
  };

/** A simulated side, which answers in this process. */
export const inProcess =
  (handle: (request: Request) => Promise<Response>, headers: Record<string, string>): Side =>
  async ({ method, path, body, headers: own }) =>
    answerOf(
      await handle(
        new Request(`http://simulated.test${path}`, {
          method,
          headers: { ...headers, ...jsonType(body), ...own },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        }),
      ),
    );

const jsonType = (body: unknown) => body !== undefined && { "content-type": "application/json" };

async function answerOf(response: Response): Promise<Answer> {
  const { status, headers } = response;
  const text = await response.text();
  try {
    return { status, headers, body: text === "" ? undefined : JSON.parse(text) };
  } catch {
    return { status, headers, body: text };
  }
}
