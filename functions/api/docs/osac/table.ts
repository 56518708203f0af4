import { type Kind, pluralOf } from "../../../../core/kernel/object/object.ts";
import { wireFormOf } from "../../../../core/kernel/object/wire-form.ts";
import { definitionOf, kindNames, wireForms } from "../../registry.ts";
import {
  allKinds,
  events,
  kinds,
  type OsacRow,
  type Section,
  unservedPaths,
} from "./differences.ts";
import { membersOf } from "./members.ts";
import osacMembers from "./osac-members.json" with { type: "json" };

/** The tables of docs/osac-compatibility.md. */

const theirs: Readonly<Record<string, readonly string[]>> = osacMembers;

export const compatibilityTables = (): string =>
  [
    section("All kinds", allKinds, [sameRows(allKinds)]),
    ...Object.entries(kinds).map(([name, differences]) =>
      section(name, differences, summary(name)),
    ),
    section("events", events, [`Kinds in the OSAC profile: ${codes(kindsInEvents())}.`]),
    `## Not served\n\nThese paths are 404: ${codes(unservedPaths)}.\n`,
  ].join("\n");

function section(title: string, { says, rows, isLike }: Section, lines: readonly string[]): string {
  const cells = (isLike ? [] : rows).flatMap(([about, mark, note]) =>
    mark === "same" ? [] : [`${about} | ${titles[mark]}: ${note}`],
  );
  const table = cells.length === 0 ? [] : [["what | difference", "---|---", ...cells].join("\n")];
  const like = isLike && `The differences are those of [${isLike}](#${isLike}).`;
  const text = [says, like, ...lines].filter(Boolean).join(" ");
  return [`## ${title}`, ...(text === "" ? [] : [text]), ...table].join("\n\n").concat("\n");
}

/** The marks of rows, as the page says them. */
const titles = {
  more: "more",
  other: "other",
  "not there": "OSAC only",
  ours: "Slipway only",
} as const;

/** The members of a kind's answers: those of both APIs, and those of only one of them. */
export function compared(name: string) {
  const kind = kindOf(name);
  const has = membersOf(kind);
  const osac = theirs[name] ?? [];
  const named = (kinds[name]?.rows ?? []).flatMap((row) =>
    row[1] === "same" ? [] : membersIn(row),
  );
  const isNamed = (member: string) => named.some((each) => isWithin(member, each));
  const hidden = (definitionOf(kind).privateMembers ?? [])
    .map((path) => path.replaceAll(".*", "[]"))
    .filter((path) => !isOfWork(path) && !osac.some((each) => isWithin(each, path)));
  const isTold = (member: string) => isNamed(member) || isOfWork(member) || hidden.includes(member);
  return {
    same: osac.filter((member) => has.includes(member) && !isNamed(member)),
    notThere: heads(osac, has).filter((member) => !isNamed(member)),
    ours: heads(has, osac).filter((member) => !isTold(member)),
    hidden: hidden.filter((member) => !isNamed(member)),
  };
}

/** Members that only Slipway has are in its reference. */
function summary(name: string): string[] {
  const { notThere } = compared(name);
  return notThere.length === 0 ? [] : [`${titles["not there"]}: ${codes(notThere)}.`];
}

/**
 * The members that only the first list has, each as the shortest path that no member of the second
 * list begins with.
 */
const heads = (first: readonly string[], second: readonly string[]): string[] => [
  ...new Set(first.filter((member) => !second.includes(member)).map((each) => head(each, second))),
];

function head(member: string, others: readonly string[]): string {
  const names = member.split(".");
  const least = /^(spec|status)$/.test(names[0] ?? "") ? 1 : 0;
  const count = names.findIndex(
    (_, at) =>
      at >= least && !others.some((other) => isWithin(other, names.slice(0, at + 1).join("."))),
  );
  return names
    .slice(0, count + 1)
    .join(".")
    .replace(/(\.\*|\[\])$/, "");
}

/** The members of every kind with operations, which the section of all kinds names. */
const isOfWork = (member: string) => /^status\.(operation|waiting|stalled)\b/.test(member);

/** A member is within another if it is the same or a part of it. */
const isWithin = (member: string, other: string): boolean =>
  member === other || (member.startsWith(other) && /^[.[]/.test(member.slice(other.length)));

/**
 * The members that a row names. A later name may omit the beginning that it shares with the first
 * name.
 */
export function membersIn([about]: OsacRow): string[] {
  const [first = "", ...more] = [...about.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);
  const parent = first.slice(0, first.lastIndexOf(".") + 1);
  const isWhole = (name: string) => /^(spec|status|metadata)\./.test(name);
  return [first, ...more.map((name) => (isWhole(name) ? name : `${parent}${name}`))].filter(
    Boolean,
  );
}

function kindOf(name: string): Kind {
  const found = kindNames.find((kind) => pluralOf(kind) === name);
  if (found === undefined) throw new Error(`there is no kind of ${name}`);
  return found;
}

const sameRows = ({ rows }: Section): string =>
  `Same: ${rows.flatMap(([about, mark]) => (mark === "same" ? [about] : [])).join(", ")}.`;

const kindsInEvents = () => kindNames.filter((kind) => wireFormOf(wireForms, kind).inOsacEvents);

const codes = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(", ");
