import { expect, it } from "vitest";
import { type ErasureMethod, strongest } from "../../../../core/ports/bare-metal/erasure.ts";

it.each<[ErasureMethod[], ErasureMethod | undefined]>([
  [[], undefined],
  [["unspecified"], "unspecified"],
  [["unspecified", "overwrite"], "overwrite"],
  [["block"], "block"],
  [["overwrite", "block"], "block"],
  [["overwrite", "cryptographic"], "cryptographic"],
  [["unspecified", "overwrite", "block", "cryptographic"], "cryptographic"],
])("of %j the strongest is %s", (methods, found) => {
  expect(strongest({ methods })).toBe(found);
});
