/** Scripts of iPXE, the program that machines boot from the network by. */

const script = (...lines: string[]): string => `${["#!ipxe", ...lines].join("\n")}\n`;

/** An argument that iPXE takes as one word: it splits at spaces, and expands `${…}`. */
const word = (text: string): string =>
  text.replace(/[\s$"'\\]/g, (character) => encodeURIComponent(character).replace("'", "%27"));

/** Boots a kernel with these arguments, each a word. */
export const bootKernel = ({
  kernel,
  initrd,
  args,
}: {
  kernel: string;
  initrd: string;
  args: readonly string[];
}): string =>
  script(
    ["kernel", word(kernel), "initrd=initrd", ...args.map(word)].join(" "),
    `initrd --name initrd ${word(initrd)}`,
    "boot",
  );

/** Goes on with another script, in place of this one. */
export const chainTo = (url: string): string => script(`chain --replace ${word(url)}`);
