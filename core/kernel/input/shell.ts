/**
 * A text quoted as one word of a POSIX shell, which expands nothing in it. A program may still read a word with a
 * leading `-` as an option.
 */
export const quotedWord = (text: string): string =>
  /^[\w.@:/+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
