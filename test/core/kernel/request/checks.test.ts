import { expect, it } from "vitest";
import { refuseTooLarge } from "../../../../core/kernel/request/checks.ts";
import { hubRecord } from "../../../support/placement.ts";

/** An object of so many bytes, as the store counts them: a letter of Greek has two. */
function sized(bytes: number) {
  const empty = hubRecord("h", { labels: { a: "" } });
  const rest = bytes - Buffer.byteLength(JSON.stringify(empty)) - 2;
  return hubRecord("h", { labels: { a: `λ${"x".repeat(rest)}` } });
}

it("an object has 256 KiB at most", () => {
  const most = 256 * 1024;
  expect(() => refuseTooLarge(sized(most))).not.toThrow();
  expect(() => refuseTooLarge(sized(most + 1))).toThrow(
    `the object has ${most + 1} bytes; ${most} is the limit`,
  );
});
