/** A small shell: supports words, quotes and comments, and skips commands that use anything else. */

const space = /^(?:[ \t]|\\\n)+/;
const pieces = [
  // Between single quotes all characters are literal; between double quotes a backslash escapes some.
  [/^'([^']*)'/, (text: string) => text],
  [/^"((?:[^"\\$`]|\\.)*)"/s, (text: string) => text.replace(/\\(?:\n|([$`"\\]))/g, "$1")],
  [/^\\(.)/s, (text: string) => (text === "\n" ? "" : text)],
  [/^([^\s'"\\$`;&|<>()*?[\]{}~#!]+)/, (text: string) => text],
] as const;

/** The words of each command of a script. */
export function commandsOf(script: string): string[][] {
  const commands: string[][] = [];
  let rest = script;
  while (rest !== "") {
    const { words, after } = commandAt(rest);
    if (words !== undefined && words.length > 0) commands.push(words);
    rest = after;
  }
  return commands;
}

/** The first command of a text, and the rest; without words where it uses more than words. */
function commandAt(text: string): { words?: string[]; after: string } {
  const words: string[] = [];
  let rest = text.replace(space, "");
  while (rest !== "" && !/^[\n;]/.test(rest)) {
    if (rest.startsWith("#")) {
      rest = rest.replace(/^[^\n]*/, "");
      break;
    }
    const { word, after } = wordAt(rest);
    if (word === undefined) return { after: after.replace(/^[^\n]*\n?/, "") };
    words.push(word);
    rest = after.replace(space, "");
  }
  return { words, after: rest.slice(1) };
}

function wordAt(text: string): { word?: string; after: string } {
  let word = "";
  let rest = text;
  while (rest !== "" && !/^[\s;]/.test(rest)) {
    const piece = pieceAt(rest);
    if (piece === undefined) return { after: rest };
    word += piece.text;
    rest = rest.slice(piece.length);
  }
  return { word, after: rest };
}

function pieceAt(text: string): { text: string; length: number } | undefined {
  for (const [pattern, read] of pieces) {
    const found = pattern.exec(text);
    if (found) return { text: read(found[1] ?? ""), length: found[0].length };
  }
  // Inside a word, `#` starts no comment.
  return text.startsWith("#") ? { text: "#", length: 1 } : undefined;
}
