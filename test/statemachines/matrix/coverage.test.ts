import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { clusters } from "../../support/matrix/clusters.ts";

it.each([...new Set(Object.values(clusters).flatMap(Object.keys))])(
  "the matrix covers %s",
  (name) => {
    for (const file of [`${name}.test.ts`, `${name}-outside.test.ts`])
      expect(existsSync(new URL(file, import.meta.url))).toBe(true);
  },
);
