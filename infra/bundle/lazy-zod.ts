import { createRequire } from "node:module";
import type * as zod from "zod";

let loaded: typeof zod | undefined;

/** zod, loaded with the first parse, since loading it takes a third as long as loading the DynamoDB client. */
export const z = new Proxy({} as typeof zod, {
  get: (_, name) => {
    loaded ??= createRequire(import.meta.url)("./zod.mjs") as typeof zod;
    return Reflect.get(loaded, name);
  },
});
