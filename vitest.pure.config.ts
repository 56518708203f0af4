import { readFile } from "node:fs/promises";
import { transform } from "esbuild";
import base from "./vitest.config.ts";
import { withPureConstants } from "./infra/bundle/pure-modules.ts";
export default { ...base, plugins: [{ name: "pure", enforce: "pre", async load(id: string) {
  const path = id.split("?")[0] ?? "";
  if (!/\/work\/wt\/bundle\/(core|functions|statemachines)\/.*\.ts$/.test(path)) return;
  const { code } = await transform(await readFile(path, "utf8"), { loader: "ts", sourcefile: path });
  return { code: withPureConstants(code), map: null };
} }] };
