import { percentEncoded } from "../kernel/input/url.ts";

/** Scripts of iPXE, the program that machines boot from the network by. */

const script = (...lines: string[]): string => `${["#!ipxe", ...lines].join("\n")}\n`;

/**
 * An argument that iPXE takes as one word. It has no quotes: it splits at white space, expands `${…}`, takes a word that
 * begins with `#` for a comment and one with `-` for an option, and ends a command at `||`, `&&` or `;`.
 */
const word = (text: string): string =>
  text.replace(/[\s\p{Cc}$"'\\]|^[#-]|^(?:\|\||&&|;)$/gu, percentEncoded);

/** Boots a kernel with these arguments, each a word. */
export const bootKernel = ({
  kernel,
  initrd,
  args,
}: {
  kernel: string;
  /** Absent for an image that has all in one file. */
  initrd?: string;
  args: readonly string[];
}): string => {
  const [argument, file] =
    initrd === undefined ? [[], []] : [["initrd=initrd"], [`initrd --name initrd ${word(initrd)}`]];
  return script(
    ["kernel", word(kernel), ...argument, ...args.map(word)].join(" "),
    ...file,
    "boot",
  );
};

/** Ends iPXE, so that the firmware continues to the disk. */
export const bootDisk = (): string => script("exit");

/** Goes on with another script, in place of this one, which may use these settings. */
export const chainTo = (url: string, settings: Record<string, string> = {}): string =>
  script(
    ...Object.entries(settings).map(([name, value]) => `set ${name} ${word(value)}`),
    `chain --replace ${word(url)}`,
  );

/** Goes on with another script, and tells it the address that iPXE has from DHCP. */
export const chainWithAddress = (url: string): string =>
  // iPXE expands this itself.
  script(`chain --replace ${word(url)}?address=\${net0/ip}`);
