/**
 * How long a test waits for what has to come, in real milliseconds: close to the test's own limit
 * (`vitest.config.ts`), which is for tests that hang. A shorter wait would fail on a busy machine.
 */
export const patience = 200_000;
