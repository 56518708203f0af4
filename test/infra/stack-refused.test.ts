import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Resource } from "../support/pulumi-mocks.ts";
import { missingPlatform, root, synthesise } from "../support/synth.ts";

if (missingPlatform) console.warn(`skipped: ${missingPlatform}`);

describe.skipIf(missingPlatform)("a deploy", () => {
  it.each([
    ["too few concurrent runs", { runs: 10 }, "allows 10 concurrent runs"],
    ["two subnets of one zone", { zone: "us-east-1a" }, "subnet-a and subnet-b are both"],
  ])(
    "into an account with %s is refused before anything is made",
    async (_, account, said) => {
      const resources: Resource[] = [];
      const stages = join(root, "test/infra/stages");
      const deployed = synthesise("guarded", stages, { ...account, resources });
      await expect(deployed).rejects.toThrow(said);
      expect(resources.filter(({ type }) => type.startsWith("aws:"))).toEqual([]);
    },
    240_000,
  );
});
