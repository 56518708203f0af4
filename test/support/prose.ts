/** What people read in the sources: messages and comments. */

export interface Prose {
  line: number;
  of: "message" | "comment";
  text: string;
}

/** Strings, comments and regular expressions, so that none of them is taken for another. */
const token =
  /"(?:\\.|[^"\\\n])*"|`(?:\\.|\$\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}|[^`\\])*`|\/\*[\s\S]*?\*\/|\/\/[^\n]*|(?<=[=(,:!&|?;{}[]\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n])+\//g;

/** Texts of a page stand between its tags. */
const jsxText = /(?<=[^=]>)\s*[^<>{}()=;]*[a-z] [a-z][^<>{}()=;]*(?=[<{])/g;

/** The messages (strings of more than a word) and comments of a source, each on one line. */
export function proseOf(path: string, source: string): Prose[] {
  let line = 1;
  let end = 0;
  const lineAt = (index: number) => {
    line += source.slice(end, index).split("\n").length - 1;
    end = index;
    return line;
  };
  const found = Array.from(source.matchAll(token)).flatMap((match): Prose[] => {
    const [text] = match;
    const at = lineAt(match.index);
    if (text.startsWith("/*") || text.startsWith("//"))
      return [{ line: at, of: "comment", text: commentText(text) }];
    if (text.startsWith("/")) return [];
    const said = text
      .slice(1, -1)
      .replaceAll(/\$\{[^}]*\}/g, "…")
      .replaceAll(/\s+/g, " ");
    return / /.test(said) ? [{ line: at, of: "message", text: said }] : [];
  });
  if (!path.endsWith(".tsx")) return found;
  const bare = source.replaceAll(token, (text) => text.replaceAll(/[^\n]/g, "_"));
  const texts = Array.from(
    bare.matchAll(jsxText),
    ({ 0: text, index }): Prose => ({
      line: source.slice(0, index).split("\n").length,
      of: "message",
      text: text.replaceAll(/\s+/g, " ").trim(),
    }),
  );
  return [...found, ...texts];
}

const commentText = (text: string): string =>
  text
    .replaceAll(/^\/\*+|\*\/$|^\/\//g, "")
    .replaceAll(/\n\s*\*?\s*/g, " ")
    .trim();
