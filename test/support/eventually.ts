import { vi } from "vitest";

/**
 * How long a test waits for what has to come, in real milliseconds: close to the test's own limit
 * (`vitest.config.ts`), which is for tests that hang. A shorter wait would fail on a busy machine.
 */
export const patience = 200_000;

/** Checks again and again until the check passes, and answers what it answers. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: patience, interval: 10 });
