import type { z } from "zod";
import type { MergePatch } from "../../kubernetes/api.ts";
import type { writtenSchema } from "./host.ts";

/** A change of a BareMetalHost; null removes a member. */
export type Patch = MergePatch & { spec?: Partial<z.infer<typeof writtenSchema>> };
