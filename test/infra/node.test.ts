import { expect, it } from "vitest";
import { wrongNode } from "../../infra/node.ts";

const node = (version: string, typescript: "strip" | false) => ({
  version,
  features: { ...process.features, typescript },
});

it("a Node that runs TypeScript deploys", () => {
  expect(wrongNode(node("v24.21.0", "strip"))).toBeUndefined();
  expect(wrongNode(process)).toBeUndefined();
});

it("an older one says which is needed, and how to come by it", () => {
  const said = wrongNode(node("v20.20.2", false));
  for (const word of ["needs Node 24", "v20.20.2", "npx sst deploy"]) expect(said).toContain(word);
});
