import { describe, expect, it } from "vitest";
import { pluralOf } from "../../../../../core/kernel/object/object.ts";
import { metadataSchema } from "../../../../../core/kernel/object/wire.ts";
import { documentationOf } from "../../../../../core/kernel/request/documentation.ts";
import { documentations } from "../../../../../core/resources/generated/documentations.ts";
import {
  allKinds,
  kinds,
  type Section,
  unservedPaths,
} from "../../../../../functions/api/docs/osac/differences.ts";
import { membersOf } from "../../../../../functions/api/docs/osac/members.ts";
import osacMembers from "../../../../../functions/api/docs/osac/osac-members.json" with {
  type: "json",
};
import {
  compared,
  compatibilityTables,
  membersIn,
} from "../../../../../functions/api/docs/osac/table.ts";
import { kindNames } from "../../../../../functions/api/registry.ts";
import {
  describedMembers,
  describedMetadata,
  describedPaths,
  hasDescriptors,
} from "../../osac/descriptors.ts";

/** The page of compatibility: its data fits our schemas and OSAC's descriptors. */

const described = kindNames.filter((kind) => !documentationOf(documentations, kind).osacLacksIt);
const theirs: Readonly<Record<string, readonly string[]>> = osacMembers;
const namedIn = ({ rows }: Section) =>
  rows.filter(([about]) => about.startsWith("`")).flatMap(membersIn);

it("has a section for every kind that is not ours alone, and for no other", () => {
  expect(Object.keys(kinds).toSorted()).toEqual(described.map(pluralOf).toSorted());
});

describe.each(described)("the section of %s", (kind) => {
  const name = pluralOf(kind);

  it("names only members that OSAC or Slipway has", () => {
    const all = [...membersOf(kind), ...(theirs[name] ?? [])];
    const named = namedIn(kinds[name] ?? { rows: [] });
    const unknown = named.filter(
      (each) => !each.startsWith("metadata.") && !all.some((member) => member.startsWith(each)),
    );
    expect(unknown).toEqual([]);
  });

  it("counts or names every member", () => {
    const { same, notThere, ours, hidden } = compared(name);
    const told = [
      ...same,
      ...notThere,
      ...ours,
      ...hidden,
      ...namedIn(kinds[name] ?? { rows: [] }),
    ];
    told.push("status.operation", "status.waiting", "status.stalled", "id");
    const all = [...membersOf(kind), ...(theirs[name] ?? [])];
    expect(all.filter((member) => !told.some((each) => member.startsWith(each)))).toEqual([]);
  });
});

it("names every member of metadata, and paths and kinds of events as such", () => {
  const named = new Set(namedIn(allKinds));
  const ours = Object.keys(metadataSchema.shape);
  expect(ours.filter((member) => !named.has(`metadata.${member}`))).toEqual([]);
  expect(compatibilityTables()).toContain("Kinds in the OSAC profile: `cluster`");
});

it("names what only OSAC has", () => {
  const text = compatibilityTables();
  const section = text.split("## ").find((each) => each.startsWith("external_ips\n"));
  expect(section).toContain("OSAC only: `status.hub`, `status.message`");
  expect(section).toContain("`status.attached` | more: also true with a NAT gateway");
});

describe.skipIf(!hasDescriptors)("OSAC's descriptors", () => {
  it("have the members that the data says", () => {
    const described = describedMembers();
    for (const [name, members] of Object.entries(theirs)) expect(members).toEqual(described[name]);
    const missing = Object.keys(kinds).filter((name) => described[name] && !theirs[name]);
    expect(missing).toEqual([]);
  });

  it("have no path that is neither served nor named as not served", () => {
    const known = [...Object.keys(kinds), ...unservedPaths, "capabilities", "events"];
    expect(describedPaths().filter((path) => !known.includes(path))).toEqual([]);
    expect(unservedPaths.filter((path) => !describedPaths().includes(path))).toEqual([]);
  });

  it("have no member of metadata without a row", () => {
    const named = new Set(namedIn(allKinds));
    const missing = describedMetadata().filter((member) => !named.has(`metadata.${member}`));
    expect(missing).toEqual([]);
  });
});
