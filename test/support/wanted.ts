import type { JsonObject } from "../../core/kernel/input/shape.ts";
import type { Kind } from "../../core/kernel/object/object.ts";
import type { ObjectOf } from "../../core/kernel/object/object-of.ts";
import { view } from "../../functions/api/registry.ts";

/** What a PATCH makes of an object, as the API's handlers ask for it. */
export const wanted = (edited: (shown: JsonObject) => JsonObject) => ({
  shown: (object: ObjectOf[Kind]): JsonObject =>
    view(object, { profile: "slipway", private: true }),
  edited,
});
