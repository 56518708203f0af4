import { operatedOutside } from "../../at-site/operated.ts";
import type { Operating } from "../../kernel/saga/operated.ts";
import type { ExternalIpAttachment } from "./model.ts";
import { attachmentSagas } from "./sagas.ts";

/** What the start and the end of an operation change in its attachment. */
export const operated: Operating<"external_ip_attachment"> =
  operatedOutside<ExternalIpAttachment>(attachmentSagas);
