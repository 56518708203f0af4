import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { styleText } from "node:util";
import type { Environment } from "./endpoint.ts";

export type Style = "bold" | "dim" | "green" | "red" | "yellow";

/** A stream of text, for people or programs. */
export interface Screen {
  write(text: string): void;
  /** The text in this style, where colours are shown; respects `NO_COLOR`. */
  styled(style: Style, text: string): string;
  /** Whether lines can be replaced and colours are shown. */
  isTerminal: boolean;
  columns: number;
  rows: number;
}

/** Everything outside the process that a command uses. */
export interface Around {
  env: Environment;
  /** The output for the result of the command only. */
  out: Screen;
  /** The output for everything except the result. */
  err: Screen;
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** The text of a file, or of standard input for `-`. Throws when it cannot be read. */
  read(file: string): string;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after so many milliseconds, or at once when the signal is aborted. */
  pause(ms: number, signal?: AbortSignal): Promise<void>;
  /** Shows an address in the user's browser; false without one. */
  browse(url: string): Promise<boolean>;
  /** Whether a person at the terminal can answer a question. */
  isAsked(): boolean;
  /** The answer; empty without one. */
  ask(question: string): Promise<string>;
  /** Aborted by Ctrl-C, once a command has requested this signal. */
  interrupted(): AbortSignal;
}

/** The assumed size of an output that is no terminal, or of a terminal that reports 0. */
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

/** Milliseconds within which a second interrupt counts as the same Ctrl-C, and within which npm passes it on. */
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
      // The terminal and npm both send the signal for one Ctrl-C.
      if (!isFirst && Date.now() - pressed < sameCtrlC) return;
      pressed = Date.now();
      if (isFirst) {
        // Keeps the process alive: if it ended first, npm's signal would kill it and change its exit code.
        setTimeout(() => {}, passingOn);
        return controller.abort();
      }
      // The second Ctrl-C ends the process, as by default.
      process.off("SIGINT", onInterrupt);
      process.kill(process.pid, "SIGINT");
    };
    process.on("SIGINT", onInterrupt);
    return controller.signal;
  },
};
