import { kinds } from "../../../core/resources/generated/kinds.ts";
import { operated } from "../../../core/resources/generated/operated.ts";
import { type TestDeps, testDeps } from "../deps.ts";
import { kind, operating } from "./kind.ts";

/** A composition in memory that knows toys. */
export const toyDeps = (toys = operating, toy = kind): TestDeps =>
  testDeps({ kinds: { ...kinds, toy }, operated: { ...operated, toy: toys } });
