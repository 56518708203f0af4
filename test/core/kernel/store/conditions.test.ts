import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

/**
 * Nothing computed from an older read is written over a newer record. A record of a kind is written by
 * `putNew`, `putChanged` and `archive` alone, each on a condition. Every other item is replaced on a
 * condition too, but for the places that are named here, each with the reason.
 */

const named: Record<string, { times: number; because: string }> = {
  "core/kernel/events/append.ts": {
    times: 1,
    because:
      "an entry's position has its event in it, whose mark is absent in the same transaction",
  },
  "core/kernel/object/labels.ts": {
    times: 1,
    because: "goes with the write of the object itself, which has a condition",
  },
  "core/kernel/object/records.ts": {
    times: 2,
    because: "goes with the write of the object itself, which has a condition",
  },
  "core/kernel/request/maintenance-switch.ts": {
    times: 1,
    because: "the last person who turns a switch decides",
  },
  "core/placement/hubs/room.ts": {
    times: 1,
    because: "goes with the hub's own copy of its entries, which has a condition",
  },
  "core/placement/queues/tickets.ts": {
    times: 1,
    because: "is written under the operation's fence",
  },
  "core/machine/once.ts": { times: 1, because: "is a mark that stays once it is there" },
  "core/kernel/relay/timers.ts": { times: 1, because: "the same timer again is the same item" },
  "core/kernel/saga/tokens.ts": { times: 1, because: "the name of a token follows from the token" },
  "core/ports/ipam/netbox/pool-usage.ts": {
    times: 1,
    because: "notes what NetBox said, and whoever asked last is right",
  },
  "core/ports/ipam/netbox/pending-updates.ts": {
    times: 1,
    because: "goes with the claim or the release of the number, which has a condition",
  },
  "core/ports/ipam/netbox/undo-claim.ts": {
    times: 2,
    because: "goes with the end of the claim, which has a condition",
  },
  "core/ports/ipam/own/chosen-number.ts": {
    times: 1,
    because: "goes with the claim of another number, which has a condition",
  },
  "core/ports/ipam/own/foreign-numbers.ts": {
    times: 2,
    because: "goes with the claim or the release of the number, which has a condition",
  },
  "core/ports/ipam/own/numbers.ts": {
    times: 1,
    because: "goes with the release of the number, which has a condition",
  },
  "core/machine/tokens.ts": {
    times: 1,
    because:
      "a token's item is new with it, and goes with the machine's own, which has a condition",
  },
  "statemachines/steps/dpu/overlay.ts": {
    times: 1,
    because: "goes with the write of the DPU, which has a condition",
  },
  "core/ports/secrets/rights.ts": {
    times: 2,
    because: "is the put of a secret store, and no write of an item",
  },
  "core/ports/sweep-times.ts": { times: 1, because: "makes a sweep come sooner, and never later" },
  "core/reconcile/orphans.ts": {
    times: 1,
    because: "goes with the turn of the place's list, which has a condition",
  },
  "core/reconcile/sweep.ts": {
    times: 1,
    because: "each run goes round the whole shard, wherever it begins",
  },
  "core/placement/capacity/trend.ts": {
    times: 2,
    because: "a use of the same minute stands for the other, and the day is the same one",
  },
  "core/resources/hub/api.ts": { times: 1, because: "goes with the write of a new hub" },
  "core/resources/host/take-health.ts": {
    times: 1,
    because: "goes with the host's record, which has a condition",
  },
  "core/resources/hub/sweep-requests.ts": { times: 1, because: "says nothing but that it exists" },
  "core/resources/project-membership/kind.ts": {
    times: 1,
    because: "goes with the membership, which has a condition",
  },
  "core/resources/role-binding/kind.ts": {
    times: 1,
    because: "goes with the role binding, which has a condition",
  },
  "core/resources/cluster/ingress-certificate.ts": {
    times: 1,
    because: "goes with the cluster, whose change has a condition",
  },
  "core/resources/webhook/deliveries.ts": {
    times: 1,
    because: "goes with the webhook's cursor, which has a condition",
  },
};

const root = new URL("../../../../", import.meta.url).pathname;
const sources = ["core", "statemachines"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((path) => join(folder, path))
    .filter((path) => path.endsWith(".ts") && !path.startsWith("core/kernel/store/"))
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") })),
);

/** The members of the object literal around a place in a text, without those of nested ones. */
function membersAround(text: string, at: number): string {
  let begin = at;
  for (let depth = 0; begin >= 0; begin--) {
    if (text[begin] === "}") depth++;
    else if (text[begin] === "{" && depth-- === 0) break;
  }
  let members = "";
  for (let end = begin + 1, depth = 0; end < text.length && depth >= 0; end++) {
    const char = text[end];
    if (char === "}") depth--;
    if (depth === 0) members += char;
    if (char === "{") depth++;
  }
  return members;
}

/** The writes in a text that replace an item, or members of one, whatever is there. */
const unconditional = (text: string): string[] =>
  [...text.matchAll(/\b(?:put|set)(?=:|,|\s*\})/g)]
    .map(({ index }) => membersAround(text, index))
    .filter((members) => /\bput\b/.test(members) || /\bupdate\b.*\bset\b/s.test(members))
    .filter((members) => !/\bif\b|\.\.\.|\bget:|=>/.test(members));

/** The changes of a record in a text that do not look at the record as it is. */
const blind = (text: string): string[] =>
  text.match(
    /(?<!#)\b(?:changeObject|change|edit)(?:<[^>]*>)?\((?:[^()=;]|\([^()]*\))*?\(\s*_*\s*\)\s*=>/g,
  ) ?? [];

it.each([
  ["{ put: { ...key, at } }", 1],
  ["{ put }", 1],
  ["{ update: key, set: { at } }", 1],
  ['{ update: key, set: { at }, if: eq("at", before) }', 0],
  ["{ put: itemOf(cursor), if: absent }", 0],
  ["{ update: key, add: { count: 1 } }", 0],
  ["{ get: read, put: write }", 0],
])("%s writes without a condition %i times", (text, times) => {
  expect(unconditional(text)).toHaveLength(times);
});

it.each([
  ['changeObject(deps, "hub", id, () => hub)', 1],
  ["change(() => after)", 1],
  ["edit(deps, id, async (_) => operation)", 1],
  ['changeObject<"hub">(deps, kind, idOf(hub), () => hub)', 1],
  ["this.#change(name, () => send(name))", 0],
  ["change((current) => letLeave(current))", 0],
  ["edit(deps, id, ({ token: _, ...rest }) => rest)", 0],
])("%s changes a record blindly %i times", (text, times) => {
  expect(blind(text)).toHaveLength(times);
});

it("an item is replaced on a condition, but where it is named here why not", () => {
  expect(sources.length).toBeGreaterThan(300);
  const found = sources.flatMap(({ path, text }) => unconditional(text).map(() => path));
  const expected = Object.entries(named).flatMap(([path, { times }]) => Array(times).fill(path));
  expect(found.sort()).toEqual(expected.sort());
});

it("who changes a record gets it as it is now", () => {
  expect(sources.flatMap(({ path, text }) => (blind(text).length > 0 ? [path] : []))).toEqual([]);
});
