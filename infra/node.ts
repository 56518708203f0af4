/**
 * The fault of the Node that deploys, in words: bundling runs TypeScript, and Node strips types by
 * itself since 22.18.
 */
export function wrongNode({ version, features }: Pick<NodeJS.Process, "version" | "features">) {
  if (features.typescript) return undefined;
  return [
    `a deploy needs Node 24, and this is ${version}.`,
    "On Linux and on Macs with Apple's chips npm ci brings it: run npx sst deploy, not an sst of your own.",
    "Elsewhere install it.",
  ].join(" ");
}
