import * as z from "zod";
import { AppError, isKind } from "../../../error.ts";
import type { HttpReply } from "../../../http.ts";
import type { RedfishApi } from "./api.ts";
import type { EntityTags } from "./entity-tag.ts";
import { redfishError, redfishMessagesIn } from "./error.ts";
import { link, type RedfishLink, reference } from "./link.ts";
import { listOf, type RedfishSystem, toldOrNone } from "./system.ts";

const action = z.looseObject({ target: reference }).optional();
const slotSchema = z.looseObject({
  "@odata.id": reference,
  MediaTypes: z.array(z.string()).catch([]).default([]),
  Image: z.string().nullish(),
  Inserted: z.boolean().nullish(),
  Actions: z
    .looseObject({ "#VirtualMedia.InsertMedia": action, "#VirtualMedia.EjectMedia": action })
    .optional(),
});
/** A virtual drive. */
export interface MediaSlot extends z.infer<typeof slotSchema> {
  tags: EntityTags;
}

const drives = ["CD", "DVD"];

/**
 * The virtual CD drives of a system, or of its manager if the system has none, as on older controllers.
 * Throws Rejected when there is none, and when access is refused, such as without a licence.
 */
export async function slotsOf(api: RedfishApi, system: RedfishSystem): Promise<MediaSlot[]> {
  const slots = await found(api, system);
  if (slots.length > 0) return slots;
  throw new AppError("Rejected", "the server's controller has no virtual CD drive");
}

/** The virtual drives, or none if there is none or access is refused: most calls work without one. */
export async function slotsShown(api: RedfishApi, system: RedfishSystem): Promise<MediaSlot[]> {
  try {
    return await found(api, system);
  } catch (error) {
    if (isKind(error, "Rejected")) return [];
    throw error;
  }
}

async function found(api: RedfishApi, system: RedfishSystem): Promise<MediaSlot[]> {
  const own = await slotsIn(api, system.VirtualMedia);
  if (own.length > 0) return own;
  for (const manager of system.Links?.ManagedBy ?? []) {
    const schema = z.looseObject({ VirtualMedia: link.optional() });
    const { VirtualMedia } = await api.read(manager["@odata.id"], schema);
    const slots = await slotsIn(api, VirtualMedia);
    if (slots.length > 0) return slots;
  }
  return [];
}

async function slotsIn(api: RedfishApi, collection: RedfishLink | undefined): Promise<MediaSlot[]> {
  const members = toldOrNone(await listOf(api, collection));
  const slots = await Promise.all(members.map((member) => readSlot(api, member)));
  return slots.filter(({ MediaTypes }) => MediaTypes.some((type) => drives.includes(type)));
}

async function readSlot(api: RedfishApi, path: string): Promise<MediaSlot> {
  const { resource, tags } = await api.readTagged(path, slotSchema);
  return { ...resource, tags };
}

/**
 * The image in a drive; undefined when it is empty. Some controllers keep the image's name after ejecting it.
 */
export const imageIn = ({ Image, Inserted }: MediaSlot): string | undefined =>
  Inserted !== false && Image ? Image : undefined;

/** Inserts an image into the first drive that accepts it. */
export async function insert(
  api: RedfishApi,
  slots: MediaSlot[],
  image: string,
): Promise<HttpReply> {
  let last: HttpReply | undefined;
  for (const slot of slots) {
    const reply = await insertInto(api, slot, image);
    if (reply.status < 300) return reply;
    last = reply;
    // With these statuses Cisco's first drive refuses images that its second drive accepts.
    if (reply.status !== 400 && reply.status !== 405) break;
  }
  if (!last) throw new Error("there is a drive");
  throw redfishError(last, "VirtualMedia.InsertMedia");
}

/**
 * Parameters that a controller may report as missing, with their values. They are sent only then, because
 * Supermicro's controllers refuse parameters that they do not need.
 */
const parameters = [
  { name: "TransferProtocolType", value: (image: string) => image.split(":")[0]?.toUpperCase() },
  { name: "TransferMethod", value: () => "Stream" },
  { name: "UserName", value: () => "none" },
  { name: "Password", value: () => "none" },
] as const;

async function insertInto(api: RedfishApi, slot: MediaSlot, image: string): Promise<HttpReply> {
  const path = slot.Actions?.["#VirtualMedia.InsertMedia"]?.target;
  if (path === undefined) {
    const body = { Image: image, Inserted: true, WriteProtected: true };
    return api.change(slot["@odata.id"], body, slot.tags);
  }
  let body: Record<string, unknown> = { Image: image };
  for (;;) {
    const reply = await api.send({ method: "POST", path, body });
    const more = reply.status === 400 ? missingIn(reply, image) : {};
    const isNew = Object.keys(more).some((name) => !(name in body));
    if (!isNew) return reply;
    body = { ...body, ...more };
  }
}

/** The parameters that a refusal reports as missing. */
function missingIn(reply: HttpReply, image: string): Record<string, unknown> {
  const messages = redfishMessagesIn(reply).filter(({ id }) => id === "ActionParameterMissing");
  const names = (name: string) =>
    messages.some(({ text, about }) => text.includes(name) || about.includes(`#/${name}`));
  const missing = parameters.filter(({ name }) => names(name));
  return Object.fromEntries(missing.map(({ name, value }) => [name, value(image)]));
}

/**
 * Ejects the image. A refusal is ignored if the drive shows no image. Throws Unavailable if the controller
 * refuses and shows an image: some show it for seconds after the ejection.
 */
export async function eject(api: RedfishApi, slot: MediaSlot): Promise<HttpReply | undefined> {
  const path = slot.Actions?.["#VirtualMedia.EjectMedia"]?.target;
  if (path === undefined)
    return api.change(slot["@odata.id"], { Image: null, Inserted: false }, slot.tags);
  const reply = await api.send({ method: "POST", path, body: {} });
  if (reply.status < 300) return reply;
  const now = await readSlot(api, slot["@odata.id"]);
  if (imageIn(now) === undefined) return undefined;
  const refusal = redfishError(reply, "VirtualMedia.EjectMedia");
  if (reply.status !== 400 && reply.status !== 409) throw refusal;
  throw new AppError("Unavailable", refusal.message, { cause: refusal });
}
