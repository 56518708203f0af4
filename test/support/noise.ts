import { randomInt } from "node:crypto";

/** Text that nothing packs, of characters of one to four bytes of UTF-8. */

const pool = Array.from({ length: 400_000 }, () => {
  switch (randomInt(4)) {
    case 0:
      return String.fromCharCode(randomInt(0x5d, 0x7f));
    case 1:
      return String.fromCharCode(randomInt(0xa0, 0x800));
    case 2:
      return String.fromCharCode(randomInt(0x4e00, 0x9fff));
    default:
      return String.fromCodePoint(randomInt(0x1f300, 0x1faff));
  }
}).join("");

/** So many units of a string; each time others. */
export function noise(length: number): string {
  const at = randomInt(pool.length - length);
  return pool.slice(at, at + length).toWellFormed();
}
