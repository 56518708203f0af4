import { vi } from "vitest";
import { patience } from "./patience.ts";

/** Checks again and again until the check passes, and answers what it answers. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: patience, interval: 10 });
