import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { sagas } from "../../../statemachines/index.ts";

test.each(Object.keys(sagas))("the matrix covers %s", (name) => {
  for (const file of [`${name}.test.ts`, `${name}-outside.test.ts`])
    expect(existsSync(new URL(file, import.meta.url))).toBe(true);
});
