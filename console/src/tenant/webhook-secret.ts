import type { Webhook } from "../generated/answers.ts";
import { saveAs } from "../ui/save-as.ts";

/** Downloads the secret of the answer that made it: nobody can read it a second time. */
export const saveSecret = ({ id, metadata, spec }: Webhook): void =>
  saveAs(`${metadata.name || id}.secret`, spec.secret);
