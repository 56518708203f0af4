import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { sagas } from "../../../statemachines/index.ts";

test.each(Object.keys(sagas))("the matrix covers %s", (name) => {
  expect(existsSync(new URL(`${name}.test.ts`, import.meta.url))).toBe(true);
});
