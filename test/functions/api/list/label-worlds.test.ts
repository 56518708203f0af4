import { beforeAll, describe, expect, it } from "vitest";
import { timestamp } from "../../../../core/clock.ts";
import { asClusterId } from "../../../../core/id.ts";
import { mustLoad, putNew } from "../../../../core/kernel/object/records.ts";
import type { Key, Write } from "../../../../core/kernel/store/store.ts";
import type { Cluster } from "../../../../core/resources/cluster/model.ts";
import { kinds } from "../../../../core/resources/generated/kinds.ts";
import { createApp } from "../../../../functions/api/app.ts";
import {
  type Api,
  catalogApi,
  order,
  type Person,
  people,
  priv,
  v1,
} from "../../../support/api.ts";
import { type Calls, counting } from "../../../support/counting-store.ts";
import { seeded } from "../../../support/random.ts";
import { seed } from "../../../support/seed.ts";

/** Lists that labels narrow, of many clusters: compared with a plain filter, and by what they read. */

type Labels = Record<string, string>;

interface World {
  api: Api;
  model: Cluster;
}

async function opened(): Promise<World> {
  const api = await catalogApi();
  for (const path of ["shop", "shop.web", "shopping"])
    await api.ask("amy", "POST", `${v1}/projects`, { metadata: { name: path } });
  await api.ask("amy", "POST", `${v1}/project_memberships`, {
    metadata: { name: "mia", project: "shop" },
    spec: { role: "PROJECT_MEMBERSHIP_ROLE_VIEWER", users: ["mia"] },
  });
  const { body } = await api.ask("amy", "POST", `${v1}/clusters`, order("first"));
  return { api, model: await mustLoad(api.deps, "cluster", body.id) };
}

/** Copies of a cluster, each made a second after the one before. */
async function fill(
  { api: { deps }, model }: World,
  clusters: { labels: Labels; project?: string; tenant?: string }[],
): Promise<void> {
  const puts: Write[] = [];
  const counters = new Map<string, { update: Key; add: { count: number } }>();
  for (const [n, { labels, project, tenant = "tenant-a" }] of clusters.entries()) {
    const writes = putNew(kinds, {
      ...model,
      id: asClusterId(`${model.id.slice(0, -12)}${String(n).padStart(12, "0")}`),
      metadata: {
        ...model.metadata,
        ...{ name: `c-${n}`, tenant, labels, ...(project && { project }) },
        creation_timestamp: timestamp(Date.parse(model.metadata.creation_timestamp) + 1000 * n),
      },
    });
    for (const write of writes) {
      if ("put" in write) puts.push(write);
      if (!("update" in write)) continue;
      const { pk, sk } = write.update;
      const sum = counters.get(`${pk} ${sk}`) ?? { update: { pk, sk }, add: { count: 0 } };
      sum.add.count += write.add?.count ?? 0;
      counters.set(`${pk} ${sk}`, sum);
    }
  }
  const writes = [...puts, ...counters.values()];
  for (let first = 0; first < writes.length; first += 100)
    await deps.store.transact(writes.slice(first, first + 100));
}

/** All pages of a list, each as long as `limit` says. */
async function pagesOf({ api }: World, as: Person, filter: string, limit: () => number) {
  const names: string[] = [];
  const totals = new Set<number>();
  let token: string | undefined = "";
  while (token !== undefined) {
    const answer = await ask(api, as, { filter, limit: String(limit()), page_token: token });
    names.push(...answer.names);
    totals.add(answer.total);
    token = answer.next;
  }
  return { names, totals: [...totals] };
}

async function ask(api: Api, as: Person, query: Record<string, string>) {
  const path = `${as === "admin" ? priv : v1}/clusters?${new URLSearchParams(query)}`;
  const { status, body, text } = await api.ask(as, "GET", path);
  expect(status, text).toBe(200);
  return {
    names: body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name),
    labels: body.items.map(
      ({ metadata }: { metadata: { labels?: Labels } }) => metadata.labels ?? {},
    ),
    total: body.total as number,
    next: body.next_page_token as string | undefined,
  };
}

/** An expression, and what it says. */
type Said = [filter: string, holds: (labels: Labels) => boolean];

const at = (key: string) => `this.metadata.labels.${key}`;
const values: Record<string, string[]> = {
  env: ["prod", "prod", "prod", "test", "dev", ""],
  team: ["red", "blue", "green"],
  tier: [...Array(40).fill("low"), "high"],
};

function drawn(random: () => number): { one(): Said; labels(): Labels } {
  const of = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  const one = (): Said => {
    const key = of([...Object.keys(values), "nobody"]);
    const some = () => of([...(values[key] ?? []), "none"]);
    const [a, b] = [some(), some()];
    return of<Said>([
      [`${at(key)} == '${a}'`, (labels) => labels[key] === a],
      [`${at(key)} in ['${a}', '${b}']`, (labels) => [a, b].includes(labels[key] ?? "-")],
      [`has(${at(key)})`, (labels) => (labels[key] ?? "") !== ""],
      [`'${key}' in this.metadata.labels`, (labels) => labels[key] !== undefined],
      [
        `(${at(key)} == '${a}' || ${at("tier")} == 'high')`,
        (labels) => labels[key] === a || labels.tier === "high",
      ],
    ]);
  };
  const labels = (): Labels =>
    Object.fromEntries(
      Object.entries(values).flatMap(([key, some]) => (random() < 0.8 ? [[key, of(some)]] : [])),
    );
  return { one, labels };
}

describe("lists that labels narrow, in a world at random", () => {
  const random = seeded(seed);
  const { one, labels } = drawn(random);
  const upTo = (most: number) => Math.floor(random() * most);
  let world: World;
  beforeAll(async () => {
    world = await opened();
    const projects = ["shop", "shop.web", "shopping", undefined];
    const clusters = Array.from({ length: 240 }, () => {
      const project = projects[upTo(4)];
      if (upTo(5) === 0) return { labels: labels(), tenant: "tenant-b" };
      return { labels: labels(), ...(project && { project }) };
    });
    await fill(world, clusters);
  });

  it.each<Person>(["amy", "mia", "admin"])("are those of a plain filter, for %s", async (as) => {
    const all: { name: string; labels: Labels }[] = [];
    for (let token: string | undefined = ""; token !== undefined; ) {
      const page = await ask(world.api, as, { limit: "1000", page_token: token });
      for (const [n, name] of page.names.entries())
        all.push({ name, labels: page.labels[n] ?? {} });
      token = page.next;
    }
    for (let n = 0; n < 12; n++) {
      const said = Array.from({ length: 1 + upTo(3) }, one);
      const filter = said.map(([text]) => text).join(" && ");
      const expected = all
        .filter(({ labels }) => said.every(([, holds]) => holds(labels)))
        .map(({ name }) => name);
      const where = `SEED=${seed}, ${as}: ${filter}`;
      const paged = await pagesOf(world, as, filter, () => 1 + upTo(100));
      expect(paged, where).toEqual({ names: expected, totals: [expected.length] });
      const [offset, limit] = [upTo(expected.length + 2), 1 + upTo(20)];
      const part = await ask(world.api, as, { filter, offset: `${offset}`, limit: `${limit}` });
      const { names, total } = part;
      expect({ names, total }, where).toEqual({
        names: expected.slice(offset, offset + limit),
        total: expected.length,
      });
      const whole = `${filter} && this.metadata.name != 'c-7'`;
      const byCreation = (a: string, b: string) => Number(a.slice(2)) - Number(b.slice(2));
      const others = expected.filter((name) => name !== "c-7").sort(byCreation);
      expect((await ask(world.api, as, { filter: whole, limit: "1000" })).names).toEqual(others);
    }
  });
});

describe("what a list of labels reads", () => {
  const filters = {
    "a label of few beside one of all": `${at("few")} == 'yes' && ${at("all")} == 'yes'`,
    "a label of few beside another": `${at("few")} == 'yes' && ${at("some")} == 'yes'`,
    "one of several values": `${at("few")} in ['yes', 'no', 'perhaps']`,
    "any value": `has(${at("few")})`,
    "any value, beside a label of all": `has(${at("few")}) && ${at("all")} == 'yes'`,
    "a label of few and a name": `${at("few")} == 'yes' && this.metadata.name != 'x'`,
  };

  /** What is read of a world in which so many clusters have no label of few. */
  async function readAmong(others: number): Promise<Record<string, Calls>> {
    const world = await opened();
    const rare = (n: number) => ({ few: n % 2 ? "yes" : "no", some: n % 3 ? "yes" : "no" });
    const clusters = Array.from({ length: others + 20 }, (_, n) => ({
      labels: { all: "yes", ...(n % 50 === 0 && n < 1000 && rare(n / 50)) },
    }));
    await fill(world, clusters);
    const read: Record<string, Calls> = {};
    for (const [name, filter] of Object.entries(filters)) {
      const { counted, calls } = counting(world.api.deps.store);
      const app = createApp(
        { ...world.api.deps, store: counted },
        { profile: "slipway", principal: () => people.amy },
      );
      const query = new URLSearchParams({ filter, limit: "3" });
      expect((await app.request(`${v1}/clusters?${query}`)).status).toBe(200);
      read[name] = calls;
    }
    return read;
  }

  it("does not grow with the clusters that have no such label", async () => {
    const [few, many] = [await readAmong(1100), await readAmong(2200)];
    expect(many).toEqual(few);
    for (const { read } of Object.values(few)) expect(read).toBeLessThan(80);
  });
});
