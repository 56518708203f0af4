import { beforeEach, describe, expect, it } from "vitest";
import { type Kind, pluralOf } from "../../../core/kernel/object/object.ts";
import { kindNames } from "../../../functions/api/registry.ts";
// A filter's compiler is loaded with the first filter, which waits for that.
import "../../../functions/api/list/filter.ts";
import type { Area } from "../../../core/kernel/request/permissions.ts";
import { rolesFor } from "../../../functions/api/permissions.ts";
import { prefixes } from "../../../functions/api/route.ts";
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

/** Those whose status has what is kept beside them, such as what their operation waits for, which their own words lead to. */
const live: Partial<Record<Kind, "everybody" | "the provider">> = {
  baremetal_instance: "everybody",
  cluster: "everybody",
  external_ip_attachment: "everybody",
  allocation: "everybody",
  external_ip_pool: "everybody",
  nat_gateway: "everybody",
  network_class: "the provider",
  quota: "everybody",
  security_group: "everybody",
  site: "everybody",
  subnet: "everybody",
  virtual_network: "everybody",
};
function roundsOf(kind: Kind, who: Principal): number {
  // The types of a hub's hosts, which are counted beside it, say whose trends are read.
  if (kind === "hub") return 3;
  const isLive = live[kind] === "everybody" || (live[kind] && who === people.admin);
  return isLive ? 2 : 1;
}

/** Whether it is read first that a user is not disabled; the provider's people have no such record. */
const hasRecord = (who: Principal): boolean => who !== people.admin;

/** The object is read with its reader's record, and what belongs to no object after it: how many hosts of a type are free. */
const roundsOfOne = (kind: Kind, who: Principal): number =>
  roundsOf(kind, who) + (kind === "host_type" && hasRecord(who) ? 1 : 0);

/** A page is looked for after the record of its reader. */
const roundsOfPage = (kind: Kind, who: Principal): number =>
  roundsOf(kind, who) + (hasRecord(who) ? 1 : 0);

const asRole = (area: Area, kind: Kind, who: Principal) =>
  who.roles.some((role) => rolesFor(area, kind, "get").includes(role));
const readers = (["public", "private"] as const).flatMap((area) =>
  [people.ann, people.amy, people.admin].flatMap((who) =>
    kindNames
      .filter((kind) => asRole(area, kind, who))
      .map((kind) => [area, kind, who.user, who] as const),
  ),
);

describe.each(readers)("by the %s API, %s, for %s, is read", (area, kind, _, who) => {
  const path = `${prefixes[area]}/${pluralOf(kind)}`;

  it("in one round, or in two with what is kept beside it", async () => {
    const { status, text, rounds } = await askInRounds(api, "GET", `${path}/${ids[kind]}`, { who });
    expect(status, text).toBe(200);
    expect(rounds, JSON.stringify(rounds)).toHaveLength(roundsOfOne(kind, who));
    expect(readTwice(rounds)).toEqual([]);
  });

  it("as a page in as many", async () => {
    const { status, text, rounds } = await askInRounds(api, "GET", path, { who });
    expect(status, text).toBe(200);
    expect(rounds.length, JSON.stringify(rounds, undefined, 1)).toBe(roundsOfPage(kind, who));
  });
});

const onBehalf = { "Slipway-On-Behalf-Of": "tenant-a" };
it.each([
  ["a portal", { who: people.portal, headers: onBehalf }, 2, 3],
  // What somebody is a member of says where the ids are, the ids the clusters, these their operations.
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

it("looks for nothing that its reader may not see before it knows that", async () => {
  const user = { spec: { enabled: false } };
  await api.ask("admin", "PATCH", `${priv}/users/${ids.user}`, user);
  const list = await askInRounds(api, "GET", `${v1}/clusters`, { who: people.ann });
  expect([list.status, list.rounds]).toEqual([403, [["get user-of#tenant-a#ann"]]]);
  const one = await askInRounds(api, "GET", `${v1}/clusters/none`, { who: people.ann });
  expect([one.status, one.rounds]).toEqual([403, [["getMany user-of#tenant-a#ann cluster#none"]]]);
});
