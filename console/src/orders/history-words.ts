import type { HistoryEntry } from "../generated/answers.ts";

/** The history of an object in words. */

type Change = NonNullable<HistoryEntry["data"]["changes"]>[number];

/** Words for a change of a member; absent where it says nothing to people. */
type Words = (before: unknown, after: unknown, name: string) => string | undefined;

/** By the path of the member; the part in parentheses is a name in it. */
const members: readonly [path: RegExp, words: Words][] = [
  [/^status\.state$/, (_, after) => `Became ${stateWords(after)}`],
  [/^status\.placement$/, (_, after) => said("Placed: ", memberOf(after, "reason"))],
  [/^status\.network$/, (_, after) => said("Network created: ", memberOf(after, "prefix"))],
  [/^status\.dns_names$/, (before, after) => appeared("DNS records", before, after)],
  [/^status\.addresses$/, (before, after) => appeared("Addresses", before, after)],
  [
    /^status\.storage$/,
    (_, after) => (memberOf(after, "state") === "done" ? "Storage ready" : undefined),
  ],
  [
    /^status\.node_sets\.([^.]+)\.ready$/,
    (_, after, name) => `Nodes ready in ${name}: ${after ?? 0}`,
  ],
  [
    /^spec\.node_sets\.([^.]+)\.size$/,
    (before, after, name) => `${name} resized: ${fromTo(before, after)}`,
  ],
  [/^status\.version$/, (before, after) => `Version: ${fromTo(before, after)}`],
  [/^status\.(?:public_)?ip_address$/, (_, after) => said("Address assigned: ", after)],
  [/^status\.external_ip_address$/, (_, after) => said("External IP: ", after)],
  [/^status\.power$/, (_, after) => said("Power: ", after)],
  [/^status\.failure$/, (_, after) => said("", memberOf(after, "message"))],
  [
    /^metadata\.deletion_timestamp$/,
    (_, after) => (after === undefined ? undefined : "Deletion requested"),
  ],
  [/^metadata\.(labels|annotations)/, (_, __, name) => `${capital(name)} changed`],
  [/^spec\.(.+)$/, (before, after, name) => `${name} changed: ${fromTo(before, after)}`],
];

/** What an entry of the history says; undefined for one that only people who debug want to read. */
export function wordsOfEntry({ type, data: { changes = [] } }: HistoryEntry): string | undefined {
  const [, what = ""] = /^slipway\.\w+\.(\w+)\.v\d+$/.exec(type) ?? [];
  if (what === "created" || what === "deleted") return capital(what);
  const words = changes.flatMap((change) => wordsOfChange(change) ?? []);
  if (words.length > 0) return words.join(" · ");
  return what === "updated" ? undefined : capital(what.replaceAll("_", " "));
}

function wordsOfChange({ path, before, after }: Change): string | undefined {
  for (const [pattern, words] of members) {
    const found = pattern.exec(path);
    if (found) return words(before, after, found[1] ?? "");
  }
  return undefined;
}

/** An entry that says something, with those after it that do not. Only at the start of a page may `words` be absent. */
export interface Told {
  entry: HistoryEntry;
  words: string | undefined;
  smaller: HistoryEntry[];
}

export function told(entries: readonly HistoryEntry[]): Told[] {
  const list: Told[] = [];
  for (const entry of entries) {
    const words = wordsOfEntry(entry);
    const last = list.at(-1);
    if (words === undefined && last) last.smaller.push(entry);
    else list.push({ entry, words, smaller: [] });
  }
  return list;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const stateWords = (state: unknown): string =>
  String(state)
    .replace(/^.*_STATE_/, "")
    .replaceAll("_", " ")
    .toLowerCase();

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null
    ? (value as Record<string, unknown>)[name]
    : undefined;

const said = (before: string, value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? before + value : undefined;

const appeared = (what: string, before: unknown, after: unknown): string =>
  `${what} ${before === undefined ? "created" : after === undefined ? "released" : "changed"}`;

const textOf = (value: unknown): string =>
  typeof value === "object" ? JSON.stringify(value) : String(value);

function fromTo(before: unknown, after: unknown): string {
  if (after === undefined) return `${textOf(before)} removed`;
  return before === undefined ? textOf(after) : `${textOf(before)} → ${textOf(after)}`;
}
