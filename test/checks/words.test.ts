import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { filesEndingIn, textOf } from "../support/documents.ts";
import { proseOf } from "../support/prose.ts";

/** Words of daily life in place of the industry's, in what people read, with what to say instead. */

const habits: [phrase: RegExp, say: string][] = [
  [/\bset aside\b/i, "quarantined"],
  [/\b(is|are|was|were|be|been|being) told\b/i, "is notified, receives, reports"],
  [/\b(has|have|had) told\b/i, "has reported"],
  [/\b(has|have|had) word of\b|\bnews\b/i, "a report, an event, an update"],
  [/\b(go|goes|going|went) on\b(?! (the|a|an|its|their|it)\b)/i, "continues, resumes"],
  [/\b(is|are|was|were|be) away\b/i, "is unreachable, is unavailable"],
  [/\b(give|gives|given|gave|giving) back\b|\bgive[sn]? it back\b/i, "is released, releases"],
  [/\b(take|takes|taken|took|taking) (it |them )?away\b/i, "is deleted, is removed"],
  [/\bin line\b/i, "in the queue"],
  [/\bas usual\b|\bif wanted\b/i, "default, optional"],
  [/\bneeds? (a person|somebody)\b/i, "operator action required"],
  [/\bthere is no output\b/i, "unknown output format"],
  [/\bis no (size|time|number|address|name) (of|for)\b/i, "expected …; got …"],
  [/\b(be|is|was|are) had\b|\bhad back\b/i, "is available, is restored"],
  [/\bhave it go on\b/i, "resume"],
  [/\bkept for (a |the |its |their |one |other |somebody|tenants?\b)/i, "reserved for"],
  [/\b(let|lets|letting) (it |them )?go\b/i, "releases, detaches"],
  [/\bin vain\b/i, "failed, without success"],
  [/\bmend(s|ed|ing)?\b/i, "repair, fix"],
  [/\bwanted\b/i, "desired, requested"],
  [/\b(a|each|every|one|first|next|last) look\b/i, "a check, a poll"],
  [/\bhas (not )?been heard\b|\bis (not )?heard\b/i, "reports, does not report"],
];

const any = new RegExp(habits.map(([{ source }]) => source).join("|"), "i");

const found = (text: string) => {
  if (!any.test(text)) return [];
  return habits.flatMap(([phrase, say]) => {
    const [words] = phrase.exec(text) ?? [];
    return words === undefined ? [] : [`"${words}": say ${say}`];
  });
};

const sources = [".ts", ".tsx"]
  .flatMap((ending) => filesEndingIn(ending))
  .filter((path) => !path.startsWith("test/") && !path.endsWith("dictionary.ts"))
  .filter((path) => !path.endsWith("/dictionaries.ts"));
const prose = sources.flatMap((path) =>
  proseOf(path, textOf(path)).map((each) => ({ ...each, path })),
);

/** Descriptions of the API's members and operations are in its document. */
const reference = readFileSync("functions/api/generated/openapi.json", "utf8");
const isDescribed = (text: string): boolean =>
  reference.includes(JSON.stringify(text).slice(1, -1).split("…")[0] ?? text);

/** What a state machine is for is part of its definition: another text would be another version of it. */
const isInDefinition = ({ path, text }: { path: string; text: string }): boolean =>
  path === "statemachines/host.ts" && / is set aside$/.test(text);

const messages = prose.filter((each) => each.of === "message" && !isInDefinition(each));

it("reads the sources", () => {
  expect(messages.length).toBeGreaterThan(5000);
  expect(prose.length).toBeGreaterThan(10_000);
});

it("no message has them", () => {
  const bad = messages.flatMap(({ path, line, text }) =>
    found(text)
      .filter(() => !isDescribed(text))
      .map((why) => `${path}:${line}: ${why}: ${text.slice(0, 120)}`),
  );
  expect(bad).toEqual([]);
});

it("a message says a time to the second, by timeText", () => {
  const raw = /[a-z] \$\{(?:\w+\.)?(?:since|ends|until|resting_until|away_since)\}/;
  const bad = sources
    .filter((path) => /^(core|functions|statemachines)\//.test(path))
    .filter((path) => raw.test(textOf(path)));
  expect(bad).toEqual([]);
});

/** The glossary names the words that an entry replaces. */
const documents = filesEndingIn(".md").filter(
  (path) => !/^docs\/glossary\.md$|^CHANGELOG|^docs\/reference/.test(path),
);

it("no document has them", () => {
  const bad = documents.flatMap((path) =>
    textOf(path)
      .replaceAll(/^( *)```.*?^\1```/gms, (block) => block.replaceAll(/[^\n]/g, ""))
      .replaceAll(/`[^`\n]*`/g, "")
      .split("\n")
      .flatMap((line, n) =>
        found(line).map((why) => `${path}:${n + 1}: ${why}: ${line.slice(0, 120)}`),
      ),
  );
  expect(bad).toEqual([]);
});

/** These counts only go down: reword what is beside your change, then lower them. */
const left = { comments: 0, descriptions: 2 };

it("comments and descriptions of the API have no more of them than before", () => {
  const count = (texts: { text: string }[]) =>
    texts.reduce((sum, { text }) => sum + found(text).length, 0);
  const comments = prose.filter(({ of }) => of === "comment");
  expect(count(comments)).toBeLessThanOrEqual(left.comments);
  const described = messages.filter(({ text }) => any.test(text) && isDescribed(text));
  expect(count(described)).toBeLessThanOrEqual(left.descriptions);
});
