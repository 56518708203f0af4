/**
 * The functions that Step Functions adds to JSONata or changes (developer guide, "Transforming data with JSONata").
 * Time and randomness are the engine's: each evaluation binds them to names that no expression can contain.
 */
import { createHash } from "node:crypto";
import type { Expression, Focus } from "jsonata";
import * as z from "zod";
import { seededRandom, uuid } from "./random.ts";

const timeBinding = "engine.time";
const randomBinding = "engine.random";

/** The sources of `$now` and `$random` for one evaluation. */
export interface Surroundings {
  /** Milliseconds since the epoch; the same throughout one evaluation. */
  time: number;
  /** At least 0 and below 1. */
  random: () => number;
}

export function bindSurroundings({ time, random }: Surroundings): Record<string, unknown> {
  return { [timeBinding]: time, [randomBinding]: random };
}

type Format = (this: Focus, time: number, picture?: string, timezone?: string) => unknown;

const fromMillis = z.object({
  implementation: z.custom<Format>((value) => typeof value === "function"),
});

function timeOf(focus: Focus): number {
  return focus.environment.lookup(timeBinding);
}

function randomOf(focus: Focus): () => number {
  return focus.environment.lookup(randomBinding);
}

function now(this: Focus, picture?: string, timezone?: string): string {
  const format = fromMillis.parse(this.environment.lookup("fromMillis")).implementation;
  return z.string().parse(format.call(this, timeOf(this), picture, timezone));
}

function random(this: Focus, seed?: number): number {
  return seed === undefined ? randomOf(this)() : seededRandom(seed)();
}

function hash(data: string, algorithm: string): string {
  const algorithms = new Map([
    ["MD5", "md5"],
    ["SHA-1", "sha1"],
    ["SHA-256", "sha256"],
    ["SHA-384", "sha384"],
    ["SHA-512", "sha512"],
  ]);
  const chosen = algorithms.get(algorithm);
  if (chosen === undefined) throw new Error(`$hash: unknown algorithm '${algorithm}'`);
  return createHash(chosen).update(data).digest("hex");
}

/** The numbers from `first` to `last`, both included, by `step`. */
function range(first: number, last: number, step: number): number[] {
  if (step === 0) throw new Error("$range: the step must not be 0");
  const length = Math.max(0, Math.floor((last - first) / step) + 1);
  if (length > 1000) throw new Error("$range: more than 1000 elements");
  return Array.from({ length }, (_, index) => first + index * step);
}

/** Splits a list into chunks of `size`; the last one may be shorter. */
function partition(list: unknown[], size: number): unknown[][] {
  if (!Number.isInteger(size) || size < 1) {
    throw new Error("$partition: the size must be a positive integer");
  }
  const chunks = Math.ceil(list.length / size);
  return Array.from({ length: chunks }, (_, i) => list.slice(i * size, (i + 1) * size));
}

function refuseEval(): never {
  throw new Error("$eval is not supported; use $parse for JSON");
}

export function registerFunctions(expression: Expression): void {
  expression.registerFunction("now", now, "<s?s?:s>");
  expression.registerFunction("millis", timeFunction, "<:n>");
  expression.registerFunction("random", random, "<n?:n>");
  expression.registerFunction("uuid", uuidFunction, "<:s>");
  expression.registerFunction("parse", (text: string) => JSON.parse(text), "<s:x>");
  expression.registerFunction("hash", hash, "<ss:s>");
  expression.registerFunction("range", range, "<nnn:a>");
  expression.registerFunction("partition", partition, "<an:a>");
  expression.registerFunction("eval", refuseEval);
}

function timeFunction(this: Focus): number {
  return timeOf(this);
}

function uuidFunction(this: Focus): string {
  return uuid(randomOf(this));
}
