/** A small iPXE: supports the commands that scripts for machines use, and stops at any other. */

/** What a script boots or chains to. */
export type Led =
  | { to: "kernel"; kernel: string; initrds: string[]; args: string[] }
  | { to: "script"; url: string; settings: Record<string, string> }
  | { to: "disk" };

/** An error with the message on the machine's console. */
class IpxeError extends Error {}

interface State {
  settings: Map<string, string>;
  kernel?: { url: string; name: string; args: string[] };
  initrds: { url: string; name: string }[];
}

/** Runs a script that was loaded from `from`, with these settings. Throws IpxeError. */
export function led(script: string, from: string, settings: Record<string, string> = {}): Led {
  const [magic = "", ...lines] = script.split(/\r?\n/);
  if (!/^#!ipxe\s*$/.test(magic)) throw new IpxeError("not an iPXE script: no #!ipxe");
  const state: State = { settings: new Map(Object.entries(settings)), initrds: [] };
  for (const line of lines) {
    const end = ranLine(line, state, from);
    if (end) return end;
  }
  throw new IpxeError("the script has ended, and nothing is booted");
}

/**
 * Runs a line. Words are split before settings are expanded in them. A failed command ends its line, except what
 * follows `||`.
 */
function ranLine(line: string, state: State, from: string): Led | undefined {
  let failure: unknown;
  let isNext = true;
  for (const { words, until } of commandsIn(line)) {
    const [command, ...rest] = words.map((word) => expanded(word, state));
    if (isNext) {
      failure = undefined;
      try {
        const end = command === undefined ? undefined : run(command, rest, state, from);
        if (end) return end;
      } catch (error) {
        failure = error;
      }
    }
    isNext = until === ";" || (until === "||") === (failure !== undefined);
  }
  if (failure !== undefined) throw failure;
  return undefined;
}

/** The commands of a line, each with the operator that ends it. */
function commandsIn(line: string): { words: string[]; until?: string }[] {
  const commands: { words: string[]; until?: string }[] = [];
  let words: string[] = [];
  for (const word of line.split(/\s+/).filter(Boolean)) {
    if (word.startsWith("#")) break;
    if (!["||", "&&", ";"].includes(word)) words.push(word);
    else {
      commands.push({ words, until: word });
      words = [];
    }
  }
  return [...commands, { words }];
}

const expanded = (word: string, { settings }: State): string =>
  word.replace(/\$\{([^}]*)\}/g, (_, name: string) => settings.get(name) ?? "");

function run(command: string, rest: string[], state: State, from: string): Led | undefined {
  const { options, words } = parsed(rest);
  const [first = "", ...args] = words;
  const url = () => absolute(first, from);
  const name = options.get("name") ?? first.split("/").at(-1) ?? "";
  switch (command) {
    case "set":
      state.settings.set(first, args.join(" "));
      return undefined;
    case "kernel":
      state.kernel = { url: url(), name, args };
      return undefined;
    case "initrd":
      state.initrds.push({ url: url(), name });
      return undefined;
    case "imgargs":
      if (state.kernel?.name !== first) throw new IpxeError(`imgargs: no image ${first}`);
      state.kernel.args = args;
      return undefined;
    case "chain":
      return { to: "script", url: url(), settings: Object.fromEntries(state.settings) };
    case "boot":
      return booted(state);
    case "exit":
      return { to: "disk" };
    default:
      throw new IpxeError(`${command}: command not found`);
  }
}

function booted({ kernel, initrds }: State): Led {
  if (!kernel) throw new IpxeError("boot: no image is selected");
  const named = kernel.args.find((arg) => arg.startsWith("initrd="))?.slice("initrd=".length);
  if (named !== undefined && !initrds.some(({ name }) => name === named))
    throw new IpxeError(`the kernel finds no initrd ${named}`);
  return {
    to: "kernel",
    kernel: kernel.url,
    initrds: initrds.map(({ url }) => url),
    args: kernel.args,
  };
}

/** Options precede the other words; only `--name` options have a value. */
function parsed(words: string[]): { options: Map<string, string>; words: string[] } {
  const options = new Map<string, string>();
  let n = 0;
  for (let word = words[n]; word?.startsWith("-"); word = words[n]) {
    if (word === "--name") options.set("name", words[n + 1] ?? "");
    else if (word !== "--replace" && word !== "--autofree")
      throw new IpxeError(`unrecognized option ${word}`);
    n += word === "--name" ? 2 : 1;
  }
  return { options, words: words.slice(n) };
}

function absolute(url: string, from: string): string {
  if (url === "") throw new IpxeError("no image is selected");
  try {
    return new URL(url, from).href;
  } catch {
    throw new IpxeError(`${url}: not a URL`);
  }
}
