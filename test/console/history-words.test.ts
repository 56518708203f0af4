import { describe, expect, it } from "vitest";
import type { HistoryEntry } from "../../console/src/generated/answers.ts";
import { told, wordsOfEntry } from "../../console/src/orders/history-words.ts";

/** The history of an object, as the console says it. */

type Change = NonNullable<HistoryEntry["data"]["changes"]>[number];

let n = 0;
const entry = (what: string, ...changes: Change[]): HistoryEntry =>
  // Only what words are made of.
  ({ id: `${++n}`, type: `slipway.cluster.${what}.v1`, data: { changes } }) as HistoryEntry;

const change = (path: string, before: unknown, after: unknown): Change =>
  ({ path, before, after }) as Change;

describe("an entry of the history", () => {
  it.each<[string, Change, string]>([
    [
      "a state",
      change("status.state", "CLUSTER_STATE_PROGRESSING", "CLUSTER_STATE_READY"),
      "Became ready",
    ],
    [
      "a state of two words",
      change("status.state", "", "HOST_STATE_DELETE_FAILED"),
      "Became delete failed",
    ],
    [
      "a placement",
      change("status.placement", undefined, { reason: "one hub fits" }),
      "Placed: one hub fits",
    ],
    [
      "a network",
      change("status.network", undefined, { prefix: "10.0.0.0/24" }),
      "Network created: 10.0.0.0/24",
    ],
    ["new names", change("status.dns_names", undefined, ["a"]), "DNS records created"],
    ["other names", change("status.dns_names", ["a"], ["b"]), "DNS records changed"],
    ["released names", change("status.dns_names", ["a"], undefined), "DNS records released"],
    ["addresses", change("status.addresses", undefined, {}), "Addresses created"],
    ["storage", change("status.storage", undefined, { state: "done" }), "Storage ready"],
    ["nodes", change("status.node_sets.workers.ready", 0, 2), "Nodes ready in workers: 2"],
    [
      "no nodes",
      change("status.node_sets.workers.ready", 2, undefined),
      "Nodes ready in workers: 0",
    ],
    ["a new size", change("spec.node_sets.workers.size", 2, 3), "workers resized: 2 → 3"],
    ["a version", change("status.version", undefined, "4.17.3"), "Version: 4.17.3"],
    ["an upgrade", change("status.version", "4.17.3", "4.18.1"), "Version: 4.17.3 → 4.18.1"],
    ["power", change("status.power", "off", "on"), "Power: on"],
    [
      "an external address",
      change("status.external_ip_address", undefined, "203.0.113.9"),
      "External IP: 203.0.113.9",
    ],
    [
      "a failure",
      change("status.failure", undefined, { message: "DNS refused it" }),
      "DNS refused it",
    ],
    ["a deletion", change("metadata.deletion_timestamp", undefined, "2026"), "Deletion requested"],
    ["a label", change("metadata.labels.team", undefined, "a"), "Labels changed"],
    [
      "a member of an order",
      change("spec.run_strategy", "ALWAYS", "HALTED"),
      "run_strategy changed: ALWAYS → HALTED",
    ],
    ["a list of an order", change("spec.keys", undefined, ["a"]), `keys changed: ["a"]`],
    ["a removed member", change("spec.image", "a", undefined), "image changed: a removed"],
  ])("with %s says so", (_, changed, words) => {
    expect(wordsOfEntry(entry("updated", changed))).toBe(words);
  });

  it.each<[string, Change]>([
    ["conditions", change("status.conditions", [], [{}])],
    ["an operation", change("status.operation", "a", undefined)],
    ["storage that is under way", change("status.storage", undefined, { state: "waiting" })],
    ["a withdrawn deletion", change("metadata.deletion_timestamp", "2026", undefined)],
  ])("with nothing but %s says nothing", (_, changed) => {
    expect(wordsOfEntry(entry("updated", changed))).toBeUndefined();
  });

  it("says everything that it has, in one line", () => {
    const both = entry(
      "updated",
      change("status.version", undefined, "4"),
      change("status.power", "on", "off"),
    );
    expect(wordsOfEntry(both)).toBe("Version: 4 · Power: off");
  });

  it.each([
    ["created", "Created"],
    ["deleted", "Deleted"],
    ["deleting", "Deleting"],
  ])("without changes says what happened: %s", (what, words) => {
    expect(wordsOfEntry(entry(what))).toBe(words);
  });
});

it("folds what says nothing below what came before it", () => {
  const quiet = () => entry("updated", change("status.conditions", [], [{}]));
  const entries = [quiet(), quiet(), entry("created"), quiet(), quiet(), entry("ready")];
  expect(told(entries).map(({ words, smaller }) => [words, smaller.length])).toEqual([
    [undefined, 1],
    ["Created", 2],
    ["Ready", 0],
  ]);
});
