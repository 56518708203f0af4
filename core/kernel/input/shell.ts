/** A text as one word of a POSIX shell, which expands nothing in it. A program still takes one with a leading `-` for an option. */
export const quotedWord = (text: string): string =>
  /^[\w.@:/+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
