import { createRequire } from "node:module";
import type * as zod from "zod";

let loaded: typeof zod | undefined;

/** zod, loaded when something is first parsed: it takes a third as long as the client of DynamoDB. */
export const z = new Proxy({} as typeof zod, {
  get: (_, name) => {
    loaded ??= createRequire(import.meta.url)("./zod.mjs") as typeof zod;
    return Reflect.get(loaded, name);
  },
});
