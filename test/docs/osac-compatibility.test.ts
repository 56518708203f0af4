import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { pluralOf } from "../../core/kernel/object/object.ts";
import { metadataSchema } from "../../core/kernel/object/wire.ts";
import { wireFormOf } from "../../core/kernel/object/wire-form.ts";
import { documentationOf } from "../../core/kernel/request/documentation.ts";
import { documentations } from "../../core/resources/generated/documentations.ts";
import { definitionOf, kindNames, wireForms } from "../../functions/api/registry.ts";
import { apiOf } from "../../functions/api/schemas.ts";

/** The table of compatibility names every member that is answered, and every kind's events. */

const text = readFileSync(new URL("../../docs/osac-compatibility.md", import.meta.url), "utf8");
const sections = new Map(
  text.split(/^## /m).map((section) => [/^[\w ]+/.exec(section)?.[0].trim() ?? "", section]),
);
const sectionOf = (title: string): string => {
  const [name] = [...sections.keys()].filter((each) => each.split(" ")[0] === title);
  return (name !== undefined && sections.get(name)) || "";
};

/** Names in code, of paths the last one too. */
const namesIn = (section: string): Set<string> =>
  new Set(
    [...section.matchAll(/`([^`]+)`/g)].flatMap(([, code = ""]) => [code, ...code.split(/\W+/)]),
  );

/** Of a kind that OSAC lacks there is nothing to compare. */
const described = kindNames.filter((kind) => !documentationOf(documentations, kind).osacLacksIt);

/** Members of `spec` and `status`; of a flat kind its own. */
function membersOf(schema: z.ZodObject): string[] {
  const { id: _, metadata: __, ...members } = schema.shape;
  return Object.entries(members).flatMap(([name, member]) => {
    const inner = member instanceof z.ZodOptional ? member.unwrap() : member;
    const isPart = name === "spec" || name === "status";
    return isPart && inner instanceof z.ZodObject ? Object.keys(inner.shape) : [name];
  });
}

describe.each(described)("the table of %s", (kind) => {
  it("names every member of its objects", () => {
    const named = namesIn(sectionOf(pluralOf(kind)));
    expect(named.size).toBeGreaterThan(0);
    const missing = membersOf(apiOf(kind).schema).filter((member) => !named.has(member));
    expect(missing).toEqual([]);
  });

  it("names its private members as such", () => {
    const section = sectionOf(pluralOf(kind));
    for (const path of definitionOf(kind).privateMembers ?? []) {
      const name = path.split(".").at(-1) ?? "";
      const row = section
        .split("\n")
        .find((line) => namesIn(line).has(name) && /private/.test(line));
      expect(row, path).toBeDefined();
    }
  });
});

it("names every member of metadata", () => {
  const named = namesIn(sectionOf("All"));
  const missing = Object.keys(metadataSchema.shape).filter((member) => !named.has(member));
  expect(missing).toEqual([]);
});

it("names the kinds whose events the osac profile shows, and no other", () => {
  const said = /Kinds in the OSAC profile: ([^.]+)\./.exec(sectionOf("events"))?.[1] ?? "";
  const shown = kindNames.filter((kind) => wireFormOf(wireForms, kind).inOsacEvents);
  expect([...said.matchAll(/`(\w+)`/g)].map(([, kind]) => kind).toSorted()).toEqual(
    shown.toSorted(),
  );
});
