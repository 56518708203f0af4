import { percentEncoded } from "../kernel/input/url.ts";

/** Scripts for iPXE, the network boot loader of machines. */

const script = (...lines: string[]): string => `${["#!ipxe", ...lines].join("\n")}\n`;

/**
 * Escapes an argument so that iPXE reads it as one word. iPXE has no quotes: it splits at white space,
 * expands `${…}`, reads a word that begins with `#` as a comment and one with `-` as an option, and ends a
 * command at `||`, `&&` or `;`.
 */
const word = (text: string): string =>
  text.replace(/[\s\p{Cc}$"'\\]|^[#-]|^(?:\|\||&&|;)$/gu, percentEncoded);

/** Boots a kernel with these arguments; each becomes one word. */
export const bootKernel = ({
  kernel,
  initrd,
  args,
}: {
  kernel: string;
  /** Absent for an image in a single file. */
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

/** Exits iPXE, so that the firmware boots the next device: the disk. */
export const bootDisk = (): string => script("exit");

/** Loads another script in place of this one, which may use these settings. */
export const chainTo = (url: string, settings: Record<string, string> = {}): string =>
  script(
    ...Object.entries(settings).map(([name, value]) => `set ${name} ${word(value)}`),
    `chain --replace ${word(url)}`,
  );

/** Loads another script in place of this one, and sends iPXE's address from DHCP in the request. */
export const chainWithAddress = (url: string): string =>
  // iPXE expands this itself.
  script(`chain --replace ${word(url)}?address=\${net0/ip}`);
