import { join } from "node:path";
import type { Around, Screen } from "../../cli/around.ts";
import { runBundled } from "./bundled-cli.ts";
import { temporaryFolder } from "./home.ts";
import type { Site } from "./site.ts";

/** `slipway` in a site: in process, in virtual time, with what it prints. */

export interface Printed {
  exit: number;
  out: string;
  err: string;
}

export interface Terminal {
  /** Runs a command line, whose words stand between spaces; as root of the provider, unless told otherwise. */
  slipway(line: string | string[], as?: keyof typeof tokens): Promise<Printed>;
  /** Ctrl-C, for what runs now. */
  interrupt(): void;
  /** The addresses that a browser was asked to show. */
  browsed: string[];
  /** Answers in place of the API when it returns something. */
  intercept: (url: string, init: RequestInit) => Response | undefined;
}

/** A token whose claims a site believes. */
const tokenOf = (claims: object): string =>
  `x.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.x`;

export const tokens = {
  root: tokenOf({ sub: "root", roles: ["provider-admin"] }),
  alice: tokenOf({ sub: "alice", organization: ["tenant-a"], roles: ["tenant-admin"] }),
  bob: tokenOf({ sub: "bob", organization: ["tenant-b"], roles: ["tenant-admin"] }),
  nobody: "no-token-of-ours",
};

export interface TerminalOptions {
  /** Whether people look at it. */
  isTerminal?: boolean;
  columns?: number;
  files?: Record<string, string>;
  env?: Record<string, string>;
  /** What somebody types when asked; without it nobody can be. */
  answers?: string[];
}

/** What a command has outside, with what it writes kept. */
export function recording(
  { fetch, now, pause }: Pick<Around, "fetch" | "now" | "pause">,
  { isTerminal = false, columns = 100, files = {}, env = {}, answers }: TerminalOptions = {},
) {
  const written = { out: "", err: "" };
  const interrupts: AbortController[] = [];
  const browsed: string[] = [];
  const screen = (stream: "out" | "err"): Screen => ({
    write: (text) => {
      written[stream] += text;
    },
    styled: (_, text) => text,
    isTerminal,
    columns,
    rows: 24,
  });
  const around: Around = {
    env: {
      SLIPWAY_CONFIG: join(temporaryFolder(), "contexts.json"),
      SLIPWAY_DATA: "/nowhere",
      ...env,
    },
    out: screen("out"),
    err: screen("err"),
    fetch,
    read: (file) => {
      const text = files[file];
      if (text === undefined) throw new Error("there is no such file");
      return text;
    },
    now,
    pause,
    browse: async (url) => {
      browsed.push(url);
      return true;
    },
    isAsked: () => answers !== undefined,
    ask: async (question) => {
      written.err += question;
      return answers?.shift() ?? "";
    },
    interrupted: () => {
      const controller = new AbortController();
      interrupts.push(controller);
      return controller.signal;
    },
  };
  const interrupt = () => {
    for (const each of interrupts) each.abort();
  };
  return { around, written, interrupt, browsed };
}

export function terminalAt(
  site: Pick<Site, "fetch" | "laptop">,
  options: TerminalOptions = {},
): Terminal {
  const { around, written, interrupt, browsed } = recording(
    {
      fetch: async (url, init) => terminal.intercept(url, init) ?? site.fetch(url, init),
      now: () => site.laptop.clock.now(),
      pause: (ms) => site.laptop.pass(ms),
    },
    options,
  );
  const terminal: Terminal = {
    async slipway(line, as = "root") {
      Object.assign(written, { out: "", err: "" });
      const words = typeof line === "string" ? line.split(" ") : line;
      const env = { SLIPWAY_URL: "https://slipway", SLIPWAY_TOKEN: tokens[as], ...around.env };
      const exit = await runBundled(words, { ...around, env });
      return { exit, ...written };
    },
    interrupt,
    browsed,
    intercept: () => undefined,
  };
  return terminal;
}
