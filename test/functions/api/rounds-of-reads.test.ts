import { beforeEach, expect, it } from "vitest";
import type { Kind } from "../../../core/kernel/object/object.ts";
import { promptFamilies, routesOf } from "../../../functions/api/families.ts";
// A filter's compiler is loaded with the first filter, which waits for that.
import "../../../functions/api/list/filter.ts";
import { rolesFor } from "../../../functions/api/permissions.ts";
import type { Route } from "../../../functions/api/route.ts";
import type { Principal } from "../../../functions/identity/principal.ts";
import { type Api, catalogApi, people, priv, v1 } from "../../support/api.ts";
import { askInRounds, readTwice } from "../../support/asked-in-rounds.ts";
import { type Ids, oneOfEach } from "../../support/one-of-each.ts";

/** How often reads of each kind wait for the table. */

let api: Api;
let ids: Ids;
beforeEach(async () => {
  api = await catalogApi();
  ids = await oneOfEach(api);
  const spec = { service_accounts: [{ user: "portal", role: "tenant-user" }] };
  await api.ask("admin", "PATCH", `${priv}/tenants/tenant-a`, { spec });
});

const inDevs: Principal = { user: "dev", tenant: "tenant-a", roles: [], groups: ["devs"] };

/** Those that wait longer than twice, by whom: what they read says what they read next. */
const longer: Readonly<Record<string, number>> = {
  // The cluster says in whose audit the entry is, which is written before the answer.
  "cluster credentials root": 3,
  // All kinds are read at once; a rule then reads what an object refers to, and what that refers to.
  "invalid_object list root": 3,
};

/** What the query of a route has to name. */
const queries: Readonly<Record<string, string>> = {
  "audit_entry list": "?tenant=tenant-a",
  "owner list": "?kind=host&value=h1",
  "site numbers": "?pool=vlans",
};

const asRole = ({ area, subject, verb }: Route, who: Principal) =>
  who.roles.some((role) => rolesFor(area, subject, verb).includes(role));

// How often a watch waits is for how long nothing happens (`rounds.test.ts`).
const reads = (await routesOf(promptFamilies)).filter(({ method }) => method === "GET");
const readers = reads.flatMap((route) =>
  [people.ann, people.amy, people.admin]
    .filter((who) => asRole(route, who))
    .map((who) => [route.path, who.user, route, who] as const),
);

it.each(readers)(
  "%s is read for %s in two rounds at most, and nothing twice",
  async (path, _, route, who) => {
    const { subject, verb } = route;
    const name = `${subject} ${verb}`;
    const at = path.replace("{id}", ids[subject as Kind] ?? "") + (queries[name] ?? "");
    const { status, text, rounds } = await askInRounds(api, "GET", at, { who });
    expect(status, text).toBe(200);
    const most = longer[`${name} ${who.user}`] ?? 2;
    expect(rounds.length, JSON.stringify(rounds, undefined, 1)).toBeLessThanOrEqual(most);
    if (most === 2) expect(readTwice(rounds)).toEqual([]);
  },
);

it.each([
  // A name says the id, the id the cluster, this its operation while one runs.
  ["a name", `this.metadata.name == "one"`, 3],
  ["a label", `this.metadata.labels.a == "b"`, 2],
  ["a state", `this.status.state == "CLUSTER_STATE_PROGRESSING"`, 2],
])("a page that %s selects is begun beside its reader's record", async (_, filter, most) => {
  const path = `${v1}/clusters?filter=${encodeURIComponent(filter)}`;
  const { status, text, rounds } = await askInRounds(api, "GET", path, { who: people.ann });
  expect(status, text).toBe(200);
  expect(rounds.length, JSON.stringify(rounds, undefined, 1)).toBeLessThanOrEqual(most);
});

const onBehalf = { "Slipway-On-Behalf-Of": "tenant-a" };
it.each([
  ["a portal", { who: people.portal, headers: onBehalf }, 2, 2],
  // What somebody is a member of says where the ids are: nothing of other projects is read (`projects.test.ts`). The
  // ids say the clusters, these their operations while some run.
  ["a member of its project", { who: people.mia }, 2, 4],
  ["a member of a group that is bound to a role there", { who: inDevs }, 2, 4],
])("a cluster is read for %s with what says who may read it", async (_, as, one, page) => {
  const path = `${v1}/clusters`;
  const cluster = await askInRounds(api, "GET", `${path}/${ids.cluster}`, as);
  expect(cluster.status, cluster.text).toBe(200);
  expect(cluster.rounds, JSON.stringify(cluster.rounds)).toHaveLength(one);
  const list = await askInRounds(api, "GET", path, as);
  expect(list.body.items).toHaveLength(1);
  expect(list.rounds.length, JSON.stringify(list.rounds, undefined, 1)).toBe(page);
});

it("tells nothing, not even a version, to a user whose record is disabled", {
  tags: "smoke",
}, async () => {
  const user = { spec: { enabled: false } };
  await api.ask("admin", "PATCH", `${priv}/users/${ids.user}`, user);
  for (const path of [
    "/clusters",
    `/clusters/${ids.cluster}`,
    "/clusters/none",
    "/clusters?limit=x",
  ]) {
    const answer = await api.ask("ann", "GET", v1 + path);
    expect([answer.status, answer.headers.get("ETag")], path).toEqual([403, null]);
    expect(answer.text).not.toContain("ocp");
  }
});

it("begins beside its reader's record what it may see, and answers none of it if that is disabled", async () => {
  const user = { spec: { enabled: false } };
  await api.ask("admin", "PATCH", `${priv}/users/${ids.user}`, user);
  const list = await askInRounds(api, "GET", `${v1}/clusters`, { who: people.ann });
  const [together = [], ...later] = list.rounds;
  expect([list.status, later]).toEqual([403, []]);
  expect(together).toContain("query cluster#tenant-a");
  expect(together.filter((call) => /shared|tenant-[^a]/.test(call))).toEqual([]);
  const one = await askInRounds(api, "GET", `${v1}/clusters/none`, { who: people.ann });
  expect([one.status, one.rounds]).toEqual([403, [["getMany user-of#tenant-a#ann cluster#none"]]]);
});
