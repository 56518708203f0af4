import { describe, expect, it } from "vitest";
import {
  brokenCitations,
  brokenLinks,
  commentsOf,
  filesEndingIn,
  orphanSections,
  textOf,
} from "../support/documents.ts";

/** Every link of a document, and every file and section that a document or a comment names, is there. */

const documents = filesEndingIn(".md");
const sources = filesEndingIn(".ts").map((path) => ({
  path,
  comments: commentsOf(textOf(path)).join("\n"),
}));

it("the documents' links lead to files and headings", () => {
  expect(documents).toContain("docs/architecture.md");
  expect(documents.flatMap((path) => brokenLinks(path))).toEqual([]);
});

it("the files and sections that documents name are there", () => {
  expect(documents.flatMap((path) => brokenCitations(path, textOf(path)))).toEqual([]);
});

it("the files and sections that comments name are there", () => {
  expect(sources.length).toBeGreaterThan(500);
  expect(sources.flatMap(({ path, comments }) => brokenCitations(path, comments))).toEqual([]);
});

it("a section is named with its document", () => {
  const found = [
    ...documents.flatMap((path) => orphanSections(path, textOf(path))),
    ...sources.flatMap(({ path, comments }) => orphanSections(path, comments)),
  ];
  expect(found).toEqual([]);
});

describe("what leads nowhere is found", () => {
  const from = "docs/local.md";

  it.each([
    ["[a](nowhere.md)", "docs/local.md: there is no docs/nowhere.md"],
    ["[a](docs/api.md)", "docs/local.md: there is no docs/docs/api.md"],
    ["[a](api.md#nothing)", "docs/local.md: docs/api.md has no heading #nothing"],
    ["[a](#nothing)", "docs/local.md: docs/local.md has no heading #nothing"],
  ])("the link %s", (text, expected) => {
    expect(brokenLinks(from, text)).toEqual([expected]);
  });

  it.each([
    ["see `core/nowhere.ts`", "docs/local.md: there is no core/nowhere.ts"],
    ["see nowhere.md", "docs/local.md: there is no nowhere.md"],
    ["docs/reference/hub.md §99", "docs/local.md: docs/reference/hub.md has no section 99"],
    ["hub.md §1", "docs/local.md: there is no hub.md"],
    ["docs/local.md#nothing", "docs/local.md: docs/local.md has no heading #nothing"],
  ])("the citation %s", (text, expected) => {
    expect(brokenCitations(from, text)).toEqual([expected]);
  });

  it.each([
    "[a](api.md#watching) and [b](https://example.com/nowhere.md) and [c](../core/)",
    "```sh\n[a](nowhere.md)\n```",
  ])("and nothing else: %s", (text) => {
    expect(brokenLinks(from, text)).toEqual([]);
  });

  it("sections of several numbers, across lines of a comment", () => {
    const source =
      "/**\n * As there (docs/reference/hub.md\n * §2.5, §98).\n */\nconst a = 1; // x §1\n";
    const [first = "", second = ""] = commentsOf(source);
    expect(brokenCitations("core/a.ts", first)).toEqual([
      "core/a.ts: docs/reference/hub.md has no section 98",
    ]);
    expect(orphanSections("core/a.ts", first)).toEqual([]);
    expect(orphanSections("core/a.ts", second)).toHaveLength(1);
  });
});
