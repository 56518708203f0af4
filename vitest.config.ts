import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Two cores: more workers only make every test slower.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // SST's components are TypeScript that Node alone cannot run.
    server: { deps: { inline: [/\.sst\/platform\/src/] } },
  },
});
