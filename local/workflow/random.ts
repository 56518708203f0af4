import { randomBytes } from "node:crypto";

/** A number of at least 0 and below 1, from the system's generator. */
export function systemRandom(): number {
  return randomBytes(6).readUIntBE(0, 6) / 2 ** 48;
}

/** Pseudo-random numbers, the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = Math.trunc(seed) | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function randomHex(random: () => number, bytes: number): string {
  const digit = () => Math.floor(random() * 16).toString(16);
  return Array.from({ length: bytes * 2 }, digit).join("");
}

/** A version 4 UUID (RFC 9562, section 5.4). */
export function uuid(random: () => number): string {
  const hex = randomHex(random, 15);
  const variant = (8 + Math.floor(random() * 4)).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(12, 15)}`,
    `${variant}${hex.slice(15, 18)}`,
    hex.slice(18, 30),
  ].join("-");
}
