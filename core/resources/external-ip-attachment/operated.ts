import { operatedOutside } from "../../at-site/operated.ts";
import type { Operating } from "../../kernel/saga/operated.ts";
import type { ExternalIpAttachment } from "./model.ts";
import { attachmentSagas } from "./sagas.ts";

/** The changes of an attachment at the start and the end of its operation. */
export const operated: Operating<"external_ip_attachment"> =
  operatedOutside<ExternalIpAttachment>(attachmentSagas);
