// Made by `npm run generate` from core/resources/index.ts.
import type { Operated } from "../../kernel/saga/operated.ts";
import { operated as cluster } from "../cluster/operated.ts";

/** What the kinds say of the operations that change their objects. */
export const operated: Operated = {
  cluster,
};
