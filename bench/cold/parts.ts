import { relative } from "node:path";
import type { Metafile } from "esbuild";
import { startOf } from "../../infra/bundle/one-start.ts";

/** Parts with fewer bytes are summed up. */
const small = 8192;

/** The bytes of a bundle by part, largest first: our code by folder, packages by name. */
export function partsOf(file: string, root: string, { outputs }: Metafile): string {
  const sums = new Map<string, number>();
  for (const output of startOf(relative(root, file), outputs))
    for (const [path, { bytesInOutput }] of Object.entries(outputs[output]?.inputs ?? {}))
      sums.set(partOf(path), (sums.get(partOf(path)) ?? 0) + bytesInOutput);
  const largest = [...sums].filter(([, bytes]) => bytes >= small).sort(([, a], [, b]) => b - a);
  const rest = [...sums.values()].filter((bytes) => bytes < small).reduce((a, b) => a + b, 0);
  return [...largest, ["rest", rest] as const]
    .map(([name, bytes]) => `${name} ${Math.round(bytes / 1024)}`)
    .join(", ");
}

/** The whole AWS SDK is one part. */
function partOf(path: string): string {
  const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? [];
  if (name === undefined) return path.split("/").slice(0, 2).join("/");
  return /^@(aws-sdk|aws|smithy)\//.test(name) ? "AWS SDK" : name;
}
