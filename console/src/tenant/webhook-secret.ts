import type { Webhook } from "../generated/answers.ts";
import { saveAs } from "../ui/save-as.ts";

/** Downloads the secret, which only the answer of the creation contains. */
export const saveSecret = ({ id, metadata, spec }: Webhook): void =>
  saveAs(`${metadata.name || id}.secret`, spec.secret);
