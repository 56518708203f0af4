import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";

const bash = (script: string, ...words: string[]) =>
  spawnSync(
    "bash",
    ["-c", `source "${join(import.meta.dirname, "program.sh")}"; ${script}`, "bash", ...words],
    { encoding: "utf8", env: { ...process.env, LIVE_REPORT: "" } },
  ).stderr;

/** Last lines of apt and pip. */
const lines: [string, string][] = [
  [
    "E: The repository 'http://apt.lab.example:3142/debian unstable Release' does not have a Release file.",
    "E: The repository 'http://…/debian unstable Release' does not have a Release file.",
  ],
  [
    "E: Failed to fetch https://10.0.0.9/debian/x.deb  404  Not Found",
    "E: Failed to fetch https://…/debian/x.deb  404  Not Found",
  ],
  ["W: Could not resolve 'apt.lab.example'", "W: Could not resolve '…'"],
  [
    "E: Could not connect to apt.lab.example:80 (10.0.0.9). - connect (111: Connection refused)",
    "E: Could not connect to …. - connect (111: Connection refused)",
  ],
  [
    "WARNING: HTTPSConnectionPool(host='pip.lab.example', port=443): Read timed out. (read timeout=15)",
    "WARNING: HTTPSConnectionPool(host='…', port=443): Read timed out. (read timeout=15)",
  ],
  [
    "ERROR: Looking in links: <https://pip.lab.example/simple>",
    "ERROR: Looking in links: <https://…/simple>",
  ],
];

it.each(lines)("skip names no host: %s", (line, shown) => {
  const said = bash('skip moto "$2"', "", `first\n${line}\n`);
  expect(said).toBe(`tests on moto SKIPPED, moto cannot be had: ${shown}\n`);
});

it.each(lines)("the end of a log that is shown names no host: %s", (line, shown) => {
  const said = bash('echo "$2" >"$folder/x.log"; until_true 0 moto false', "", line);
  expect(said).toContain(`${shown}\n`);
});
