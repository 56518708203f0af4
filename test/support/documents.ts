import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's documents, and what they and the comments of its code refer to. */

const root = fileURLToPath(new URL("../..", import.meta.url));

const skipped = /^(node_modules|generated|\.git|\.build|\.local|\.sst)$/;

/** Paths of the repository's own files with this ending, from its root. */
export function filesEndingIn(ending: string, folder = root): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !skipped.test(name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return filesEndingIn(ending, path);
      return entry.isFile() && entry.name.endsWith(ending) ? [relative(root, path)] : [];
    });
}

export const textOf = (path: string): string => readFileSync(join(root, path), "utf8");

/** A document's text without its blocks of code. */
const proseOf = (text: string): string => text.replace(/^( *)```.*?^\1```/gms, "");

/** The comments of a source file, each on one line. */
export const commentsOf = (source: string): string[] =>
  [...source.matchAll(/"(?:\\.|[^"\\\n])*"|\/\*.*?\*\/|(?<=^|\s)\/\/[^\n]*(?:\n\s*\/\/[^\n]*)*/gs)]
    .filter(([text]) => !text.startsWith('"'))
    .map(([text]) => text.replace(/\n\s*(\*|\/\/)?\s*/g, " "));

const headingsOf = (path: string): string[] =>
  [...proseOf(textOf(path)).matchAll(/^#+ +(.*)$/gm)].map(([, heading = ""]) => heading);

/** What a heading is called in a link, as GitHub makes it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");

const isThere = (path: string): boolean => existsSync(join(root, path));

/** Why a reference to a path, with a heading's anchor if it has one, leads nowhere. */
function broken(reference: string, anchor: string | undefined, from: string): string[] {
  const wanted = decodeURI(reference);
  const found = [join(dirname(from), wanted), wanted].find(isThere);
  if (reference !== "" && found === undefined) return [`${from}: there is no ${reference}`];
  const target = reference === "" ? from : (found ?? from);
  if (anchor === undefined || statSync(join(root, target)).isDirectory()) return [];
  if (!target.endsWith(".md") || headingsOf(target).map(anchorOf).includes(anchor)) return [];
  return [`${from}: ${target} has no heading #${anchor}`];
}

/** Links of a document that lead nowhere. */
export function brokenLinks(path: string, text = textOf(path)): string[] {
  const links = proseOf(text).matchAll(/\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]*))?\)/g);
  return [...links].flatMap(([, reference = "", anchor]) => {
    // A link is relative to its document, whatever else has that path from the root.
    const target = join(dirname(path), decodeURI(reference));
    if (reference !== "" && !isThere(target)) return [`${path}: there is no ${target}`];
    return broken(reference === "" ? "" : target, anchor, path);
  });
}

const folders =
  "agent|bench|cli|core|docs|functions|infra|local|sim|stages|statemachines|templates|test";
/** Such as `core/error.ts`, `docs/local.md#the-data-folder`, `docs/reference/hub.md §2.6, §6`. */
const citation = new RegExp(
  `(?<![\\w*./{<:-])((?:(?:${folders})/[\\w./-]*)?[\\w-]+\\.(?:ts|md|json|yaml|sh))(?![\\w*])(?:#([\\w-]+))?((?:,?(?: and| to)? §[\\d.]*\\d)*)`,
  "g",
);
/** What whoever deploys writes, so that it is not in the repository. */
const written = new Set(["stages/prod.json"]);

/** Files and sections that a text names and that are not there. `from` is the file with the text. */
export function brokenCitations(from: string, text: string): string[] {
  return [...text.matchAll(citation)].flatMap(([, path = "", anchor, sections = ""]) => {
    // A bare name may be that of any program's file; that of a document is ours.
    if (written.has(path) || (!path.includes("/") && !path.endsWith(".md"))) return [];
    const missing = broken(path, anchor, from);
    if (missing.length > 0 || sections === "") return missing;
    const target = [join(dirname(from), path), path].find(isThere) ?? path;
    const headings = headingsOf(target);
    return [...sections.matchAll(/§([\d.]*\d)/g)].flatMap(([, number = ""]) =>
      headings.some(
        (heading) => heading.startsWith(`${number} `) || heading.startsWith(`${number}. `),
      )
        ? []
        : [`${from}: ${target} has no section ${number}`],
    );
  });
}

/** Sections that a text names without saying of which document. */
export const orphanSections = (from: string, text: string): string[] =>
  [...text.replace(citation, "").matchAll(/.{0,40}§/g)]
    .filter(([words]) => !/Semantic Versioning 2\.0 has it \(§$/.test(words))
    .map(([words]) => `${from}: of what is the section? …${words}`);
