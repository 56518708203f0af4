import { plain } from "./values.ts";

/** A word of a command that a person copies, as every shell reads it: what a server has answered is never run. */
export function shellWord(text: string): string {
  const word = plain(text);
  return /^[\w.@:/+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
