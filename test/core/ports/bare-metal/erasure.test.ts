import { expect, it } from "vitest";
import { type ErasureMethod, strongest } from "../../../../core/ports/bare-metal/erasure.ts";

it.each<[ErasureMethod[], ErasureMethod | undefined]>([
  [[], undefined],
  [["overwrite"], "overwrite"],
  [["block"], "block"],
  [["overwrite", "block"], "block"],
  [["overwrite", "cryptographic"], "cryptographic"],
  [["overwrite", "block", "cryptographic"], "cryptographic"],
])("of %j the strongest is %s", (methods, found) => {
  expect(strongest(methods)).toBe(found);
});
