import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { styleText } from "node:util";
import type { Environment } from "./endpoint.ts";

export type Style = "bold" | "dim" | "green" | "red" | "yellow";

/** A stream of text that people or programs read. */
export interface Screen {
  write(text: string): void;
  /** The text in this style, where colours are seen; follows `NO_COLOR`. */
  styled(style: Style, text: string): string;
  /** Whether lines can be replaced, and colours seen. */
  isTerminal: boolean;
  columns: number;
  rows: number;
}

/** Everything outside that a command uses. */
export interface Around {
  env: Environment;
  /** The result of the command, and nothing else. */
  out: Screen;
  /** Everything that is not the result. */
  err: Screen;
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** The text of a file, or of standard input for `-`. Throws when it cannot be read. */
  read(file: string): string;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after so many milliseconds, or at once when the signal is aborted. */
  pause(ms: number, signal?: AbortSignal): Promise<void>;
  /** Shows an address in the browser of whoever sits here; false where there is none. */
  browse(url: string): Promise<boolean>;
  /** Whether somebody sits here who can answer a question. */
  isAsked(): boolean;
  /** What they answer; nothing where they do not. */
  ask(question: string): Promise<string>;
  /** Aborted by Ctrl-C once a command has asked to hear of it. */
  interrupted(): AbortSignal;
}

/** The size of what is no terminal, or of one that says 0. */
const usualWidth = 100;
const usualHeight = 24;

const screen = (stream: NodeJS.WriteStream): Screen => ({
  write: (text) => void stream.write(text),
  styled: (style, text) => styleText(style, text, { stream }),
  isTerminal: stream.isTTY === true,
  get columns() {
    return stream.columns || usualWidth;
  },
  get rows() {
    return stream.rows || usualHeight;
  },
});

/** Milliseconds in which a second interrupt is the same Ctrl-C, and in which it comes at the latest. */
const [sameCtrlC, passingOn] = [1000, 500];

/** This process, in a shell. */
export const thisProcess: Around = {
  env: process.env,
  out: screen(process.stdout),
  err: screen(process.stderr),
  fetch: (url, init) => fetch(url, init),
  read: (file) => readFileSync(file === "-" ? 0 : file, "utf8"),
  now: () => Date.now(),
  pause: async (ms, signal) => {
    await pause(ms, undefined, signal && { signal }).catch((error: unknown) => {
      if (!signal?.aborted) throw error;
    });
  },
  browse: async (url) => (await import("./browser.ts")).browse(url),
  isAsked: () => process.stdin.isTTY === true && process.stderr.isTTY === true,
  ask: async (question) => (await import("./ask.ts")).askPerson(question),
  interrupted: () => {
    const controller = new AbortController();
    let pressed = 0;
    const onInterrupt = () => {
      const isFirst = !controller.signal.aborted;
      // A terminal and npm each tell the process of one Ctrl-C.
      if (!isFirst && Date.now() - pressed < sameCtrlC) return;
      pressed = Date.now();
      if (isFirst) {
        // A process that has ended its work meanwhile would die of what npm passes on, and its exit code with it.
        setTimeout(() => {}, passingOn);
        return controller.abort();
      }
      // The second one ends the process, as it does without this.
      process.off("SIGINT", onInterrupt);
      process.kill(process.pid, "SIGINT");
    };
    process.on("SIGINT", onInterrupt);
    return controller.signal;
  },
};
