import { spawnSync } from "node:child_process";

/**
 * Installs what SST needs to synthesise the stack (its own components and types, some 300 MB), for the
 * tests under test/infra. Where the installation fails, these tests are skipped and say so.
 */
const { status } = spawnSync("sst", ["install", "--stage", "plain"], {
  stdio: "inherit",
  timeout: 300_000,
  env: {
    ...process.env,
    SLIPWAY_STAGES: "test/infra/stages",
    SST_SKIP_DEPENDENCY_CHECK: "1",
    SST_NO_BUN: "1",
    SST_TELEMETRY_DISABLED: "1",
  },
});
if (status !== 0) {
  process.stdout.write("sst install failed: the tests that synthesise the stack are skipped\n");
  // With `--optional` a failure is ignored, since only these tests need the installation.
  process.exitCode = process.argv.includes("--optional") ? 0 : 1;
}
